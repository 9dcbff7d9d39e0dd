import type { RunReport } from '../../sandbox/types.ts'
import type { RawPassLog } from '../../base/types.ts'
import { keepOutput, KEPT_BYTES } from '../log-excerpt.ts'
import type { Run } from '../passes/run.ts'

const MAX_TOTAL_BYTES = 8 * KEPT_BYTES
/** Exit code of a run that did not exit by itself. */
const NO_EXIT = -1

/** Output and log of one run, as plain data. */
export interface RunOutput {
  /** The program as named by the HTTP API; null for index tools, which it does not list. */
  readonly pass: { readonly number: number; readonly engine: RawPassLog['engine'] } | null
  readonly isEngine: boolean
  readonly report: RunReport
  readonly log: Uint8Array
  readonly reason: string
}

/** The output of a run for `collectLogs`. */
export function outputOf(run: Run): RunOutput {
  const { report, reason } = run
  if (run.kind === 'engine') {
    const log = run.output.kind === 'done' ? run.output.value.log : new Uint8Array()
    // Only projects have other engines than the library, and their hosts show the name.
    const engine = run.row.engine as RawPassLog['engine']
    return { pass: { number: run.passNumber, engine }, isEngine: true, report, log, reason }
  }
  const { tool } = run.plan
  const isListed = run.passNumber !== null && (tool === 'biber' || tool === 'bibtex')
  const pass = isListed ? { number: run.passNumber, engine: tool } : null
  return { pass, isEngine: false, report, log: run.transcript, reason }
}

/**
 * The raw logs of all passes. The HTTP API does not list index tools and the driver: their output and log are appended to
 * the output of the engine pass before them, which counts as timed out if one of them was.
 *
 * If the logs are too long in total, the logs of the earliest passes are dropped.
 */
export function collectLogs({
  outputs,
  driver,
}: {
  readonly outputs: readonly RunOutput[]
  readonly driver: RunReport | null
}): readonly RawPassLog[] {
  const logs = outputs.flatMap((output, index) => logOf(output, unlistedAfter(outputs.slice(index + 1), driver)))
  let left = MAX_TOTAL_BYTES
  return logs
    .toReversed()
    .map((log) => {
      left -= Buffer.byteLength(log.stdout) + Buffer.byteLength(log.stderr) + Buffer.byteLength(log.log)
      return left >= 0
        ? log
        : { ...log, stdout: '', stderr: '', log: '[left out: the logs of this compile are too long]\n' }
    })
    .toReversed()
}

type UnlistedRun = Pick<RunOutput, 'report' | 'log'>

const NO_LOG = new Uint8Array()

/** Runs between two engine passes that the HTTP API does not list. */
function unlistedAfter(later: readonly RunOutput[], driver: RunReport | null): readonly UnlistedRun[] {
  const nextEngine = later.findIndex((output) => output.isEngine)
  const followers = nextEngine === -1 ? later : later.slice(0, nextEngine)
  const tools = followers.filter((output) => output.pass === null)
  return nextEngine === -1 && driver !== null ? [...tools, { report: driver, log: NO_LOG }] : tools
}

function logOf({ pass, isEngine, report, log, reason }: RunOutput, unlisted: readonly UnlistedRun[]): RawPassLog[] {
  if (pass === null) return []
  const appended = isEngine ? unlisted : []
  const transcripts = appended.flatMap((run) => [run.report.stdout, run.report.stderr, run.log])
  const end = [report, ...appended.map((run) => run.report)].find(isTimedOut)?.end ?? report.end
  return [
    {
      passNumber: pass.number,
      engine: pass.engine,
      stdout: decode(Buffer.concat([report.stdout, ...transcripts])),
      stderr: decode(report.stderr),
      log: decode(log),
      exitCode: end.kind === 'exited' ? end.exitCode : NO_EXIT,
      timedOut: end.kind === 'timed-out',
      reason,
      durationMs: Math.round(report.durationMs),
    },
  ]
}

function isTimedOut({ end }: RunReport): boolean {
  return end.kind === 'timed-out'
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(keepOutput(bytes))
}
