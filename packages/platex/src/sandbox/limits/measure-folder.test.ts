import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { measureFolders } from './measure-folder.ts'
import { removeTree } from '../remove-tree.ts'

const LIMITS = { maxEntries: 100, maxDepth: 3 }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platex-measure-'))
})

afterEach(() => removeTree(folder))

test('measureFolders counts files and folders at every depth', async () => {
  await mkdir(join(folder, 'a/b'), { recursive: true })
  await writeFile(join(folder, 'a/b/file'), 'x')
  assert.equal(measureFolders([folder], LIMITS).entries, 3)
})

test('measureFolders counts the disk usage of a sparse file, not its length', async () => {
  await writeFile(join(folder, 'sparse'), '')
  await truncate(join(folder, 'sparse'), 1_000_000_000)
  assert.equal(measureFolders([folder], LIMITS).bytes < 1_000_000, true)
})

test('measureFolders stops soon after the most entries allowed', async () => {
  for (const name of Array.from({ length: 60 }, (_, index) => `f${index}`)) await mkdir(join(folder, name))
  const { entries } = measureFolders([folder, folder, folder, folder], LIMITS)
  assert.equal(entries, 101)
})

test('measureFolders reports a tree nested too deep as opaque', async () => {
  await mkdir(join(folder, 'a/b/c/d/e'), { recursive: true })
  assert.equal(measureFolders([folder], LIMITS).isOpaque, true)
})

test('measureFolders reports a tree with an unreadable folder as opaque', async (context) => {
  if (process.getuid?.() === 0) return context.skip('root looks into closed folders')
  await mkdir(join(folder, 'closed'))
  await chmod(join(folder, 'closed'), 0o300)
  assert.equal(measureFolders([folder], LIMITS).isOpaque, true)
})

test('measureFolders counts a missing folder as empty', () => {
  assert.deepEqual(measureFolders([join(folder, 'gone')], LIMITS), { entries: 0, bytes: 0, isOpaque: false })
})

test(
  'measureFolders calls a tree opaque whose names may be read but not looked at',
  { skip: process.getuid?.() === 0 && 'root may look at everything' },
  async () => {
    await mkdir(join(folder, 'a'))
    await writeFile(join(folder, 'a/file'), 'x')
    await chmod(join(folder, 'a'), 0o400)
    assert.equal(measureFolders([folder], LIMITS).isOpaque, true)
  },
)
