import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'

async function openRepository(t: TestContext) {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  return { store, gitDir: store.gitDir(1), head: path.join(store.gitDir(1), 'HEAD') }
}

test('setDefaultBranch() writes HEAD like git, and only if it changes', async (t) => {
  const { store, gitDir, head } = await openRepository(t)
  const before = statSync(head).ino
  await store.setDefaultBranch(1, 'main')
  const unchanged = statSync(head).ino
  await store.setDefaultBranch(1, 'café')
  assert.deepEqual(
    [unchanged, git(gitDir, ['symbolic-ref', 'HEAD']), existsSync(`${head}.lock`)],
    [before, 'refs/heads/café', false],
  )
})

for (const [name, damage] of Object.entries({
  empty: (head: string) => writeFileSync(head, ''),
  absent: (head: string) => rmSync(head),
  garbage: (head: string) => writeFileSync(head, Buffer.alloc(21)),
})) {
  test(`repairHead() repairs a HEAD that is ${name}`, async (t) => {
    const { store, gitDir, head } = await openRepository(t)
    damage(head)
    assert.throws(() => git(gitDir, ['rev-parse', '--verify', 'main']))
    const outcomes = [await store.repairHead(1, 'main'), await store.repairHead(1, 'main')]
    assert.deepEqual([outcomes, git(gitDir, ['rev-parse', '--abbrev-ref', 'HEAD'])], [[true, false], 'main'])
  })
}

test('repairHead() keeps a HEAD at another branch, and creates no repository', async (t) => {
  const { store, head } = await openRepository(t)
  assert.deepEqual(
    [await store.repairHead(1, 'other'), readFileSync(head, 'utf8'), await store.repairHead(9, 'main')],
    [false, 'ref: refs/heads/main\n', false],
  )
  assert.equal(existsSync(store.gitDir(9)), false)
})
