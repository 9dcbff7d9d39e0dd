import type { CompileJob } from '../job.ts'
import { utf16Order } from '../../log/utf16.ts'
import { recorderOf, type FinishedPasses, type Run } from '../passes/run.ts'
import type { PassesToDiagnose } from './diagnose-passes.ts'
import type { ToolToDiagnose } from './diagnose-tool.ts'

/** Larger files are data, which no diagnostic quotes. */
const MAX_TEXT_BYTES = 5_000_000
/** A file without a zero byte in this prefix is text, and so is UTF-16. */
const LOOKED_AT_BYTES = 8192
/** Sources by name: a zero byte in one is a mistake in its text, for instance where a command appended UTF-16. */
const SOURCE = /\.(?:tex|ltx|sty|cls|def|bib|bst|bbl|tikz)$/i

/** The finished passes as plain data, for the thread that diagnoses them. */
export function describePasses({ context, history, pass, driver }: FinishedPasses): PassesToDiagnose {
  const { stdout } = pass.report
  const { inputs } = recorderOf(pass)
  // Without \printindex the entries of an index do not matter: makeindex runs before that is known.
  const isRead = (run: Run): boolean =>
    run.kind !== 'tool' ||
    run.plan.tool !== 'makeindex' ||
    history.end.kind !== 'converged' ||
    wasFailure(run) ||
    run.plan.outputs.some((path) => inputs.has(path))
  return {
    place: context.workspace.place,
    textFiles: listTextFiles(context.job),
    engine: pass.row.engine,
    // A pass that was killed early has left the log of the pass before.
    isDraft: pass.isDraft || pass.report.end.kind !== 'exited',
    recorder: recorderOf(pass),
    trace: pass.trace,
    stdout: driver === null ? stdout : Buffer.concat([stdout, driver.stdout, driver.stderr]),
    stderr: pass.report.stderr,
    tools: listLastTools(history.runs.filter(isRead), pass.passNumber),
    timeoutMs: context.budget.timeoutMs,
    pictures: context.pictures,
    end: history.end,
    passCount: history.runs.filter((run) => run.kind === 'engine').length,
    unmet: history.demand.unmet,
  }
}

function wasFailure({ report }: Run): boolean {
  return report.end.kind !== 'exited' || report.end.exitCode !== 0
}

/** Text files of the job that are not too large to be shown. */
export function listTextFiles(job: CompileJob): readonly string[] {
  const isText = (path: string, bytes: Uint8Array) =>
    SOURCE.test(path) || !bytes.subarray(0, LOOKED_AT_BYTES).includes(0) || utf16Order(bytes) !== null
  return [...job.files]
    .filter(([path, bytes]) => bytes.length <= MAX_TEXT_BYTES && isText(path, bytes))
    .map(([path]) => path)
}

function listLastTools(runs: readonly Run[], enginePass: number): readonly ToolToDiagnose[] {
  const last = new Map<string, ToolToDiagnose>()
  for (const run of runs) {
    if (run.kind !== 'tool') continue
    const { tool, subject } = run.plan
    const { report, transcript, passNumber } = run
    last.set(`${tool} ${subject}`, {
      plan: { tool, subject },
      report,
      transcript,
      passNumber: passNumber ?? enginePass,
    })
  }
  return [...last.values()]
}
