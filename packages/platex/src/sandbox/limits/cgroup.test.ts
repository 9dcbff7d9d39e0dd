import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { findDivisible, openCompileGroup } from './cgroup.ts'
import { COMPILE_LIMITS } from './limits.ts'
import { removeTree } from '../remove-tree.ts'

// Plain folders stand in for the kernel's files: the protocol is which values are written to which files.
let root: string
let dir: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platex-cgroup-'))
  dir = join(root, 'ours')
  await mkdir(dir)
})

afterEach(() => removeTree(root))

const control = () => readFile(join(dir, 'cgroup.subtree_control'), 'utf8')

test('findDivisible uses the parent group if the service manager created a subgroup', async () => {
  await mkdir(join(dir, 'service'))
  await writeFile(join(dir, 'cgroup.procs'), '')
  await writeFile(join(dir, 'service/cgroup.procs'), '77\n78\n')
  assert.deepEqual([await findDivisible(root, '/ours/service', 77), await control()], [{ dir }, '+memory +pids'])
})

test('findDivisible divides the own group where permitted', async () => {
  assert.deepEqual([await findDivisible(root, '/ours', 77), await control()], [{ dir }, '+memory +pids'])
})

test('openCompileGroup limits memory, swap and processes, and admits running processes', async () => {
  const group = await openCompileGroup({ dir })
  const [name = ''] = await readdir(dir)
  group.admit(process.pid)
  const files = ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max']
  const contents = await Promise.all(files.map((file) => readFile(join(dir, name, file), 'utf8')))
  assert.deepEqual(contents, [String(COMPILE_LIMITS.memoryBytes), '0', '1', '72'])
  assert.notEqual(await readFile(join(dir, name, 'cgroup.procs'), 'utf8'), '')
})

test('the group of a compile counts memory kills by the kernel', async () => {
  const group = await openCompileGroup({ dir })
  const [name = ''] = await readdir(dir)
  const before = group.countMemoryKills()
  await writeFile(join(dir, name, 'memory.events'), 'low 0\noom 2\noom_kill 3\noom_group_kill 1\n')
  assert.deepEqual([before, group.countMemoryKills()], [0, 3])
})
