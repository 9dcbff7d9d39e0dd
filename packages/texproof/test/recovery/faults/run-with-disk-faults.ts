/**
 * `run-with-disk-faults.ts FOLDER OPERATION FAULT MODE FROM TO STRIDE`: repeats one operation, each time on a
 * copy of the setting, with a fault at a later call. Restarts the host after each run, checks its state, and prints a line
 * of JSON. Ends with the first run without a fault. MODE is `once` or `lasting`.
 */
import { writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'

import { openParsers } from '../../../src/base/open-parsers.ts'
import { defaultSearchPath } from '../../../src/git/process/spawn-git.ts'
import { checkAfterFault } from './check-after-fault.ts'
import { openDiskFaultControl, type DiskFault } from './disk-faults.ts'
import { faultOperations } from './fault-operations.ts'
import { copyData, openContext } from './fault-setting.ts'

const [folder = '', name = '', fault = '', mode = '', from = '', to = '', stride = ''] = process.argv.slice(2)
const operation = faultOperations.find((one) => one.name === name)
if (operation === undefined) throw new Error(`no operation ${name}`)
const parsers = openParsers()
const control = openDiskFaultControl(folder)
const searchPath = `${folder}:${defaultSearchPath}`
let isOver = false
for (let step = Number(from); step < Number(to) && !isOver; step += Number(stride)) isOver = await run(step)
await parsers.close()
control.close()

async function run(step: number): Promise<boolean> {
  const dataDir = await copyData(folder, `disk-${process.pid}-${step}`)
  const context = await openContext(folder, dataDir, { parsers, searchPath })
  await operation?.prepare?.(context)
  // The test checks it if this process is killed.
  if (fault === 'kill') writeSync(1, `${JSON.stringify({ dataDir })}\n`)
  control.arm(fault as DiskFault, { step, isLasting: mode === 'lasting' })
  const outcome = await operation?.run(context).catch((error: unknown) => String(error))
  const hits = control.disarm()
  await context.close().catch(() => {})
  const isAcknowledged = outcome === true
  const problem = await checkAfterFault(operation, { folder, dataDir, isAcknowledged, parsers })
  process.stdout.write(`${JSON.stringify({ step, hits, isAcknowledged, problem, outcome })}\n`)
  if (problem === null) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  return hits === 0
}
