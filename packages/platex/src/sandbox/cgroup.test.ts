import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { divideCgroup, openRunCgroup, ownCgroup } from './cgroup.ts'
import { removeTree } from './remove-tree.ts'

// Plain folders take the kernel's files here: what is written where is the whole protocol.
let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'platex-cgroup-'))
})

afterEach(() => removeTree(dir))

test('ownCgroup reads the unified hierarchy and nothing else', () => {
  assert.deepEqual(
    ['0::/system.slice/texproof.service\n', '9:name=systemd:/\n8:pids:/\n', '1:memory:/x\n0::/\n'].map(ownCgroup),
    ['/system.slice/texproof.service', null, '/'],
  )
})

test('divideCgroup moves a lonely process into a group of its own and limits the others', async () => {
  await writeFile(join(dir, 'cgroup.procs'), '77\n')
  assert.deepEqual(await divideCgroup(dir, 77), { dir })
  assert.deepEqual(
    [
      await readFile(join(dir, 'service/cgroup.procs'), 'utf8'),
      await readFile(join(dir, 'cgroup.subtree_control'), 'utf8'),
    ],
    ['77', '+memory +pids'],
  )
})

test('divideCgroup leaves a group alone that others are in', async () => {
  await writeFile(join(dir, 'cgroup.procs'), '77\n78\n')
  assert.deepEqual([await divideCgroup(dir, 77), await readdir(dir)], [null, ['cgroup.procs']])
})

test('divideCgroup uses the parent when the service manager made the group of its own', async () => {
  await mkdir(join(dir, 'service'))
  await writeFile(join(dir, 'cgroup.procs'), '')
  await writeFile(join(dir, 'service/cgroup.procs'), '77\n78\n')
  assert.deepEqual(await divideCgroup(join(dir, 'service'), 77), { dir })
})

test('openRunCgroup limits memory, swap and processes, and takes in what runs', async () => {
  const group = await openRunCgroup({ dir })
  const [name = ''] = await readdir(dir)
  group.enter(process.pid)
  const files = ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max']
  const contents = await Promise.all(files.map((file) => readFile(join(dir, name, file), 'utf8')))
  assert.deepEqual(contents, [String(1536 * 1024 * 1024), '0', '1', '72'])
  assert.notEqual(await readFile(join(dir, name, 'cgroup.procs'), 'utf8'), '')
})

test('closing the group of a run tells that the kernel ended something for memory', async () => {
  const group = await openRunCgroup({ dir })
  const [name = ''] = await readdir(dir)
  await writeFile(join(dir, name, 'memory.events'), 'low 0\noom 2\noom_kill 1\n')
  assert.deepEqual(await group.close(), { ranOutOfMemory: true })
})
