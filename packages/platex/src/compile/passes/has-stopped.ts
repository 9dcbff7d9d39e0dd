import type { EngineRun, Run } from './run.ts'

/** True when another pass makes no sense: the run was killed, or TeX gave up without pages. */
export function hasStopped({ report, record }: EngineRun): boolean {
  const { end } = report
  if (end.kind !== 'exited') return true
  if (end.exitCode === 0 || record.kind === 'fault') return false
  return record.value.log.length === 0 || record.value.facts.hasGivenUp
}

/** True when the budget, the caller or a limit ended the whole compile with this run. */
export function wasKilled(run: Run): boolean {
  const { kind } = run.report.end
  return kind === 'timed-out' || kind === 'aborted' || (run.kind === 'engine' && kind !== 'exited')
}
