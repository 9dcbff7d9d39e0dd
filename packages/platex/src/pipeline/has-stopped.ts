import { latin1 } from './canonical-digest.ts'
import type { EngineRun, Run } from './run.ts'

const GAVE_UP = /^(?:!|\S+:\d+:)?\s*==> Fatal error occurred|^! Emergency stop\.|no output PDF file produced/m

/** True when another pass makes no sense: the run was killed, or TeX gave up without pages. */
export function hasStopped(pass: EngineRun): boolean {
  const { end } = pass.report
  if (end.kind !== 'exited') return true
  if (end.exitCode === 0) return false
  // The verdict is near the end; a document may print the same words anywhere before.
  return pass.log.length === 0 || GAVE_UP.test(latin1(pass.log.subarray(-16_384)))
}

/** True when the budget, the caller or a limit ended the whole compile with this run. */
export function wasKilled(run: Run): boolean {
  const { kind } = run.report.end
  return kind === 'timed-out' || kind === 'aborted' || (run.kind === 'engine' && kind !== 'exited')
}
