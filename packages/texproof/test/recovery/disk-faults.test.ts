/**
 * Faults of the disk at every system call of every operation: the call fails for want of descriptors or space, or with an
 * I/O error, once or from then on, or the process is killed in its place. The calls of the server and of git count alike.
 * After a restart the operation must have happened completely or not at all, completely if it was acknowledged, and
 * `doctor --deep` must find nothing.
 *
 * `npm test` covers some calls of some operations, `npm run test:faults` all, which takes hours. FAULTS=all does the
 * same, FAULT_OPERATION=name selects one operation, FAULT_STRIDE=7 takes every seventh call, and FAULT_FIRST=3 begins with
 * the fourth.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { join } from 'node:path'

import { openParsers, type Parsers } from '../../src/base/open-parsers.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { checkAfterFault } from './faults/check-after-fault.ts'
import { compileDiskFaults, diskFaultEnvironment, openDiskFaultControl, type DiskFault } from './faults/disk-faults.ts'
import { faultOperations } from './faults/fault-operations.ts'
import { makeFaultSetting } from './faults/fault-setting.ts'
import { canMove } from './faults/move-operations.ts'
import { startMoveTargets } from './faults/move-targets.ts'

const isWhole = process.env['FAULTS'] === 'all'
const wanted = process.env['FAULT_OPERATION']
const stride = Number(process.env['FAULT_STRIDE'] ?? (isWhole ? 1 : 23))
const first = Number(process.env['FAULT_FIRST'] ?? 0)
/** More calls than any operation makes. */
const NEVER = 100_000
/** Runs of one operation with one fault in `npm test`. */
const QUICK_RUNS = 2
const QUICK: Readonly<Record<string, readonly DiskFault[]>> = {
  'push a commit': ['ENOSPC'],
  'back up': ['EIO'],
  'upgrade the database': ['kill'],
  'move to PostgreSQL': ['kill'],
  'move to a bucket': ['EIO'],
}
const ALL = ['kill', 'EMFILE', 'ENOSPC', 'EIO'] as const
const program = join(import.meta.dirname, 'faults/run-with-disk-faults.ts')

/** Output of one run. */
interface FaultRun {
  readonly step: number
  /** Calls that failed. */
  readonly hits: number
  readonly isAcknowledged: boolean
  /** null = nothing is wrong. */
  readonly problem: string | null
}

let moves: Awaited<ReturnType<typeof startMoveTargets>>
let setting: Awaited<ReturnType<typeof makeFaultSetting>>
let parsers: Parsers
let library: string | null = null

before(async () => {
  moves = await startMoveTargets()
  setting = await makeFaultSetting(moves.targets)
  parsers = openParsers()
  library = await compileDiskFaults(setting.folder)
})

after(async () => {
  await parsers.close()
  await setting.remove()
  await moves.close()
})

describe('faults of the disk', () => {
  for (const { name } of faultOperations)
    for (const fault of selectFaults(name))
      for (const mode of fault === 'kill' || !isWhole ? ['once'] : ['once', 'lasting'])
        test(`${name}: ${fault} at each call, ${mode}`, async (t) => {
          if (library === null) return t.skip('no C compiler')
          if (!canMove(name, moves.targets)) return t.skip('PostgreSQL is not installed')
          const last = isWhole ? NEVER : QUICK_RUNS * stride
          const runs = fault === 'kill' ? await killRuns(name, last) : await runWithFault(name, { fault, mode, last })
          assert.deepEqual(
            runs.filter(({ problem }) => problem !== null),
            [],
          )
          if (isWhole) assert.equal(runs.at(-1)?.hits, 0)
          else assert.ok((runs[0]?.hits ?? 0) > 0, 'no call has failed')
        })
})

function selectFaults(name: string): readonly DiskFault[] {
  if (wanted !== undefined) return name === wanted ? ALL : []
  return isWhole ? ALL : (QUICK[name] ?? [])
}

async function runWithFault(
  name: string,
  { fault, mode, last }: { readonly fault: DiskFault; readonly mode: string; readonly last: number },
): Promise<readonly FaultRun[]> {
  const options = ['--conditions=texproof-source', '--disable-warning=ExperimentalWarning']
  const args = [...options, program, setting.folder, name, fault, mode, String(first), String(last), String(stride)]
  const env = diskFaultEnvironment(setting.folder)
  const { stdout, stderr, exitCode } = await runProgram(process.execPath, args, { env })
  const runs = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as FaultRun)
  assert.deepEqual([exitCode, stderr], [0, ''], `after step ${runs.at(-1)?.step ?? 'none'}`)
  return runs
}

/** Each run is a process of its own, whose data directory this one checks. */
async function killRuns(name: string, last: number): Promise<readonly FaultRun[]> {
  const operation = faultOperations.find((one) => one.name === name)
  const options = ['--conditions=texproof-source', '--disable-warning=ExperimentalWarning']
  const env = diskFaultEnvironment(setting.folder)
  const control = openDiskFaultControl(setting.folder)
  const runs: FaultRun[] = []
  for (let step = first; step < last; step += stride) {
    const args = [...options, program, setting.folder, name, 'kill', 'once', String(step), String(step + 1), '1']
    const { stdout, stderr, exitCode } = await runProgram(process.execPath, args, { env })
    const hits = control.disarm()
    if (exitCode !== -1) {
      // A git was killed instead of the server, or nothing was.
      assert.deepEqual([exitCode, stderr], [0, ''])
      runs.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as FaultRun)
    } else {
      const { dataDir } = JSON.parse(stdout) as { readonly dataDir: string }
      const problem = await checkAfterFault(operation, {
        folder: setting.folder,
        dataDir,
        isAcknowledged: false,
        parsers,
      })
      if (problem === null) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
      runs.push({ step, hits, isAcknowledged: false, problem })
    }
    if (hits === 0) break
  }
  control.close()
  return runs
}
