import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { removeTree } from './remove-tree.ts'
import { createWorkspace, removeWorkspace, scratchOf, sweepWorkspaces } from './workspace.ts'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platex-work-'))
})

afterEach(() => removeTree(root))

test('createWorkspace creates an empty document folder beside an empty scratch folder', async () => {
  const workspace = await createWorkspace(root, null)
  assert.deepEqual([await readdir(workspace), await readdir(scratchOf(workspace))], [[], []])
})

test('removeWorkspace removes document and scratch together', async () => {
  await removeWorkspace(await createWorkspace(root, null))
  assert.deepEqual(await readdir(root), [])
})

test('removeWorkspace refuses a folder that is not a workspace', async () => {
  await mkdir(join(root, 'compile'))
  await assert.rejects(removeWorkspace(join(root, 'compile')), /not a workspace/)
})

test('sweepWorkspaces keeps the workspaces of running processes', async () => {
  const workspace = await createWorkspace(root, null)
  assert.deepEqual([await sweepWorkspaces(root), await readdir(root)], [0, [basename(dirname(workspace))]])
})

test('sweepWorkspaces removes the workspaces of processes that ended', async () => {
  const workspace = await createWorkspace(root, null)
  const ended = spawn('true')
  await new Promise((resolve) => ended.once('close', resolve))
  const mine = basename(dirname(workspace))
  execFileSync('mv', [join(root, mine), join(root, mine.replace(`-${process.pid}-`, `-${ended.pid}-`))])
  assert.deepEqual([await sweepWorkspaces(root), await readdir(root)], [1, []])
})

test('sweepWorkspaces removes workspaces of other hosts once they are a day old', async () => {
  const dayMs = 24 * 60 * 60 * 1000
  await mkdir(join(root, 'elsewhere-1-1-abc'))
  await mkdir(join(root, 'elsewhere-1-1-old'))
  const old = new Date(Date.now() - 2 * dayMs)
  await utimes(join(root, 'elsewhere-1-1-old'), old, old)
  assert.deepEqual([await sweepWorkspaces(root), await readdir(root)], [1, ['elsewhere-1-1-abc']])
})

test('sweepWorkspaces keeps everything that is not named like a workspace, however old', async () => {
  const old = new Date(0)
  for (const name of ['thesis', 'thesis-2026', 'elsewhere-1-1']) {
    await mkdir(join(root, name))
    await utimes(join(root, name), old, old)
  }
  assert.deepEqual(
    [await sweepWorkspaces(root), (await readdir(root)).toSorted()],
    [0, ['elsewhere-1-1', 'thesis', 'thesis-2026']],
  )
})
