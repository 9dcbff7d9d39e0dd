import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { commitRepeatedFolders } from '../../../test/support/git/commit-repeated-folders.ts'
import { git, openTestStore } from '../../../test/support/git/git-repository.ts'
import type { GitStore } from '../types.ts'

async function openBomb(
  t: TestContext,
): Promise<{ readonly store: GitStore; readonly bomb: string; readonly next: string }> {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const gitDir = store.gitDir(1)
  const bomb = commitRepeatedFolders(gitDir)
  const next = git(gitDir, ['commit-tree', '-m', 'Next', '-p', bomb, git(gitDir, ['mktree'])])
  return { store, bomb, next }
}

test('the change of a commit with billions of paths is too costly to show', async (t) => {
  const { store, bomb, next } = await openBomb(t)
  assert.deepEqual(
    [
      await store.readPatch(1, { fromCommitId: null, toCommitId: bomb }),
      await store.readPatch(1, { fromCommitId: bomb, toCommitId: next }),
      await store.listChanges(1, { fromCommitId: bomb, toCommitId: next, path: '' }),
    ],
    [{ kind: 'too-costly' }, { kind: 'too-costly' }, null],
  )
})

test('the last commits of a folder with billions of paths are omitted', async (t) => {
  const { store, next } = await openBomb(t)
  assert.deepEqual(await store.findLastCommits(1, { commitId: next, path: '', names: ['missing'] }), new Map())
})

for (const format of ['zip', 'tar.gz'] as const) {
  test(`billions of paths are too many for an archive as ${format}`, async (t) => {
    const { store, bomb } = await openBomb(t)
    assert.equal(await store.openArchive(1, { commitId: bomb, format, folder: 'bomb' }), null)
  })
}
