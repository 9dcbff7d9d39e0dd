import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { removeTree } from './remove-tree.ts'

let parent: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'platex-remove-'))
})

afterEach(() => removeTree(parent))

test('removeTree removes folders that the document closed', async () => {
  await mkdir(join(parent, 'victim/a/b'), { recursive: true })
  await writeFile(join(parent, 'victim/a/b/file'), '')
  await chmod(join(parent, 'victim/a/b'), 0o000)
  await chmod(join(parent, 'victim/a'), 0o300)
  await removeTree(join(parent, 'victim'))
  assert.deepEqual(await readdir(parent), [])
})

test('removeTree removes folders nested beyond the longest path', async () => {
  await mkdir(join(parent, 'victim'))
  execFileSync('perl', [
    '-e',
    'chdir shift; for (1 .. 1500) { mkdir "nested"; chdir "nested" }',
    join(parent, 'victim'),
  ])
  await removeTree(join(parent, 'victim'))
  assert.deepEqual(await readdir(parent), [])
})

test('removeTree removes names that are not UTF-8', async () => {
  await mkdir(join(parent, 'victim'))
  await writeFile(Buffer.concat([Buffer.from(`${parent}/victim/`), Buffer.from([0xff, 0xfe, 0x80])]), '')
  await removeTree(join(parent, 'victim'))
  assert.deepEqual(await readdir(parent), [])
})

test('removeTree removes a link and keeps its target', async () => {
  await mkdir(join(parent, 'kept'))
  await writeFile(join(parent, 'kept/file'), '')
  await mkdir(join(parent, 'victim'))
  await symlink(join(parent, 'kept'), join(parent, 'victim/link'))
  await removeTree(join(parent, 'victim'))
  assert.deepEqual(await readdir(join(parent, 'kept')), ['file'])
})

test('removeTree accepts a missing path', async () => {
  assert.equal(await removeTree(join(parent, 'absent')), undefined)
})

test('removeTree works concurrently on the same tree', async () => {
  const victim = join(parent, 'victim')
  for (let n = 0; n < 60; n += 1) {
    await mkdir(join(victim, String(n % 20), 'deep'), { recursive: true })
    await writeFile(join(victim, String(n % 20), `deep/${n}`), '')
  }
  await Promise.all(Array.from({ length: 8 }, () => removeTree(victim)))
  assert.deepEqual(await readdir(parent), [])
})
