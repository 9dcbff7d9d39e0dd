import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

import fc from 'fast-check'

import { git, openTestStore } from '../../../test/support/git/git-repository.ts'
import { GitTimeout } from '../process/run-git.ts'
import { parseFileList } from './parse-file-list.ts'
import { readFileList } from './read-file-list.ts'

const author = { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 }

test('parseFileList() returns the same files as listFiles()', async (t) => {
  const { store } = await openTestStore(t)
  const files = new Map(
    ['a.tex', 'b/c d.tex', 'b/é\n.tex', 'b-1.tex'].map((path, n) => [path, Buffer.from('x'.repeat(n))] as const),
  )
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  await store.importCommits(1, [{ branch: 'main', from: null, files, author, message: 'Add', tag: null }])
  const commitId = (await store.findBranch(1, 'main'))?.commitId ?? ''
  const list = await store.readFileList(1, commitId)
  assert.deepEqual(list && parseFileList(list, { maxFiles: 4 }), await store.listFiles(1, commitId, { maxFiles: 4 }))
})

test('readFileList() throws when git cannot read the repository, and has the list later', async (t) => {
  const { store } = await openTestStore(t)
  const files = new Map([['a.tex', Buffer.from('x')]])
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  await store.importCommits(1, [{ branch: 'main', from: null, files, author, message: 'Add', tag: null }])
  const commitId = (await store.findBranch(1, 'main'))?.commitId ?? ''
  const head = join(store.gitDir(1), 'HEAD')
  await rename(head, `${head}.away`)
  await assert.rejects(store.readFileList(1, commitId), { message: /^list files: git ended with 128: / })
  await rename(`${head}.away`, head)
  assert.notEqual(await store.readFileList(1, commitId), null)
})

test('readFileList() returns null for a list that is too long, and throws when git is stopped', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const gitDir = store.gitDir(1)
  // Ten million paths of thousands of characters, in nine objects.
  let entry = `100644 blob ${git(gitDir, ['hash-object', '-w', '--stdin'])}`
  for (let depth = 0; depth < 7; depth += 1) {
    const input = Array.from({ length: 10 }, (_, at) => `${entry}\t${at}${'x'.repeat(250)}\n`).join('')
    entry = `040000 tree ${git(gitDir, ['mktree'], { input })}`
  }
  const commitId = git(gitDir, ['commit-tree', '-m', 'Add', entry.slice(-40)])
  const how = { commitId, searchPath: process.env['PATH'] ?? '' }

  assert.equal(await readFileList(gitDir, { ...how, signal: new AbortController().signal }), null)
  await assert.rejects(readFileList(gitDir, { ...how, signal: AbortSignal.abort() }), GitTimeout)
})

test('parseFileList() returns null for more files than its limit', () => {
  const list = Buffer.from(`100644 blob ${'a'.repeat(40)}       3\tx\0`.repeat(3))
  assert.deepEqual([parseFileList(list, { maxFiles: 2 }), parseFileList(list, { maxFiles: 3 })?.length], [null, 3])
})

test('parseFileList() accepts any bytes', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseFileList(bytes, { maxFiles: 10 })))
})
