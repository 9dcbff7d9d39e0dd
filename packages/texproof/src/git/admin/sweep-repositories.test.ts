import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import { checkRepository } from './check-repository.ts'

test('sweepRepositories() removes old leftovers, and keeps recent ones and everything else', async (t) => {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const folders = [
    '01/1.git/objects/info/commit-graphs',
    'tmp/2-half',
    'trash/3-gone',
    '01/1.git/objects/tmp_objdir-incoming-a1b2c3',
  ]
  const files = [
    '01/1.git/HEAD.lock',
    '01/1.git/packed-refs.lock',
    '01/1.git/refs/heads/main.lock',
    '01/1.git/refs/heads/a/b.lock',
    '01/1.git/objects/pack/tmp_pack_x',
    '01/1.git/gc.pid.lock',
    '01/1.git/objects/info/commit-graphs/commit-graph-chain.lock',
    'tmp/2-half/config',
    'trash/3-gone/HEAD',
    '01/1.git/objects/tmp_objdir-incoming-a1b2c3/x',
  ]
  const kept = ['01/1.git/refs/heads/young.lock', '01/1.git/refs/heads/plain', '01/1.git/description', 'notes.lock']
  for (const folder of [...folders, '01/1.git/refs/heads/a']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of [...files, ...kept]) writeFileSync(path.join(root, file), 'x')
  const old = new Date(Date.now() - 7_200_000)
  for (const place of [...files, ...folders.slice(1), ...kept.slice(1)]) utimesSync(path.join(root, place), old, old)

  const removed = await store.sweep({ olderThanMs: 3_600_000 })

  assert.deepEqual(removed.toSorted(), [...folders.slice(1), ...files.slice(0, 7)].toSorted())
  assert.deepEqual(
    kept.map((file) => existsSync(path.join(root, file))),
    kept.map(() => true),
  )
})

test('sweepRepositories() keeps the locks of a repository while git works on it', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const gitDir = store.gitDir(1)
  const lock = path.join(gitDir, 'packed-refs.lock')
  writeFileSync(lock, '')
  const writer = spawn('git', [`--git-dir=${gitDir}`, 'update-ref', '--stdin'], { stdio: ['pipe', 'ignore', 'ignore'] })
  await once(writer, 'spawn')
  const whileWriting = await store.sweep({ olderThanMs: 0 })
  writer.kill('SIGKILL')
  await once(writer, 'close')
  assert.deepEqual([whileWriting, await store.sweep({ olderThanMs: 0 })], [[], ['01/1.git/packed-refs.lock']])
})

test('a commit and a change of refs remove the locks of a crashed process', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const head = (await store.findBranch(1, 'main'))?.commitId ?? ''
  const lock = path.join(store.gitDir(1), 'refs/heads/main.lock')
  const leave = (): void => {
    const old = new Date(Date.now() - 60_000)
    writeFileSync(lock, '')
    utimesSync(lock, old, old)
  }
  leave()
  const committed = await store.pushCommit(1, {
    ref: 'refs/heads/main',
    from: head,
    parentId: head,
    changes: [{ kind: 'write', path: 'a.tex', bytes: Buffer.from('a'), isExecutable: false }],
    author: initialCommit({}).author,
    message: 'Add a',
    maxBytes: 1_000_000,
  })
  const newHead = (await store.findBranch(1, 'main'))?.commitId ?? ''
  leave()
  const changed = await store.changeRefs(1, [{ ref: 'refs/heads/main', from: newHead, to: head }])
  assert.deepEqual([committed, changed], [{ kind: 'committed', commitId: newHead }, true])
})

test('the deletion of a packed branch removes what a crash of git pack-refs has left behind', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const gitDir = store.gitDir(1)
  const head = git(gitDir, ['rev-parse', 'main'])
  git(gitDir, ['pack-refs', '--all'])
  const left = path.join(gitDir, 'packed-refs.new')
  const old = new Date(Date.now() - 60_000)
  writeFileSync(left, '')
  utimesSync(left, old, old)
  const faults = await checkRepository(gitDir, { defaultBranch: 'main' })
  const isDeleted = await store.changeRefs(1, [{ ref: 'refs/heads/main', from: head, to: null }])
  assert.deepEqual(
    [faults, isDeleted, existsSync(left)],
    [[{ kind: 'leftover', path: left, detail: 'left behind by a crash' }], true, false],
  )
})

test('a held lock is not reported as a moved ref', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const head = (await store.findBranch(1, 'main'))?.commitId ?? ''
  writeFileSync(path.join(store.gitDir(1), 'refs/heads/main.lock'), '')
  await assert.rejects(store.changeRefs(1, [{ ref: 'refs/heads/main', from: head, to: null }]), /main\.lock/)
})

test('sweepRepositories() makes a branch usable again that a stale lock has blocked', async (t) => {
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
