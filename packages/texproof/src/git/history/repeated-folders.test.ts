import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { git, openTestStore } from '../../../test/support/git/git-repository.ts'
import type { GitStore } from '../types.ts'

/** Ten copies of a folder in each of nine levels: ten billion paths in eleven objects, for which git needs gigabytes. */
async function openBomb(
  t: TestContext,
): Promise<{ readonly store: GitStore; readonly bomb: string; readonly next: string }> {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const gitDir = store.gitDir(1)
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'x' })
  const tree = (line: (n: number) => string): string =>
    git(gitDir, ['mktree'], { input: Array.from({ length: 10 }, (_, n) => `${line(n)}\n`).join('') })
  let top = tree((n) => `100644 blob ${blob}\t${n}.tex`)
  for (let level = 0; level < 9; level += 1) {
    const below = top
    top = tree((n) => `040000 tree ${below}\td${n}`)
  }
  const bomb = git(gitDir, ['commit-tree', '-m', 'Bomb', top])
  const next = git(gitDir, ['commit-tree', '-m', 'Next', '-p', bomb, git(gitDir, ['mktree'])])
  return { store, bomb, next }
}

test('the change of a commit with billions of paths is too large to show', async (t) => {
  const { store, bomb, next } = await openBomb(t)
  assert.deepEqual(
    [
      await store.readPatch(1, { fromCommitId: null, toCommitId: bomb }),
      await store.readPatch(1, { fromCommitId: bomb, toCommitId: next }),
      await store.listChanges(1, { fromCommitId: bomb, toCommitId: next, path: '' }),
    ],
    [{ kind: 'too-large' }, { kind: 'too-large' }, null],
  )
})

test('the last commits of a folder with billions of paths are omitted', async (t) => {
  const { store, next } = await openBomb(t)
  assert.deepEqual(await store.findLastCommits(1, { commitId: next, path: '', names: ['missing'] }), new Map())
})

for (const format of ['zip', 'tar.gz'] as const) {
  test(`an archive of billions of paths as ${format} fails for lack of memory`, async (t) => {
    const { store, bomb } = await openBomb(t)
    const { body, ended } = store.openArchive(1, { commitId: bomb, format, folder: 'bomb' })
    await assert.rejects(new Response(body).arrayBuffer(), /archive: git ended with 128: fatal: Out of memory/)
    await ended
  })
}
