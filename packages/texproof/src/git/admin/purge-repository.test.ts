import assert from 'node:assert/strict'
import { test } from 'node:test'

import { git } from '../../../test/support/git/git-repository.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { openGitStore } from '../open-git-store.ts'
import { purgeNoticedAfterMs } from './purge-notes.ts'

/** A repository with a commit on `main`, one that only an internal ref reaches, and one without references. */
async function fill(root: string) {
  const store = await openGitStore({ root })
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const gitDir = store.gitDir(1)
  const tree = git(gitDir, ['hash-object', '-t', 'tree', '-w', '--stdin'])
  const commit = (words: string, ...parents: readonly string[]): string =>
    git(gitDir, ['commit-tree', tree, '-m', words, ...parents.flatMap((parent) => ['-p', parent])])
  const [main, hidden, loose] = [commit('main'), commit('hidden'), commit('loose')]
  git(gitDir, ['update-ref', 'refs/heads/main', main])
  git(gitDir, ['update-ref', 'refs/texproof/deleted/7', hidden])
  return { store, gitDir, main, hidden, loose }
}

test('listUnreachableCommits() lists commits that no branch and no tag reaches, including commits of internal refs', async (context) => {
  const { store, hidden, loose } = await fill(makeFolder(context))
  context.after(() => store.close())
  const found = await store.listUnreachableCommits(1)
  const expected = [
    { id: hidden, date: '2023-11-14', subject: 'hidden' },
    { id: loose, date: '2023-11-14', subject: 'loose' },
  ]
  assert.deepEqual(
    found,
    expected.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
  )
})

test('purgeRepository() removes them, and every open store notices', async (context) => {
  const root = makeFolder(context)
  const { store, gitDir, main, hidden, loose } = await fill(root)
  const server = await openGitStore({ root })
  context.after(() => Promise.all([store.close(), server.close()]))
  const ids = [main, hidden, loose]
  const before = await Promise.all(ids.map((id) => server.findCommit(1, id)))
  await store.purgeRepository(1)
  await new Promise((resolve) => setTimeout(resolve, purgeNoticedAfterMs))
  const after = await Promise.all(ids.map((id) => server.findCommit(1, id)))
  assert.deepEqual(
    [before, after].map((commits) => commits.map((commit) => commit !== null)),
    [
      [true, true, true],
      [true, false, false],
    ],
  )
  assert.deepEqual(git(gitDir, ['for-each-ref', '--format=%(refname)']), 'refs/heads/main')
})
