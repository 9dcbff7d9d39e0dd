import assert from 'node:assert/strict'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { groupMemory } from './available-memory.ts'
import { ownCgroup } from './own-cgroup.ts'
import { removeTree } from '../remove-tree.ts'

const MIB = 1024 * 1024

// Plain folders stand in for the kernel's files.
let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platex-memory-'))
  await mkdir(join(root, 'unit/service'), { recursive: true })
})

afterEach(() => removeTree(root))

async function fill(group: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, group, name), `${content}\n`)
}

test('ownCgroup reads the unified hierarchy and nothing else', () => {
  assert.deepEqual(
    ['0::/system.slice/texproof.service\n', '9:name=systemd:/\n8:pids:/\n', '1:memory:/x\n0::/\n'].map(ownCgroup),
    ['/system.slice/texproof.service', null, '/'],
  )
})

test('groupMemory applies the limit of a unit to a process that moved itself into a group below', async () => {
  await fill('unit', { 'memory.max': `${1024 * MIB}`, 'memory.high': 'max', 'memory.current': `${600 * MIB}` })
  await fill('unit/service', { 'memory.max': 'max', 'memory.high': 'max', 'memory.current': `${500 * MIB}` })
  assert.deepEqual(groupMemory(root, '/unit/service'), { totalBytes: 1024 * MIB, freeBytes: 424 * MIB })
})

test('groupMemory applies the limit of a container to a process that moved itself below its root', async () => {
  await fill('', { 'memory.max': `${512 * MIB}`, 'memory.current': `${12 * MIB}` })
  assert.deepEqual(groupMemory(root, '/service'), { totalBytes: 512 * MIB, freeBytes: 500 * MIB })
})

test('groupMemory takes the lowest limit, and the least free memory, of all groups', async () => {
  await fill('unit', { 'memory.max': `${900 * MIB}`, 'memory.high': `${800 * MIB}`, 'memory.current': `${790 * MIB}` })
  await fill('unit/service', { 'memory.max': `${700 * MIB}`, 'memory.current': `${90 * MIB}` })
  assert.deepEqual(groupMemory(root, '/unit/service'), { totalBytes: 700 * MIB, freeBytes: 10 * MIB })
})

test('groupMemory is without limit if no group has one, and on cgroup v1', async () => {
  await fill('unit', { 'memory.max': 'max', 'memory.current': '5' })
  const unlimited = { totalBytes: Infinity, freeBytes: Infinity }
  assert.deepEqual([groupMemory(root, '/unit/service'), groupMemory(root, null)], [unlimited, unlimited])
})
