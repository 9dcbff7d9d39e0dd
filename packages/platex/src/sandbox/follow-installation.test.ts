import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openSandbox } from './open-sandbox.ts'

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platex-installation-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a sandbox runs what was installed while it is open', async (t) => {
  const folder = await makeFolder(t)
  const programs = join(folder, 'programs')
  await mkdir(programs)
  await writeFile(join(programs, 'synctex'), '#!/bin/sh\necho old\n', { mode: 0o755 })
  const sandbox = await openSandbox('auto', {
    cacheDir: join(folder, 'cache'),
    searchPath: `${programs}:${process.env['PATH']}`,
  })
  const run = async (program: string): Promise<string> => {
    const workspaceDir = await sandbox.createWorkspace()
    const { stdout } = await sandbox.run({ program, args: [] }, { workspaceDir, timeoutMs: 30_000 })
    await sandbox.removeWorkspace(workspaceDir)
    return new TextDecoder().decode(stdout)
  }
  const before = await run('synctex')
  await writeFile(join(programs, 'synctex'), '#!/bin/sh\necho replaced\n', { mode: 0o755 })
  await writeFile(join(programs, 'upmendex'), '#!/bin/sh\necho new\n', { mode: 0o755 })
  await sandbox.refresh()
  assert.deepEqual([before, await run('synctex'), await run('upmendex')], ['old\n', 'replaced\n', 'new\n'])
})

test('refresh leaves a sandbox alone while nothing is installed', async (t) => {
  const sandbox = await openSandbox('auto', { cacheDir: join(await makeFolder(t), 'cache') })
  const { run } = sandbox
  await sandbox.refresh()
  assert.equal(sandbox.run, run)
})
