import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'

test('revertTornRefs() removes only empty files of new refs, which can be created again', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const gitDir = store.gitDir(1)
  const commitId = git(gitDir, ['rev-parse', 'main'])
  git(gitDir, ['update-ref', 'refs/heads/good', commitId])
  git(gitDir, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'])
  writeFileSync(path.join(gitDir, 'refs/heads/empty'), '')
  writeFileSync(path.join(gitDir, 'refs/tags/zeros'), '\0'.repeat(41))

  const names = ['heads/empty', 'tags/zeros', 'heads/good', 'heads/alias', 'heads/main', 'heads/none', '../config']
  await store.revertTornRefs(
    1,
    names.map((name) => ({ ref: `refs/${name}`, oldCommitId: null, newCommitId: commitId })),
  )

  git(gitDir, ['update-ref', 'refs/heads/empty', commitId, '0'.repeat(40)])
  assert.deepEqual(git(gitDir, ['for-each-ref', '--format=%(refname)']).split('\n'), [
    'refs/heads/alias',
    'refs/heads/empty',
    'refs/heads/good',
    'refs/heads/main',
  ])
})

test('revertTornRefs() reverts refs whose new commit is missing', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const gitDir = store.gitDir(1)
  const commitId = git(gitDir, ['rev-parse', 'main'])
  const missing = 'a'.repeat(40)
  for (const name of ['new', 'moved', 'other']) writeFileSync(path.join(gitDir, 'refs/heads', name), `${missing}\n`)

  await store.revertTornRefs(1, [
    { ref: 'refs/heads/new', oldCommitId: null, newCommitId: missing },
    { ref: 'refs/heads/moved', oldCommitId: commitId, newCommitId: missing },
    { ref: 'refs/heads/other', oldCommitId: commitId, newCommitId: 'b'.repeat(40) },
  ])

  const left = ['moved', 'new', 'other'].map((name) => path.join(gitDir, 'refs/heads', name))
  assert.deepEqual(
    left.map((file) => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null)),
    [commitId, null, missing],
  )
})

test('revertTornRefs() keeps the file of a ref that it cannot restore', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const file = path.join(store.gitDir(1), 'refs/heads/torn')
  writeFileSync(file, '')

  const moves = [{ ref: 'refs/heads/torn', oldCommitId: 'a'.repeat(40), newCommitId: 'b'.repeat(40) }]
  await assert.rejects(store.revertTornRefs(1, moves), /its old commit a{40} is missing/)

  assert.equal(existsSync(file), true)
})

test('revertTornRefs() fails if git cannot look for the new commit', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const gitDir = store.gitDir(1)
  const newCommitId = 'a'.repeat(40)
  writeFileSync(path.join(gitDir, 'refs/heads/new'), `${newCommitId}\n`)
  writeFileSync(path.join(gitDir, 'config'), '[damaged')

  const moves = [{ ref: 'refs/heads/new', oldCommitId: null, newCommitId }]
  await assert.rejects(store.revertTornRefs(1, moves), /look for a{40}/)
})
