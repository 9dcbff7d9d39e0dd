import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { prepareFetchFolder, removeAbandonedFetches } from './fetch-folders.ts'

test('a download that a crash interrupted is removed, and one that runs is kept', async (t) => {
  const dataDir = makeFolder(t)
  const [interrupted, running] = [await prepareFetchFolder(dataDir), await prepareFetchFolder(dataDir)]
  for (const dir of [interrupted, running]) {
    await mkdir(dir)
    await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/main\n')
  }
  const earlier = new Date(Date.now() - 3 * 3_600_000)
  await utimes(interrupted, earlier, earlier)
  const count = await removeAbandonedFetches(dataDir)
  const left = (await readdir(join(dataDir, 'tmp/fetches'))).map((name) => join(dataDir, 'tmp/fetches', name))
  assert.deepEqual([count, left], [1, [running]])
})

test('nothing is removed on a host without downloads', async (t) => {
  assert.equal(await removeAbandonedFetches(makeFolder(t)), 0)
})
