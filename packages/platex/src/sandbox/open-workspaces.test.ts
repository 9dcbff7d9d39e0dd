import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWorkspaces } from './open-workspaces.ts'

test('a workspace shares the memory of its compile although the other one is removed while it is created', async (t) => {
  const workRoot = await mkdtemp(join(tmpdir(), 'workspaces-'))
  t.after(() => rm(workRoot, { recursive: true }))
  const workspaces = openWorkspaces({ workRoot, owner: null, maker: null, cgroup: null })
  const first = await workspaces.create()
  const { compile } = workspaces.find(first)
  const creating = workspaces.create({ bytes: 0, entries: 0 }, first)
  await workspaces.remove(first)
  const second = await creating
  const unrelated = await workspaces.create()
  assert.equal(workspaces.find(second).compile, compile)
  assert.notEqual(workspaces.find(unrelated).compile, compile)
})

test('workspaces of two sandboxes do not share their memory', async (t) => {
  const workRoot = await mkdtemp(join(tmpdir(), 'workspaces-'))
  t.after(() => rm(workRoot, { recursive: true }))
  const open = async (): Promise<string> => {
    const workspaces = openWorkspaces({ workRoot, owner: null, maker: null, cgroup: null })
    return workspaces.find(await workspaces.create()).compile
  }
  assert.notEqual(await open(), await open())
})
