import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { followInstallation } from './follow-installation.ts'
import { openSandbox } from './open-sandbox.ts'
import type { Sandbox } from './types.ts'

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platex-installation-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('refresh opens a sandbox with newly installed programs, beside one that a compile still uses', async (t) => {
  const folder = await makeFolder(t)
  const programs = join(folder, 'programs')
  await mkdir(programs)
  await writeFile(join(programs, 'synctex'), '#!/bin/sh\necho old\n', { mode: 0o755 })
  const sandbox = await openSandbox('auto', {
    cacheDir: join(folder, 'cache'),
    searchPath: `${programs}:${process.env['PATH']}`,
  })
  const runIn = async (box: Sandbox, workspaceDir: string, program: string): Promise<string> => {
    const { stdout } = await box.run({ program, args: [] }, { workspaceDir, timeoutMs: 30_000 })
    return new TextDecoder().decode(stdout)
  }
  const begun = await sandbox.createWorkspace()
  await writeFile(join(programs, 'synctex'), '#!/bin/sh\necho replaced\n', { mode: 0o755 })
  await writeFile(join(programs, 'upmendex'), '#!/bin/sh\necho new\n', { mode: 0o755 })
  const fresh = await sandbox.refresh()
  const workspaceDir = await fresh.createWorkspace()
  const outputs = [
    await runIn(sandbox, begun, 'synctex'),
    await runIn(fresh, workspaceDir, 'synctex'),
    await runIn(fresh, workspaceDir, 'upmendex'),
  ]
  await Promise.all([sandbox.removeWorkspace(begun), fresh.removeWorkspace(workspaceDir)])
  assert.deepEqual([outputs, sandbox.latest() === fresh], [['old\n', 'replaced\n', 'new\n'], true])
})

test('refresh opens nothing while nothing is installed', async (t) => {
  const sandbox = await openSandbox('auto', { cacheDir: join(await makeFolder(t), 'cache') })
  const [before, after] = [sandbox.latest(), await sandbox.refresh()]
  assert.equal(before, after)
})

test('refresh opens another sandbox if something was installed while the first was opened', async (t) => {
  const folder = await makeFolder(t)
  const programs = join(folder, 'programs')
  await mkdir(programs)
  const sandbox = await followInstallation(
    async () => ({ watched: [programs] }),
    async () => {
      const opened = await openSandbox('none', { cacheDir: join(folder, 'cache') })
      await writeFile(join(programs, 'upmendex'), '')
      return opened
    },
  )
  const first = sandbox.latest()
  const second = await sandbox.refresh()
  assert.deepEqual([second === first, (await sandbox.refresh()) === second], [false, true])
})

test('refresh does not wait for the programs that wait for the previous installation, and stopWaiting() does', async (t) => {
  const folder = await makeFolder(t)
  const programs = join(folder, 'programs')
  await mkdir(programs)
  const ended = Promise.withResolvers<void>()
  const sandbox = await followInstallation(
    async () => ({ watched: [programs] }),
    async () => {
      const opened = await openSandbox('none', { cacheDir: join(folder, 'cache') })
      return { ...opened, stopWaiting: () => ended.promise }
    },
  )
  await writeFile(join(programs, 'upmendex'), '')
  const order: string[] = []
  await sandbox.refresh()
  order.push('refreshed')
  const stopped = sandbox.stopWaiting().then(() => order.push('stopped'))
  order.push('stopping')
  ended.resolve()
  await stopped
  assert.deepEqual(order, ['refreshed', 'stopping', 'stopped'])
})
