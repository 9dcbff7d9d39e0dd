import assert from 'node:assert/strict'
import { test } from 'node:test'

import { git, openTestStore } from '../../../test/support/git/git-repository.ts'
import type { ImportedCommit } from '../types.ts'

const author = { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 }

function commit(details: Partial<ImportedCommit>): ImportedCommit {
  const files = new Map([['main.tex', Buffer.from('Tides.\n')]])
  return { branch: 'main', from: null, files, author, message: 'Write\n', tag: null, ...details }
}

test('importCommits() creates branches, tags and unusual paths that pass git fsck', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  await store.importCommits(1, [
    commit({ tag: 'v1' }),
    commit({ files: new Map([['figs/a "b"\\ä.txt', Buffer.from([0, 10, 255])]]), message: 'Draw\n\nLong words.\n' }),
    commit({ branch: 'referee', from: 'main', files: new Map([['main.tex', Buffer.from('Ebb.\n')]]) }),
  ])
  const dir = store.gitDir(1)
  assert.equal(git(dir, ['fsck', '--strict']), '')
  assert.deepEqual(git(dir, ['log', '--all', '--format=%D|%s|%an <%ae> %at']).split('\n').toSorted(), [
    'HEAD -> main|Draw|Alice <alice@example.org> 1700000000',
    'referee|Write|Alice <alice@example.org> 1700000000',
    'tag: v1|Write|Alice <alice@example.org> 1700000000',
  ])
  assert.equal(
    git(dir, ['-c', 'core.quotepath=off', 'ls-tree', '-rz', '--name-only', 'main']),
    'figs/a "b"\\ä.txt\0main.tex\0',
  )
  assert.equal(git(dir, ['show', 'referee:main.tex']), 'Ebb.')
})

test('importCommits() adds nothing if one ref has an invalid name', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  await assert.rejects(store.importCommits(1, [commit({}), commit({ branch: 'a..b' })]), /git does not allow this name/)
  assert.deepEqual(await store.listBranches(1), [])
})
