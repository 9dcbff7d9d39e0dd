import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import { runGit } from '../process/run-git.ts'
import { packRefs } from './pack-refs.ts'

const searchPath = process.env['PATH'] ?? ''
const limits = { searchPath, timeoutMs: 30_000 }

/** A repository with the branch `main`. */
async function openRepository(t: TestContext): Promise<{ readonly gitDir: string; readonly commitId: string }> {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const gitDir = store.gitDir(1)
  return { gitDir, commitId: git(gitDir, ['rev-parse', 'main']) }
}

const listLoose = (gitDir: string): string[] =>
  readdirSync(path.join(gitDir, 'refs'), { recursive: true, encoding: 'utf8' }).toSorted()

const listRefs = (gitDir: string): string[] => git(gitDir, ['for-each-ref', '--format=%(refname)']).split('\n')

test('packRefs() packs branches, tags and internal refs, and removes their files and folders', async (t) => {
  const { gitDir, commitId } = await openRepository(t)
  const names = ['refs/heads/a/b/c', 'refs/heads/grün', 'refs/heads/main', 'refs/tags/v1', 'refs/texproof/deleted/a']
  for (const name of names) git(gitDir, ['update-ref', name, commitId])
  await packRefs(gitDir, limits)
  assert.deepEqual([listLoose(gitDir), listRefs(gitDir)], [['heads', 'tags', 'texproof'], names])
})

test('a ref keeps its file until packed-refs is on disk', async (t) => {
  const { gitDir } = await openRepository(t)
  git(gitDir, ['update-ref', 'refs/heads/next', 'main'])
  const seen: string[][] = []
  const syncFolder = async (folder: string): Promise<void> => {
    seen.push([
      folder,
      readFileSync(path.join(folder, 'packed-refs'), 'utf8').split(' ').at(-1) ?? '',
      ...listLoose(folder),
    ])
    throw new Error('the disk is defective')
  }
  await assert.rejects(packRefs(gitDir, { ...limits, syncFolder }), { message: 'the disk is defective' })
  assert.deepEqual(seen, [[gitDir, 'refs/heads/next\n', 'heads', 'heads/next', 'tags']])
  assert.deepEqual(
    [listLoose(gitDir), existsSync(`${gitDir}/packed-refs.lock`)],
    [['heads', 'heads/next', 'tags'], false],
  )
})

test('packRefs() leaves symbolic refs, and refs that another process has locked', async (t) => {
  const { gitDir, commitId } = await openRepository(t)
  for (const name of ['locked', 'free']) git(gitDir, ['update-ref', `refs/heads/${name}`, commitId])
  git(gitDir, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'])
  writeFileSync(path.join(gitDir, 'refs/heads/locked.lock'), '')
  await packRefs(gitDir, limits)
  assert.deepEqual(listLoose(gitDir), ['heads', 'heads/alias', 'heads/locked', 'heads/locked.lock', 'tags'])
})

test('a ref that moves before its file is removed keeps its new value', async (t) => {
  const { gitDir, commitId } = await openRepository(t)
  const tree = git(gitDir, ['rev-parse', 'main^{tree}'])
  const next = git(gitDir, ['commit-tree', tree, '-p', commitId, '-m', 'Next'])
  git(gitDir, ['update-ref', 'refs/heads/other', commitId])
  await packRefs(gitDir, {
    ...limits,
    syncFolder: async () => void git(gitDir, ['update-ref', 'refs/heads/other', next]),
  })
  assert.deepEqual([listLoose(gitDir), git(gitDir, ['rev-parse', 'other'])], [['heads', 'heads/other', 'tags'], next])
})

test('branches are never absent while they move, and refs are packed', async (t) => {
  const { gitDir, commitId } = await openRepository(t)
  const tree = git(gitDir, ['rev-parse', 'main^{tree}'])
  const packing = Array.from({ length: 3 }, async () => {
    for (let run = 0; run < 10; run += 1) await packRefs(gitDir, limits)
  })
  const found: string[] = []
  const commits: string[] = []
  for (let move = 0, parent = commitId; move < 10; move += 1) {
    parent = git(gitDir, ['commit-tree', tree, '-p', parent, '-m', `Commit ${move}`])
    commits.push(parent)
    // Not with git(), which blocks this process while it holds the locks.
    await runGit(['update-ref', 'refs/heads/a/b', parent], { gitDir, ...limits, maxOutputBytes: 1024 })
    await Promise.race([...packing, new Promise((resolve) => setTimeout(resolve, 20))])
    found.push(git(gitDir, ['rev-parse', 'a/b']))
  }
  await Promise.all(packing)
  assert.deepEqual(found, commits)
})

test('garbage collection removes no file of a ref', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.txt': 'a' }) })
  const gitDir = store.gitDir(1)
  git(gitDir, ['update-ref', 'refs/heads/next', 'main'])
  await store.purgeRepository(1)
  assert.deepEqual(listLoose(gitDir), ['heads', 'heads/next', 'tags'])
})
