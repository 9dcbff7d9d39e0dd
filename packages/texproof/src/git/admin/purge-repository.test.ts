import assert from 'node:assert/strict'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { git } from '../../../test/support/git/git-repository.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { openGitStore } from '../open-git-store.ts'
import { purgeNoticedAfterMs } from './purge-notes.ts'
import { purgeRepository, requirePurgeRoom } from './purge-repository.ts'

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

test('a server removes the partial pack of a purge that failed', { timeout: 60_000 }, async (context) => {
  const root = makeFolder(context)
  const { store, gitDir } = await fill(root)
  const server = await openGitStore({ root })
  context.after(() => Promise.all([store.close(), server.close()]))
  const pack = join(gitDir, 'objects/pack/tmp_pack_interrupted')
  writeFileSync(pack, 'PACK')
  utimesSync(pack, 0, 0)
  writeFileSync(join(gitDir, 'packed-refs'), 'damaged\n')
  await assert.rejects(store.purgeRepository(1), /unexpected line in .*packed-refs/)
  await eventually(() => existsSync(pack), { within: 50_000, until: (exists) => !exists })
})

test('requirePurgeRoom() refuses a purge that would fill the disk', async (context) => {
  const root = makeFolder(context)
  const { store, gitDir } = await fill(root)
  context.after(() => store.close())
  await store.requirePurgeRoom(1)
  const searchPath = makeFolder(context)
  writeFileSync(join(searchPath, 'git'), `#!/bin/sh\necho ${2 ** 60}\n`, { mode: 0o755 })
  await assert.rejects(requirePurgeRoom(gitDir, { searchPath }), {
    code: 'ENOSPC',
    message: /^the disk is full: a purge rewrites the repository, which needs 1048576 TB; .* can be used$/,
  })
})

test('a purge that does not fit on the disk says so', async (context) => {
  const root = makeFolder(context)
  const { store, gitDir } = await fill(root)
  context.after(() => store.close())
  const options = { signal: AbortSignal.timeout(30_000), searchPath: makeFolder(context) }
  const words = "fatal: sha1 file 'tmp_pack_x' write error. Out of diskspace"
  writeFileSync(join(options.searchPath, 'git'), `#!/bin/sh\necho "${words}" >&2; exit 128\n`, { mode: 0o755 })
  await assert.rejects(purgeRepository(gitDir, options), { code: 'ENOSPC', message: `the disk is full: ${words}` })
})
