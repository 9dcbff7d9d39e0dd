import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, makeTestFolder, openTestStore } from '../../../test/support/git/git-repository.ts'
import { copyRepository } from './copy-repository.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'

const searchPath = defaultSearchPath

async function makeRepository(t: Parameters<typeof openTestStore>[0]) {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  return { gitDir: store.gitDir(1), target: path.join(root, 'copy') }
}

test('a copy has every ref, the default branch and every object, including unreachable commits', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  const tree = git(gitDir, ['rev-parse', 'main^{tree}'])
  const lost = git(gitDir, ['commit-tree', '-m', 'Lost', tree])
  git(gitDir, ['tag', '--annotate', '--message=One', 'v1', 'main'])
  git(gitDir, ['update-ref', 'refs/texproof/deleted/1', 'main'])
  git(gitDir, ['symbolic-ref', 'HEAD', 'refs/heads/later'])
  const copied = await copyRepository(gitDir, { target, searchPath })
  assert.deepEqual(
    [
      copied,
      git(target, ['for-each-ref']),
      git(target, ['symbolic-ref', 'HEAD']),
      git(target, ['cat-file', '-t', lost]),
    ],
    [{ kind: 'copied', damage: null }, git(gitDir, ['for-each-ref']), 'refs/heads/later', 'commit'],
  )
})

test('a copy stays complete when the repository loses everything', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  git(gitDir, ['gc', '--quiet'])
  await copyRepository(gitDir, { target, searchPath })
  rmSync(gitDir, { recursive: true })
  assert.equal(git(target, ['show', 'main:main.tex']), 'Hello.')
})

test('a copy of an empty repository is empty', async (t) => {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const target = path.join(root, 'copy')
  const copied = await copyRepository(store.gitDir(1), { target, searchPath })
  assert.deepEqual([copied, git(target, ['for-each-ref'])], [{ kind: 'copied', damage: null }, ''])
})

test('a repository that no longer exists is reported as gone, and leaves nothing', async (t) => {
  const target = path.join(makeTestFolder(t), 'copy')
  const copied = await copyRepository(path.join(target, '../none.git'), { target, searchPath })
  assert.deepEqual([copied, existsSync(target)], [{ kind: 'gone' }, false])
})

test('a repository that lacks an object is copied as it is, with a report of what is missing', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  const blob = git(gitDir, ['rev-parse', 'main:main.tex'])
  rmSync(path.join(gitDir, 'objects', blob.slice(0, 2), blob.slice(2)))
  const copied = await copyRepository(gitDir, { target, searchPath })
  assert.match(copied.kind === 'copied' ? (copied.damage ?? '') : '', new RegExp(blob))
  assert.equal(git(target, ['for-each-ref']), git(gitDir, ['for-each-ref']))
})

test('a copy without the refs that git cannot read is reported as damaged', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  writeFileSync(path.join(gitDir, 'refs/heads/empty'), '')
  writeFileSync(path.join(gitDir, 'refs/heads/torn'), 'abc')
  const damage = 'git cannot read refs/heads/empty, refs/heads/torn'
  assert.deepEqual(await copyRepository(gitDir, { target, searchPath }), { kind: 'copied', damage })
})

test('a copy of a repository whose packed refs are lost is reported as damaged', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  const file = path.join(gitDir, 'packed-refs')
  writeFileSync(file, '')
  const damage = `${file} is damaged`
  assert.deepEqual(await copyRepository(gitDir, { target, searchPath }), { kind: 'copied', damage })
})

const skip = process.getuid?.() === 0 && 'root can read every folder'
test('copyRepository() rejects when it cannot read a folder of refs', { skip }, async (t) => {
  const { gitDir, target } = await makeRepository(t)
  const folder = path.join(gitDir, 'refs/heads/a')
  mkdirSync(folder, { mode: 0 })
  try {
    await assert.rejects(copyRepository(gitDir, { target, searchPath }), { code: 'EACCES', path: folder })
  } finally {
    chmodSync(folder, 0o700)
  }
})

test('a repository without HEAD is damaged, not gone', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  renameSync(path.join(gitDir, 'HEAD'), path.join(gitDir, 'HEAD.old'))
  assert.deepEqual(await copyRepository(gitDir, { target, searchPath }), { kind: 'copied', damage: 'HEAD is missing' })
})

test('the ref format is removed from the copied configuration, the rest stays', async (t) => {
  const { gitDir, target } = await makeRepository(t)
  git(gitDir, ['config', 'core.sharedRepository', '0600'])
  await copyRepository(gitDir, { target, searchPath })
  assert.equal(readFileSync(path.join(target, 'config'), 'utf8'), readFileSync(path.join(gitDir, 'config'), 'utf8'))
})

test('copyRepository() rejects when git cannot be started, and the process goes on', async (t) => {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const options = { target: path.join(root, 'copy'), searchPath: '/nonexistent' }
  await assert.rejects(copyRepository(store.gitDir(1), options), { code: 'ENOENT' })
  // An error that nobody handles is reported in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
})
