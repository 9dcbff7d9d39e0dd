/**
 * The result of one compile: the PDF if it is complete, diagnostics and logs.
 *
 * Warnings come from the last engine pass only, because "undefined reference" is normal in the first. A result without a
 * PDF always has at least one error.
 */
import { posix } from 'node:path'

import type { CompileResult, LatexError, RawPassLog } from '../../base/types.ts'
import type { Diagnostics } from '../../log/types.ts'
import type { RunEnd, RunReport } from '../../sandbox/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { keepOutput } from '../log-excerpt.ts'
import type { LogFacts } from '../facts/read-log-facts.ts'
import type { DriverRun, EngineRun, FinishedPasses, Run } from '../passes/run.ts'
import { readDatedPdf } from '../read-pdf.ts'
import { collectLogs, outputOf, type RunOutput } from './collect-logs.ts'
import { describePasses } from './describe-passes.ts'
import { explainEnd } from './explain-end.ts'

/** Copying logs to a worker thread and back takes longer than decoding so many bytes. */
const SMALL_LOGS_BYTES = 256 * 1024
/** What TeX reads as a command or a comment, or drops, in the name of the root file. It then looks for another file. */
const UNREADABLE_NAME = / {2}|[%{}~\\"]|\^\^/

export async function buildResult(finished: FinishedPasses): Promise<CompileResult> {
  const { context, history, pass, driver } = finished
  const { job, budget } = context
  const cut = explainCut(finished)
  const hasPdf = cut.length === 0 && hasPages(pass, driver)
  const [pdf, found, logs] = await Promise.all([
    hasPdf ? readDatedPdf(pass, context) : null,
    diagnose(finished),
    readLogs(finished),
  ])
  const spoken = { ...found, errors: [...found.errors, ...withoutRepeats(cut, found), ...explainDriver(driver, found)] }
  const { errors, warnings } = pdf === null ? withCause(spoken, finished, { isCut: cut.length > 0 }) : spoken
  const report = {
    errors: [...errors],
    warnings: [...warnings],
    logs: [...logs],
    stats: {
      passes: history.runs.filter((run) => run.kind === 'engine').length,
      durationMs: Math.round(job.timeoutMs - budget.remainingMs()),
    },
  }
  const pages = factsOf(pass)?.pageCount ?? null
  return pdf === null ? { pdf, ...report } : { pdf, ...report, ...(pages === null ? {} : { pages }) }
}

/** Pages count if the last pass reports them; an earlier pass may have left a file of the same name. */
function hasPages(pass: EngineRun, driver: RunReport | null): boolean {
  const { end } = driver ?? { end: pass.report.end }
  const isDone = driver === null || (end.kind === 'exited' && end.exitCode === 0)
  const facts = factsOf(pass)
  // Without a readable log, the exit status decides.
  const isSilent = pass.row.isWholePipeline || facts === null
  return isDone && (isSilent ? pass.report.end.kind === 'exited' : facts.pageCount !== null)
}

function factsOf({ output }: EngineRun): LogFacts | null {
  return output.kind === 'done' ? output.value.facts : null
}

/** Diagnostics of the logs, or one error if they cannot be read. */
async function diagnose(finished: FinishedPasses): Promise<Diagnostics> {
  const { end } = finished.history
  const diagnosed = await inspect('diagnosePasses', describePasses(finished), inspectionOptions(finished.context))
  if (diagnosed.kind === 'fault') return { errors: [errorOf(diagnosed.message)], warnings: [] }
  if (end.kind !== 'unreadable') return diagnosed.value
  return { ...diagnosed.value, errors: [...diagnosed.value.errors, errorOf(end.fault)] }
}

async function readLogs(finished: FinishedPasses): Promise<readonly RawPassLog[]> {
  const { history, driver } = finished
  const kept = driver && { ...driver, stdout: keepOutput(driver.stdout), stderr: keepOutput(driver.stderr) }
  const outputs = history.runs.map(outputOf)
  if (sizeOfOutputs(outputs, kept) <= SMALL_LOGS_BYTES) return collectLogs({ outputs, driver: kept })
  const logs = await inspect('collectLogs', { outputs, driver: kept }, inspectionOptions(finished.context))
  return logs.kind === 'done' ? logs.value : []
}

function sizeOfOutputs(outputs: readonly RunOutput[], driver: RunReport | null): number {
  const reports = [...outputs.map(({ report }) => report), ...(driver === null ? [] : [driver])]
  const logs = outputs.reduce((sum, { log }) => sum + log.length, 0)
  return reports.reduce((sum, { stdout, stderr }) => sum + stdout.length + stderr.length, logs)
}

/** Errors of runs that were killed: their logs do not mention it. */
function explainCut({ context, history, pass, driver }: FinishedPasses): readonly LatexError[] {
  const { timeoutMs } = context.budget
  const last = history.runs.at(-1) ?? pass
  const killed: { end: RunEnd; program: string; run: Run }[] = [
    { end: pass.report.end, program: pass.row.program, run: pass },
    ...(last.kind === 'tool' && last.report.end.kind === 'timed-out'
      ? [{ end: last.report.end, program: last.plan.tool, run: last }]
      : []),
    ...(driver === null ? [] : [{ end: driver.end, program: driver.program, run: pass }]),
  ]
  return killed.flatMap(({ end, program, run }) => {
    const message = explainEnd(end, { timeoutMs, program, passNumber: run.passNumber ?? pass.passNumber })
    return message === null ? [] : [errorOf(message)]
  })
}

/** The last run of a tool already reports how it was killed. */
function withoutRepeats(cut: readonly LatexError[], { errors }: Diagnostics): readonly LatexError[] {
  return cut.filter(({ message }) => errors.every((error) => error.message !== message))
}

/** The driver failed without a message; errors of the document do not explain that. */
function explainDriver(driver: DriverRun | null, { errors }: Diagnostics): readonly LatexError[] {
  if (driver === null || driver.end.kind !== 'exited' || driver.end.exitCode === 0) return []
  if (errors.some(({ message }) => /^x?dvipdfmx:|^dvips: !|^Ghostscript |driver return code/.test(message))) return []
  return [errorOf(`${driver.program} could not make the PDF (exit code ${driver.end.exitCode})`)]
}

/** Adds an error when there is no PDF and none was found, so that every failure has a cause. */
function withCause(
  found: Diagnostics,
  { context, pass }: FinishedPasses,
  { isCut }: { readonly isCut: boolean },
): Diagnostics {
  const { rootFile } = context.job
  const name = posix.basename(rootFile)
  if (!isCut && UNREADABLE_NAME.test(name))
    return { ...found, errors: [{ ...errorOf(`TeX cannot read a file with the name "${name}".`), file: rootFile }] }
  return found.errors.length > 0 ? found : { ...found, errors: [errorOf(causeOf(pass))] }
}

function causeOf(pass: EngineRun): string {
  if (factsOf(pass)?.hasNoPages) return 'No pages of output.'
  const { end } = pass.report
  const exit = end.kind === 'exited' ? ` (exit code ${end.exitCode})` : ''
  // An engine that fails before it opens its log reports the reason on standard error.
  const hasLog = pass.output.kind === 'done' && pass.output.value.log.length > 0
  const said = hasLog ? null : lastErrorLine(pass.report.stderr)
  return `${pass.row.program} made no PDF${exit}${said === null ? '' : `: ${said}`}`
}

function lastErrorLine(stderr: Uint8Array): string | null {
  const lines = latin1(stderr.subarray(-4096)).split('\n')
  const line = lines.findLast((candidate) => /^(?:error|caused by):|not found/.test(candidate))
  return line?.slice(0, 300) ?? null
}

function errorOf(message: string): LatexError {
  return { type: 'error', file: null, line: null, message, context: null, source: 'latex' }
}
