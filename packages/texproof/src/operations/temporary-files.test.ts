import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../test/support/make-folder.ts'
import { prepareFetchFolder, removeAbandonedFiles, temporaryFolder } from './temporary-files.ts'

const earlier = new Date(Date.now() - 3 * 3_600_000)

test('a download that a crash interrupted is removed, and one that runs is kept', async (t) => {
  const dataDir = makeFolder(t)
  const [interrupted, running] = [await prepareFetchFolder(dataDir), await prepareFetchFolder(dataDir)]
  for (const dir of [interrupted, running]) {
    await mkdir(dir)
    await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/main\n')
  }
  await utimes(interrupted, earlier, earlier)
  const count = await removeAbandonedFiles(dataDir)
  const left = (await readdir(join(dataDir, 'tmp/fetches'))).map((name) => join(dataDir, 'tmp/fetches', name))
  assert.deepEqual([count, left], [1, [running]])
})

test('packages and uploads of ended processes are removed, and those that are in use are kept', async (t) => {
  const dataDir = makeFolder(t)
  for (const purpose of ['exports', 'imports'] as const) {
    const folder = temporaryFolder(dataDir, purpose)
    await mkdir(folder, { recursive: true })
    for (const name of ['abandoned', 'used']) await writeFile(join(folder, name), 'zip')
    await utimes(join(folder, 'abandoned'), earlier, earlier)
  }
  const count = await removeAbandonedFiles(dataDir)
  const left = await Promise.all(['exports', 'imports'].map((name) => readdir(join(dataDir, 'tmp', name))))
  assert.deepEqual([count, left], [2, [['used'], ['used']]])
})

test('nothing is removed on a host without temporary files', async (t) => {
  assert.equal(await removeAbandonedFiles(makeFolder(t)), 0)
})
