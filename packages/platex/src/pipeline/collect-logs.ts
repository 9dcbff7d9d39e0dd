import type { RunEnd, RunReport } from '../sandbox/types.ts'
import type { RawPassLog } from '../types.ts'
import type { EngineRun, Run, ToolRun } from './run.ts'

/** Each of the three texts of a pass keeps at most this much, its beginning and its end. */
const HEAD_BYTES = 768 * 1024
const TAIL_BYTES = 256 * 1024
const MAX_TOTAL_BYTES = 8 * 1024 * 1024

/**
 * The raw logs of all passes. Index tools and the driver have no pass of their own on the wire: they are appended to
 * the standard output of the engine pass before them.
 *
 * Where all together are too long, the earliest passes give way: people read the last one.
 */
export function collectLogs(runs: readonly Run[], driver: RunReport | null): readonly RawPassLog[] {
  const logs = runs.flatMap((run, index) =>
    run.kind === 'engine' ? engineLog(run, unlistedAfter(runs.slice(index + 1), driver)) : toolLog(run),
  )
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

/** What ran between an engine pass and the next, and is no pass itself. */
function unlistedAfter(later: readonly Run[], driver: RunReport | null): readonly RunReport[] {
  const nextEngine = later.findIndex((run) => run.kind === 'engine')
  const followers = nextEngine === -1 ? later : later.slice(0, nextEngine)
  const reports = followers.filter((run) => run.passNumber === null).map((run) => run.report)
  return nextEngine === -1 && driver !== null ? [...reports, driver] : reports
}

function engineLog(run: EngineRun, unlisted: readonly RunReport[]): RawPassLog {
  const transcripts = unlisted.flatMap((report) => [report.stdout, report.stderr])
  return {
    passNumber: run.passNumber,
    engine: run.row.engine,
    stdout: cut(joinBytes([run.report.stdout, ...transcripts])),
    stderr: cut(run.report.stderr),
    log: cut(run.log),
    exitCode: exitCodeOf(run.report.end),
    timedOut: run.report.end.kind === 'timed-out',
    reason: run.reason,
    durationMs: Math.round(run.report.durationMs),
  }
}

function toolLog(run: ToolRun): readonly RawPassLog[] {
  const { tool } = run.plan
  if (run.passNumber === null || (tool !== 'biber' && tool !== 'bibtex')) return []
  return [
    {
      passNumber: run.passNumber,
      engine: tool,
      stdout: cut(run.report.stdout),
      stderr: cut(run.report.stderr),
      log: cut(run.transcript),
      exitCode: exitCodeOf(run.report.end),
      timedOut: run.report.end.kind === 'timed-out',
      reason: run.reason,
      durationMs: Math.round(run.report.durationMs),
    },
  ]
}

/** −1 stands for every end that is no exit. */
function exitCodeOf(end: RunEnd): number {
  return end.kind === 'exited' ? end.exitCode : -1
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

function cut(bytes: Uint8Array): string {
  const decoder = new TextDecoder()
  if (bytes.length <= HEAD_BYTES + TAIL_BYTES) return decoder.decode(bytes)
  const marker = `\n[… ${bytes.length - HEAD_BYTES - TAIL_BYTES} bytes left out …]\n`
  const tailBytes = TAIL_BYTES - Buffer.byteLength(marker)
  return decoder.decode(bytes.subarray(0, HEAD_BYTES)) + marker + decoder.decode(bytes.subarray(-tailBytes))
}
