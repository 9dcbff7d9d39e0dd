import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'

test('removeTornRefs() removes only empty ref files, which can be created again', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const gitDir = store.gitDir(1)
  const commitId = git(gitDir, ['rev-parse', 'main'])
  git(gitDir, ['update-ref', 'refs/heads/good', commitId])
  git(gitDir, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'])
  writeFileSync(path.join(gitDir, 'refs/heads/empty'), '')
  writeFileSync(path.join(gitDir, 'refs/tags/zeros'), '\0'.repeat(41))

  const names = ['heads/empty', 'tags/zeros', 'heads/good', 'heads/alias', 'heads/main', 'heads/none', '../config']
  await store.removeTornRefs(
    1,
    names.map((name) => `refs/${name}`),
  )

  git(gitDir, ['update-ref', 'refs/heads/empty', commitId, '0'.repeat(40)])
  assert.deepEqual(git(gitDir, ['for-each-ref', '--format=%(refname)']).split('\n'), [
    'refs/heads/alias',
    'refs/heads/empty',
    'refs/heads/good',
    'refs/heads/main',
  ])
})
