import assert from 'node:assert/strict'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'

test('sweep removes old leftovers, keeps young ones and everything else', async (t) => {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const folders = ['tmp/2-half', 'trash/3-gone', '01/1.git/objects/tmp_objdir-incoming-a1b2c3']
  const files = [
    '01/1.git/HEAD.lock',
    '01/1.git/packed-refs.lock',
    '01/1.git/refs/heads/main.lock',
    '01/1.git/refs/heads/a/b.lock',
    '01/1.git/objects/pack/tmp_pack_x',
    'tmp/2-half/config',
    'trash/3-gone/HEAD',
    '01/1.git/objects/tmp_objdir-incoming-a1b2c3/x',
  ]
  const kept = ['01/1.git/refs/heads/young.lock', '01/1.git/refs/heads/plain', '01/1.git/description', 'notes.lock']
  for (const folder of [...folders, '01/1.git/refs/heads/a']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of [...files, ...kept]) writeFileSync(path.join(root, file), 'x')
  const old = new Date(Date.now() - 7_200_000)
  for (const place of [...files, ...folders, ...kept.slice(1)]) utimesSync(path.join(root, place), old, old)

  const removed = await store.sweep({ olderThanMs: 3_600_000 })

  assert.deepEqual(removed.toSorted(), [...folders, ...files.slice(0, 5)].toSorted())
  assert.deepEqual(
    kept.map((file) => existsSync(path.join(root, file))),
    kept.map(() => true),
  )
})

test('sweep makes a branch usable again that a stale lock has blocked', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const gitDir = store.gitDir(1)
  writeFileSync(path.join(gitDir, 'refs/heads/main.lock'), '')
  assert.throws(
    () => git(gitDir, ['-c', 'core.filesRefLockTimeout=0', 'update-ref', '-d', 'refs/heads/main']),
    /main\.lock/,
  )
  await store.sweep({ olderThanMs: 0 })
  git(gitDir, ['update-ref', '-d', 'refs/heads/main'])
  assert.deepEqual(await store.listBranches(1), [])
})
