import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { removeTree } from '../remove-tree.ts'
import { sweepUnusedFolders } from './cache-folder.ts'

const CURRENT = '0123456789abcdef'
const EARLIER = 'fedcba9876543210'

/** A cache folder with empty folders last used the given number of days ago. */
async function cacheWith(context: TestContext, folders: Readonly<Record<string, number>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'platex-cache-'))
  context.after(() => removeTree(dir))
  for (const [name, days] of Object.entries(folders)) {
    const usedAt = new Date(Date.now() - days * 24 * 60 * 60 * 1000)
    await mkdir(join(dir, name))
    await utimes(join(dir, name), usedAt, usedAt)
  }
  return dir
}

test('sweepUnusedFolders removes folders of other installations unused for 30 days', async (context) => {
  const dir = await cacheWith(context, {
    [`fonts-${CURRENT}`]: 90,
    [`fonts-${EARLIER}`]: 31,
    [`fonts-unconfined-${EARLIER}`]: 31,
    [`formats-${EARLIER}`]: 29,
    [`made-fonts-${EARLIER}`]: 31,
    [`pictures-${EARLIER}-unconfined`]: 31,
    [`programs-${EARLIER}`]: 31,
    [`supplement-${EARLIER}`]: 31,
    [`unconfined-tectonic-${EARLIER}-trees`]: 31,
    work: 90,
    'papers-of-alice': 90,
  })
  await sweepUnusedFolders(dir, [CURRENT])
  assert.deepEqual((await readdir(dir)).toSorted(), [
    `fonts-${CURRENT}`,
    `formats-${EARLIER}`,
    'papers-of-alice',
    'work',
  ])
})

test('sweepUnusedFolders marks the folders of the current installation as used', async (context) => {
  const dir = await cacheWith(context, { [`programs-${CURRENT}`]: 90 })
  await sweepUnusedFolders(dir, [CURRENT])
  await sweepUnusedFolders(dir, [EARLIER])
  assert.deepEqual(await readdir(dir), [`programs-${CURRENT}`])
})
