import assert from 'node:assert/strict'
import { test } from 'node:test'

import { initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import { readChangedFiles } from './read-patch.ts'

const unknown = '1'.repeat(40)

test('listCommits() returns a page of the history, and null for a commit that does not exist', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.tex': 'a\n' }) })
  const id = (await store.findBranch(1, 'main'))?.commitId ?? ''
  const listed = await store.listCommits(1, id, { offset: 0, limit: 10 })
  assert.deepEqual(
    [
      listed,
      await store.listCommits(1, id, { offset: 1, limit: 10 }),
      await store.listCommits(1, unknown, { offset: 0, limit: 1 }),
    ],
    [[await store.findCommit(1, id)], [], null],
  )
})

test('readPatch() accepts only ids', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.tex': 'a\n' }) })
  const kinds = await Promise.all(
    ['--output=/tmp/x', 'main', unknown].map(
      async (toCommitId) => (await store.readPatch(1, { fromCommitId: null, toCommitId })).kind,
    ),
  )
  assert.deepEqual(kinds, ['missing', 'missing', 'missing'])
})

test('readChangedFiles() returns null for more files than a change may have', () => {
  const list = (count: number) => Buffer.from(`${'1\t0\ta\0'.repeat(count)}\0`)
  assert.deepEqual([readChangedFiles(list(5_000))?.files.length, readChangedFiles(list(5_001))], [5_000, null])
})
