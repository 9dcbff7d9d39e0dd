import assert from 'node:assert/strict'
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'

async function openRepository(t: TestContext) {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const commitId = (await store.findBranch(1, 'main'))?.commitId ?? ''
  return { store, commitId, gitDir: store.gitDir(1) }
}

const OTHER = '1'.repeat(40)

test('changeRefs() creates, moves and deletes refs in one transaction', async (t) => {
  const { store, commitId } = await openRepository(t)
  const kept = 'refs/texproof/deleted/1'
  const made = await store.changeRefs(1, [{ ref: 'refs/heads/feature/a', from: null, to: commitId }])
  const exchanged = await store.changeRefs(1, [
    { ref: 'refs/heads/feature/a', from: commitId, to: null },
    { ref: 'refs/heads/copy', from: null, to: commitId },
    { ref: kept, from: null, to: commitId },
  ])
  assert.deepEqual(
    [made, exchanged, await store.listBranches(1)],
    [
      true,
      true,
      [
        { name: 'copy', commitId },
        { name: 'main', commitId },
      ],
    ],
  )
})

test('changeRefs() changes nothing if one ref does not have the expected value', async (t) => {
  const { store, commitId } = await openRepository(t)
  const before = await store.listBranches(1)
  const make = { ref: 'refs/heads/new', from: null, to: commitId }
  const outcomes = [
    await store.changeRefs(1, [make, { ref: 'refs/heads/main', from: OTHER, to: null }]),
    await store.changeRefs(1, [make, { ref: 'refs/heads/main', from: null, to: commitId }]),
    await store.changeRefs(1, [make, { ref: 'refs/heads/main/sub', from: null, to: commitId }]),
    await store.changeRefs(1, [{ ref: 'refs/heads/none', from: null, to: OTHER }]),
  ]
  assert.deepEqual([outcomes, await store.listBranches(1)], [[false, false, false, false], before])
})

test('changeRefs() fails for a ref that git cannot read, which is not a moved one', async (t) => {
  const { store, commitId, gitDir } = await openRepository(t)
  writeFileSync(path.join(gitDir, 'refs/heads/empty'), '')
  symlinkSync('loop', path.join(gitDir, 'refs/heads/loop'))
  for (const ref of ['refs/heads/empty', 'refs/heads/loop'])
    await assert.rejects(store.changeRefs(1, [{ ref, from: commitId, to: null }]), /unable to resolve reference/)
})

test('changeRefs() accepts only branches, tags and internal refs of the host', async (t) => {
  const { store, commitId } = await openRepository(t)
  const names = [
    'HEAD',
    'refs/heads/-x',
    'refs/texproof/x',
    'refs/texproof/deleted/../x',
    'refs/heads/a\0b',
    'refs/notes/x',
  ]
  for (const ref of names) await assert.rejects(store.changeRefs(1, [{ ref, from: null, to: commitId }]), ref)
  await assert.rejects(store.changeRefs(1, [{ ref: 'refs/heads/x', from: null, to: 'main' }]))
})

test('internal refs survive garbage collection', async (t) => {
  const { store, commitId, gitDir } = await openRepository(t)
  await store.changeRefs(1, [
    { ref: 'refs/texproof/deleted/7', from: null, to: commitId },
    { ref: 'refs/heads/main', from: commitId, to: null },
  ])
  git(gitDir, ['gc', '--quiet', '--prune=now'])
  assert.equal((await store.findCommit(1, commitId))?.commitId, commitId)
  assert.deepEqual(await store.listBranches(1), [])
})
