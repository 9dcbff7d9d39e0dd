/**
 * `run-and-die.ts FOLDER DATA_DIR OPERATION N`: runs one operation and kills itself before the N-th step that changes
 * something. Prints `done` or `refused` if it reaches the end.
 */
import { faultOperations } from './fault-operations.ts'
import { openContext } from './fault-setting.ts'
import type { FaultStep } from './open-fault-host.ts'
import { killSelf } from '../../support/recovery/kill-self.ts'

const [folder = '', dataDir = '', name = '', fatalStep = ''] = process.argv.slice(2)
let isArmed = false
let step = 0

const operation = faultOperations.find((one) => one.name === name)
if (operation === undefined) throw new Error(`no operation ${name}`)
const context = await openContext(folder, dataDir, { onStep: recordStep })
await operation.prepare?.(context)
isArmed = true
const isDone = await operation.run(context)
// Background work may be interrupted as well.
process.stdout.write(isDone ? 'done' : 'refused')
process.exit()

function recordStep({ kind, text }: FaultStep): void {
  if (!isArmed || (kind === 'statement' && /^\s*select/i.test(text))) return
  if (step === Number(fatalStep)) killSelf()
  step += 1
}
