import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, makeTestFolder, openTestStore } from '../../../test/support/git/git-repository.ts'
import { openGitStore } from '../open-git-store.ts'
import { createRepository, RepositoryInPlace } from './create-repository.ts'
import { repositoryPath } from './repository-path.ts'

const victim = path.join(import.meta.dirname, '../../../test/support/recovery/create-repository-and-die.ts')

test('createRepository() killed at any step leaves the repository complete or absent, and its id usable', async (t) => {
  const outcomes = new Set<string>()
  for (let step = 1; ; step += 1) {
    const root = makeTestFolder(t)
    const { signal, status } = spawnSync(process.execPath, [...process.execArgv, victim, root, String(step)])
    const store = await openGitStore({ root })
    const isWhole = await store.hasRepository(1)
    outcomes.add(`${signal ?? status} ${isWhole ? 'whole' : 'absent'}`)
    await store.sweep({ olderThanMs: 0 })
    if (!isWhole) {
      await store.createRepository(1, {
        defaultBranch: 'main',
        initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }),
      })
    }
    assert.equal(git(store.gitDir(1), ['fsck', '--strict', '--full']), '')
    assert.equal(git(store.gitDir(1), ['show', 'HEAD:main.tex']), 'Hello.')
    assert.deepEqual(readdirSync(path.join(root, 'tmp')), [])
    await store.close()
    if (signal === null) break
  }
  assert.deepEqual(outcomes, new Set(['SIGKILL absent', 'SIGKILL whole', '0 whole']))
})

test('createRepository() refuses files outside the root folder, and leaves nothing', async (t) => {
  const { store, root } = await openTestStore(t)
  for (const name of ['a/b', '..', '.git', '.GIT', '', 'a\0b']) {
    const settings = { defaultBranch: 'main', initialCommit: initialCommit({ [name]: 'x' }) }
    await assert.rejects(store.createRepository(1, settings))
  }
  assert.deepEqual(readdirSync(path.join(root, 'tmp')), [])
})

test('createRepository() says that the folder is in place if a later step fails', async (t) => {
  const { root } = await openTestStore(t)
  const onStep = (step: string): void => {
    if (step === 'renamed into place') throw new Error(step)
  }
  const creation = createRepository(root, 1, { defaultBranch: 'main', initialCommit: null, onStep })
  await assert.rejects(creation, (error) => error instanceof RepositoryInPlace)
  assert.deepEqual([existsSync(repositoryPath(root, 1)), readdirSync(path.join(root, 'tmp'))], [true, []])
})

test('createRepository() keeps a malicious name and message inside the fields of the commit', async (t) => {
  const { store } = await openTestStore(t)
  const author = { name: 'A> <b@x> 1 +0000\nparent x\n', email: '<a\n@x>', at: 1_500 }
  const commit = { files: new Map([['ü "x".tex', Buffer.from('')]]), author, message: 'one\0\n\ntree x\n\n' }
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: commit })
  const [main] = await store.listBranches(1)
  assert.deepEqual(
    await store.findCommit(1, main?.commitId ?? '').then((found) => [found?.author, found?.parentIds, found?.message]),
    [{ name: 'A b@x 1 +0000parent x', email: 'a@x', at: 1_000 }, [], 'one\n\ntree x'],
  )
  assert.equal(git(store.gitDir(1), ['fsck', '--strict', '--full']), '')
})
