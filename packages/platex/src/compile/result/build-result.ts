/**
 * The result of one compile: pages if they are whole, and everything a person should know about them.
 *
 * Warnings come from the last engine pass alone, since "undefined reference" in the first one is no news. Whatever
 * happens, a result without a PDF has at least one error.
 */
import type { CompileResult, LatexError, RawPassLog } from '../../base/types.ts'
import type { Diagnostics } from '../../log/types.ts'
import type { RunEnd, RunReport } from '../../sandbox/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { keepOutput } from '../log-excerpt.ts'
import type { LogFacts } from '../passes/read-log-facts.ts'
import type { EngineRun, FinishedPasses, Run } from '../passes/run.ts'
import type { Workspace } from '../workspace.ts'
import { outputOf } from './collect-logs.ts'
import { describePasses } from './describe-passes.ts'
import { explainEnd } from './explain-end.ts'

export async function buildResult(finished: FinishedPasses): Promise<CompileResult> {
  const { scene, trail, pass, driver } = finished
  const { job, workspace, budget } = scene
  const cut = explainCut(finished)
  const pdf = cut.length === 0 && hasPages(pass, driver) ? await readPdf(workspace) : null
  const found = await diagnose(finished)
  const spoken = { ...found, errors: [...found.errors, ...withoutRepeats(cut, found), ...explainDriver(driver, found)] }
  const { errors, warnings } = pdf === null ? withCause(spoken, finished) : spoken
  const report = {
    errors,
    warnings,
    logs: await readLogs(finished),
    stats: {
      passes: trail.runs.filter((run) => run.kind === 'engine').length,
      durationMs: Math.round(job.timeoutMs - budget.remainingMs()),
    },
  }
  const pages = factsOf(pass)?.pageCount ?? null
  return pdf === null ? { pdf, ...report } : { pdf, ...report, ...(pages === null ? {} : { pages }) }
}

/** Pages count when the last pass says it wrote them; an earlier pass may have left a file of the same name. */
function hasPages(pass: EngineRun, driver: RunReport | null): boolean {
  const { end } = driver ?? { end: pass.report.end }
  const isDone = driver === null || (end.kind === 'exited' && end.exitCode === 0)
  const facts = factsOf(pass)
  // Without a readable log the end of the file has to do.
  const isSilent = pass.row.isWholePipeline || facts === null
  return isDone && (isSilent ? pass.report.end.kind === 'exited' : facts.pageCount !== null)
}

function factsOf({ record }: EngineRun): LogFacts | null {
  return record.kind === 'done' ? record.value.facts : null
}

/** What the logs say; when they cannot be read, an error that says so. */
async function diagnose(finished: FinishedPasses): Promise<Diagnostics> {
  const { end } = finished.trail
  const diagnosed = await inspect('diagnosePasses', describePasses(finished), inspectionOptions(finished.scene))
  if (diagnosed.kind === 'fault') return { errors: [errorOf(diagnosed.message)], warnings: [] }
  if (end.kind !== 'unreadable') return diagnosed.value
  return { ...diagnosed.value, errors: [...diagnosed.value.errors, errorOf(end.fault)] }
}

async function readLogs(finished: FinishedPasses): Promise<readonly RawPassLog[]> {
  const { trail, driver } = finished
  const kept = driver && { ...driver, stdout: keepOutput(driver.stdout), stderr: keepOutput(driver.stderr) }
  const outputs = trail.runs.map(outputOf)
  const logs = await inspect('collectLogs', { outputs, driver: kept }, inspectionOptions(finished.scene))
  return logs.kind === 'done' ? logs.value : []
}

/** The errors of runs that were cut short: no log can tell of them. */
function explainCut({ scene, trail, pass, driver }: FinishedPasses): readonly LatexError[] {
  const { timeoutMs } = scene.budget
  const last = trail.runs.at(-1) ?? pass
  const killed: { end: RunEnd; program: string; run: Run }[] = [
    { end: pass.report.end, program: pass.row.program, run: pass },
    ...(last.kind === 'tool' && last.report.end.kind === 'timed-out'
      ? [{ end: last.report.end, program: last.plan.tool, run: last }]
      : []),
    ...(driver === null ? [] : [{ end: driver.end, program: 'xdvipdfmx', run: pass }]),
  ]
  return killed.flatMap(({ end, program, run }) => {
    const message = explainEnd(end, { timeoutMs, program, passNumber: run.passNumber ?? pass.passNumber })
    return message === null ? [] : [errorOf(message)]
  })
}

/** A run that is the last of its tool has said already how it was cut short. */
function withoutRepeats(cut: readonly LatexError[], { errors }: Diagnostics): readonly LatexError[] {
  return cut.filter(({ message }) => errors.every((error) => error.message !== message))
}

/** A driver that failed without saying why: errors of the document itself do not explain it. */
function explainDriver(driver: RunReport | null, { errors }: Diagnostics): readonly LatexError[] {
  if (driver === null || driver.end.kind !== 'exited' || driver.end.exitCode === 0) return []
  if (errors.some(({ message }) => /^x?dvipdfmx:|driver return code/.test(message))) return []
  return [errorOf(`xdvipdfmx could not make the PDF (exit code ${driver.end.exitCode})`)]
}

/** No PDF and no error so far: says what is known, so that no failure is without a cause. */
function withCause(found: Diagnostics, { pass }: FinishedPasses): Diagnostics {
  if (found.errors.length > 0) return found
  return { ...found, errors: [errorOf(causeOf(pass))] }
}

function causeOf(pass: EngineRun): string {
  if (factsOf(pass)?.hasNoPages) return 'No pages of output.'
  const { end } = pass.report
  const exit = end.kind === 'exited' ? ` (exit code ${end.exitCode})` : ''
  // TeX says in its log what is wrong; an engine that never came so far says it here.
  const hasLog = pass.record.kind === 'done' && pass.record.value.log.length > 0
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

/**
 * The PDF, if it is whole: a killed engine leaves a truncated file, so that a file is there proves nothing.
 */
export async function readPdf(workspace: Workspace): Promise<Uint8Array | null> {
  const bytes = await workspace.read(workspace.outputPath('pdf'))
  return bytes !== null && isWholePdf(bytes) ? bytes : null
}

/** True for bytes that start as a PDF and end as one, blanks after the end allowed. */
export function isWholePdf(bytes: Uint8Array): boolean {
  const text = (part: Uint8Array) => Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  return text(bytes.subarray(0, 5)) === '%PDF-' && text(bytes.subarray(-1024)).trimEnd().endsWith('%%EOF')
}
