/**
 * Faults at every step of every operation that moves refs: the process is killed before the step, or the database fails
 * in it, once or from then on. After a restart the operation must have happened completely or not at all, and
 * completely if it was acknowledged.
 *
 * `npm test` covers some steps of some operations, `npm run test:faults` all, which is slow. FAULTS=all does the same,
 * and FAULT_OPERATION=name selects one operation.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openParsers, type Parsers } from '../../src/base/open-parsers.ts'
import { createBranch } from '../../src/operations/branch/create-branch.ts'
import { checkState } from './faults/check-state.ts'
import { faultOperations, type FaultOperation } from './faults/fault-operations.ts'
import { copyData, makeFaultSetting, openContext } from './faults/fault-setting.ts'
import type { FaultStep } from './faults/open-fault-host.ts'
import { runProgram } from '../support/programs/run-program.ts'

const isWhole = process.env['FAULTS'] === 'all'
const program = join(import.meta.dirname, 'faults/run-and-die.ts')
/** Operations of the quick run, each with different code. */
const QUICK = [
  'push tags',
  'edit a file',
  'delete a branch',
  'create a repository with a paper',
  'restore a repository',
]
/** Far beyond the last step. */
const NEVER = 10_000

let setting: Awaited<ReturnType<typeof makeFaultSetting>>
let parsers: Parsers
let runCount = 0

before(async () => {
  setting = await makeFaultSetting()
  parsers = openParsers()
})

after(async () => {
  await parsers.close()
  await setting.remove()
})

const wanted = process.env['FAULT_OPERATION']
// A move opens databases of its own, whose statements are no steps; disk-faults.test.ts interrupts it at each call.
const operations = faultOperations
  .filter(({ name }) => !name.startsWith('move to '))
  .filter(({ name }) => (wanted === undefined ? isWhole || QUICK.includes(name) : name === wanted))

for (const operation of operations) {
  const { name } = operation
  test(`${name}: the process is killed at each step`, async () => {
    const ends = await runAll((step) => killAt(operation, step), { quickSteps: [1, 4] })
    if (isWhole) assert.deepEqual(ends.at(-1), 'done')
  })

  for (const mode of ['once', 'from then on'] as const)
    test(`${name}: the database fails at each statement, ${mode}`, async () => {
      const ends = await runAll((step) => failAt(operation, step, mode), { quickSteps: mode === 'once' ? [3, 9] : [6] })
      if (isWhole) assert.deepEqual(ends.at(-1), 'done')
    })
}

test('post-receive work that fails is retried by the same process', async () => {
  const dataDir = await copyData(setting.folder, `run-${++runCount}`)
  let failsLeft = 0
  const onStep = ({ text }: FaultStep): void => {
    if (failsLeft === 0 || !text.startsWith('insert into "build"')) return
    failsLeft -= 1
    throw new Error('disk I/O error')
  }
  const context = await openContext(setting.folder, dataDir, { onStep, parsers })
  const repository = await context.getRepository('paper')
  failsLeft = 2
  const wanted = { repository, actor: context.alice.user, name: 'made', commitId: context.headId }
  const problem = await createBranch(context.deps, wanted)
  const unsettled = await context.deps.store.pushJournal.list()
  await checkState(context)
  await context.close()
  assert.deepEqual([problem, unsettled.length, failsLeft], [null, 1, 0])
})

/** Runs with a fault at each step, until the last step. */
async function runAll(
  run: (step: number) => Promise<'fault' | 'done'>,
  { quickSteps }: { readonly quickSteps: readonly number[] },
): Promise<readonly string[]> {
  const ends: string[] = []
  for (let step = 0; ends.at(-1) !== 'done' && step < NEVER; step += 1)
    if (isWhole || quickSteps.includes(step)) ends.push(await run(step))
    else if (step > Math.max(...quickSteps)) break
  return ends
}

async function killAt(operation: FaultOperation, step: number): Promise<'fault' | 'done'> {
  const dataDir = await copyData(setting.folder, `run-${++runCount}`)
  const options = ['--conditions=texproof-source', '--disable-warning=ExperimentalWarning']
  const args = [...options, program, setting.folder, dataDir, operation.name, String(step)]
  const { stdout, stderr, exitCode } = await runProgram(process.execPath, args)
  assert.ok(exitCode === -1 || stdout !== '', stderr)
  await check(operation, { dataDir, isAcknowledged: stdout === 'done', what: `killed at ${step}` })
  return stdout === 'done' ? 'done' : 'fault'
}

async function failAt(
  operation: FaultOperation,
  step: number,
  mode: 'once' | 'from then on',
): Promise<'fault' | 'done'> {
  const dataDir = await copyData(setting.folder, `run-${++runCount}`)
  let count = -1
  let failedText: string | null = null
  const onStep = ({ kind, text }: FaultStep): void => {
    // SQLite rolls back automatically after a disk error; this simulated error requires an explicit rollback.
    if (count < 0 || kind !== 'statement' || text === 'rollback') return
    count += 1
    const isFault = mode === 'once' ? count === step + 1 : count > step
    if (!isFault) return
    failedText ??= text
    throw new Error('disk I/O error')
  }
  const context = await openContext(setting.folder, dataDir, { onStep, parsers })
  await operation.prepare?.(context)
  count = 0
  const isAcknowledged = await operation.run(context).catch(() => false)
  count = mode === 'once' ? NEVER : count
  await context.close().catch(() => {}) // its database may be failing
  await check(operation, { dataDir, isAcknowledged, what: `${mode} at ${step}: ${failedText}` })
  return failedText === null ? 'done' : 'fault'
}

/** Starts like the next host. */
async function check(
  operation: FaultOperation,
  { dataDir, isAcknowledged, what }: { dataDir: string; isAcknowledged: boolean; what: string },
): Promise<void> {
  const context = await openContext(setting.folder, dataDir, { parsers })
  try {
    await checkState(context)
    if (isAcknowledged) assert.ok(await operation.isDone(context), 'what was said to be done has not happened')
  } catch (cause) {
    throw new Error(`${operation.name}, ${what}`, { cause })
  } finally {
    await context.close()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
