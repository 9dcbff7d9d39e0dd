import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'

const program = path.join(import.meta.dirname, '../../../test/support/recovery/read-out-of-descriptors.ts')

test('a failed read of refs throws, and the next read succeeds', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const branches = await store.listBranches(1)
  const gitDir = store.gitDir(1)
  for (const name of ['packed-refs', 'refs/heads', 'refs/tags', 'config']) {
    const place = path.join(gitDir, name)
    renameSync(place, `${place}.kept`)
    // Unreadable for root as well: a loop of symbolic links, or a folder instead of a file.
    if (name === 'packed-refs') mkdirSync(place)
    else symlinkSync(place, place)
    await assert.rejects(store.listBranches(1), /ELOOP|EISDIR/, name)
    rmSync(place, { recursive: true })
    renameSync(`${place}.kept`, place)
    assert.deepEqual(await store.listBranches(1), branches, name)
  }
})

for (const content of ['', '\0'.repeat(41), 'not a commit id\n', '0123456789'])
  test(`a ref file with ${JSON.stringify(content)} is reported with its path, never as a missing or older ref`, async (t) => {
    const { store } = await openTestStore(t)
    await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
    const place = path.join(store.gitDir(1), 'refs/heads/main')
    writeFileSync(place, content)
    const damage = { name: 'DamagedRefError', path: place, message: `the file of a ref is damaged: ${place}` }
    await assert.rejects(store.findBranch(1, 'main'), damage)
    await assert.rejects(store.listBranches(1), damage)
    await assert.rejects(store.findRefs(1, ['refs/heads/main']), damage)
  })

for (const content of ['', '\0'.repeat(106), '# pack-refs with: peeled fully-peeled sorted \n0123456789'])
  test(`packed-refs with ${JSON.stringify(content)} is reported with its path, never as missing refs`, async (t) => {
    const { store } = await openTestStore(t)
    await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
    const place = path.join(store.gitDir(1), 'packed-refs')
    writeFileSync(place, content)
    const damage = { name: 'DamagedRefError', path: place, message: `the file of a ref is damaged: ${place}` }
    await assert.rejects(store.findBranch(1, 'main'), damage)
    await assert.rejects(store.listBranches(1), damage)
    await assert.rejects(store.listTags(1), damage)
  })

test('a repository with an unreadable HEAD is not reported as absent', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const head = path.join(store.gitDir(1), 'HEAD')
  rmSync(head)
  assert.equal(await store.hasRepository(1), false)
  symlinkSync(head, head)
  await assert.rejects(store.hasRepository(1), { code: 'ELOOP' })
})

test('a process without free descriptors fails its reads, stays alive and reads again later', async (t) => {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const commitId = git(store.gitDir(1), ['rev-parse', 'main'])
  const command = 'ulimit -n 128; exec "$0" "$@"'
  const args = ['-c', command, process.execPath, program, root, commitId]
  const { stdout } = await promisify(execFile)('sh', args, { timeout: 60_000 })
  const { starved, fed } = JSON.parse(stdout) as Record<'starved' | 'fed', Record<string, unknown>>
  assert.deepEqual(starved, {
    // Needs no descriptor.
    hasRepository: true,
    listBranches: 'failed',
    listTags: 'failed',
    findCommit: 'failed',
    countCommits: 'failed',
    readPatch: 'failed',
    setDefaultBranch: 'failed',
    changeRefs: 'failed',
    fetch: 127,
    push: 127,
  })
  assert.deepEqual(fed, {
    hasRepository: true,
    listBranches: [{ name: 'main', commitId }],
    listTags: [],
    findCommit: commitId,
    countCommits: 1,
    readPatch: 'text',
    setDefaultBranch: null,
    changeRefs: true,
    fetch: 0,
    push: 0,
  })
})
