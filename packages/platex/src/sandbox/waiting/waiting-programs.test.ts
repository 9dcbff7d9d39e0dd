import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { COMPILE_LIMITS } from '../limits/limits.ts'
import { openSandbox } from '../open-sandbox.ts'
import type { Sandbox, WaitingCommand } from '../types.ts'

const TIMEOUT_MS = 60_000
/** Two of them exceed half of the memory of a compile, one does not. */
const FILL = `$| = 1; vec(my $filled = "", ${Math.floor(COMPILE_LIMITS.memoryBytes * 0.3)}, 8) = 1; print "filled"`

let sandbox: Sandbox

before(async () => {
  sandbox = await openSandbox('required', { maxWaiting: 2 })
})
after(() => sandbox.stopWaiting())

test('an engine may read ahead within half of the memory of a compile', async () => {
  assert.equal(await readsAhead(await sandbox.createWorkspace()), true)
})

test('an engine that reads ahead for a running compile shares its memory', async () => {
  const workspaceDir = await sandbox.createWorkspace()
  const script = `${FILL}; sleep 60`
  const controller = new AbortController()
  const filled = Promise.withResolvers<void>()
  const pass = sandbox.run(
    { program: 'perl', args: ['-e', script] },
    { workspaceDir, timeoutMs: TIMEOUT_MS, signal: controller.signal, onStdout: () => filled.resolve() },
  )
  await filled.promise
  const isReady = await readsAhead(await sandbox.createWorkspace({ bytes: 0, entries: 0 }, { partOf: workspaceDir }))
  controller.abort()
  const { end } = await pass
  assert.deepEqual([isReady, end], [false, { kind: 'aborted' }])
  await sandbox.removeWorkspace(workspaceDir)
})

test('an engine that has read ahead has processor time for reading and for its run', async () => {
  const workspaceDir = await sandbox.createWorkspace()
  const script = 'echo reads; while read -r line; do :; done <main.tex; ulimit -t'
  const command: WaitingCommand = { program: 'sh', args: ['-c', script], env: {}, folder: '', prompt: null }
  const start = Buffer.from('start\n')
  const order = { workspaceDir, path: 'main.tex', start, timeoutMs: TIMEOUT_MS, runTimeoutMs: 600_000, onEvicted: null }
  const program = await sandbox.readAhead(command, order)
  assert.equal(await program?.isReady, true)
  await program?.take(Buffer.from('start\nrest\n'), new Map(), null)
  const resume = { waiting: command, input: 'rest\n' }
  const report = await sandbox.run({ ...command, resume }, { workspaceDir, timeoutMs: TIMEOUT_MS })
  await sandbox.removeWorkspace(workspaceDir)
  assert.equal(Buffer.from(report.stdout).toString(), 'reads\n662\n')
})

test('a program that was started ahead for another command ends before a run in its workspace', async () => {
  const workspaceDir = await sandbox.createWorkspace()
  const shell = (script: string): WaitingCommand => ({
    program: 'sh',
    args: ['-c', script],
    env: {},
    folder: '',
    prompt: null,
  })
  sandbox.startAhead(shell('while :; do echo beat >>beats; sleep 0.01; done'), workspaceDir, TIMEOUT_MS)
  while ((await sandbox.readResult(workspaceDir, 'beats', 1_000_000)) === null) await sleep(10)
  const command = shell('cp beats before; sleep 0.5; cmp beats before && echo ended')
  const resume = { waiting: command, input: '' }
  const report = await sandbox.run({ ...command, resume }, { workspaceDir, timeoutMs: TIMEOUT_MS })
  await sandbox.removeWorkspace(workspaceDir)
  assert.equal(Buffer.from(report.stdout).toString(), 'ended\n')
})

/** Whether a program that needs much memory reads the beginning of its input in this workspace. */
async function readsAhead(workspaceDir: string): Promise<boolean> {
  const script = `${FILL}; open my $in, "<", "main.tex" or die; print while <$in>`
  const command: WaitingCommand = { program: 'perl', args: ['-e', script], env: {}, folder: '', prompt: null }
  const program = await sandbox.readAhead(command, {
    workspaceDir,
    path: 'main.tex',
    start: Buffer.from('start\n'),
    timeoutMs: TIMEOUT_MS,
    runTimeoutMs: TIMEOUT_MS,
    onEvicted: null,
  })
  const isReady = (await program?.isReady) ?? false
  await sandbox.removeWorkspace(workspaceDir)
  return isReady
}
