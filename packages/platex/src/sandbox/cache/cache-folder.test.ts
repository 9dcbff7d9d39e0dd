import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { removeTree } from '../remove-tree.ts'
import { findClosedFolder, openCacheFolder, prepareFolderOnce, sweepUnusedFolders } from './cache-folder.ts'

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
    [`short-lists-${EARLIER}`]: 31,
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

test('openCacheFolder fails if the folder of temporary files accepts no folders', async (context) => {
  const { TMPDIR: before } = process.env
  context.after(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  process.env['TMPDIR'] = '/proc'
  await assert.rejects(openCacheFolder(null, null), { code: 'ENOENT' })
})

test('prepareFolderOnce fills a folder once for callers that want it at the same time', async (context) => {
  const folder = join(await cacheWith(context, {}), `fonts-${CURRENT}`)
  let fillCount = 0
  const prepare = (): Promise<void> =>
    prepareFolderOnce(folder, async (draft) => writeFile(join(draft, 'index'), `${(fillCount += 1)}`))
  await Promise.all([prepare(), prepare(), prepare()])
  assert.equal(await readFile(join(folder, 'index'), 'utf8'), '1')
})

test('prepareFolderOnce leaves the folder to the next caller if the first one fails', async (context) => {
  const dir = await cacheWith(context, {})
  const folder = join(dir, `fonts-${CURRENT}`)
  const second = Promise.withResolvers<void>()
  const first = prepareFolderOnce(folder, async () => {
    const fill = async (draft: string): Promise<void> => writeFile(join(draft, 'index'), 'complete')
    second.resolve(prepareFolderOnce(folder, fill))
    throw new Error('disk full')
  })
  // The first caller succeeds too if the second one is faster than the removal of what the first had begun.
  await first.catch((error: unknown) => assert.deepEqual(error, new Error('disk full')))
  await second.promise
  assert.deepEqual([await readdir(dir), await readdir(folder)], [[`fonts-${CURRENT}`], ['index']])
})

test('prepareFolderOnce does not wait for a process that has ended', async (context) => {
  const ended = spawnSync('true').pid
  const dir = await cacheWith(context, { [`fonts-${CURRENT}.draft-${Date.now() - 1000}-${ended}-aBcDeF`]: 0 })
  await prepareFolderOnce(join(dir, `fonts-${CURRENT}`), async () => {})
  assert.ok((await readdir(dir)).includes(`fonts-${CURRENT}`))
})

test('prepareFolderOnce links what is in the default cache folder of this user instead of making it again', async (context) => {
  const name = `programs-${randomBytes(8).toString('hex')}`
  const prepared = join(await openCacheFolder(null, null), name)
  context.after(() => removeTree(prepared))
  await mkdir(join(prepared, 'fonts'), { recursive: true })
  await writeFile(join(prepared, 'fonts', 'stub'), 'prepared')
  await symlink('fonts/stub', join(prepared, 'alias'))
  const folder = join(await cacheWith(context, {}), name)
  await prepareFolderOnce(folder, () => Promise.reject(new Error('made again')))
  const [linked, original] = await Promise.all([folder, prepared].map((each) => stat(join(each, 'fonts', 'stub'))))
  assert.deepEqual(
    [(await readdir(folder)).toSorted(), await readFile(join(folder, 'alias'), 'utf8'), linked?.ino],
    [['alias', 'fonts'], 'prepared', original?.ino],
  )
})

test('findClosedFolder returns the topmost folder on the path that other users cannot enter', async (context) => {
  const dir = await cacheWith(context, {})
  await chmod(dir, 0o711)
  const folder = join(dir, 'closed', 'also-closed', 'cache')
  await mkdir(folder, { recursive: true })
  const open = await findClosedFolder(folder)
  await chmod(join(dir, 'closed'), 0o700)
  await chmod(join(dir, 'closed', 'also-closed'), 0o700)
  assert.deepEqual([open, await findClosedFolder(folder)], [null, join(dir, 'closed')])
})
