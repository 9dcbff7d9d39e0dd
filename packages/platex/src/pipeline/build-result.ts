/**
 * The result of one compile: pages if they are whole, and everything a person should know about them.
 *
 * Warnings come from the last engine pass alone, since "undefined reference" in the first one is no news. Whatever
 * happens, a result without a PDF has at least one error.
 */
import type { RunEnd, RunReport } from '../sandbox/types.ts'
import type { CompileResult, LatexError } from '../types.ts'
import type { Diagnostics } from '../log/types.ts'
import { mergeDiagnostics } from '../log/merge-diagnostics.ts'
import { latin1 } from './canonical-digest.ts'
import { collectLogs } from './collect-logs.ts'
import { diagnosePasses } from './diagnose-passes.ts'
import { explainEnd } from './explain-end.ts'
import { readPdf } from './read-pdf.ts'
import type { FinishedPasses } from './finished-passes.ts'
import type { EngineRun, Run } from './run.ts'

export async function buildResult(finished: FinishedPasses): Promise<CompileResult> {
  const { scene, trail, pass, driver } = finished
  const { job, workspace, budget } = scene
  const cut = explainCut(finished)
  const pdf = cut.length === 0 && hasPages(pass, driver) ? await readPdf(workspace) : null
  const said = diagnosePasses(finished)
  const found = mergeDiagnostics([said, { errors: [...cut, ...explainDriver(driver, said)], warnings: [] }])
  const { errors, warnings } = pdf === null ? withCause(found, finished) : found
  const report = {
    errors,
    warnings,
    logs: collectLogs(trail.runs, driver),
    stats: {
      passes: trail.runs.filter((run) => run.kind === 'engine').length,
      durationMs: Math.round(job.timeoutMs - budget.remainingMs()),
    },
  }
  const pages = countPagesOf(pass)
  return pdf === null ? { pdf, ...report } : { pdf, ...report, ...(pages === null ? {} : { pages }) }
}

/** Pages count when the last pass says it wrote them; an earlier pass may have left a file of the same name. */
function hasPages(pass: EngineRun, driver: RunReport | null): boolean {
  const { end } = driver ?? { end: pass.report.end }
  const isDone = driver === null || (end.kind === 'exited' && end.exitCode === 0)
  return isDone && (pass.row.isWholePipeline ? pass.report.end.kind === 'exited' : countPagesOf(pass) !== null)
}

function countPagesOf(pass: EngineRun): number | null {
  const tail = latin1(pass.log.subarray(-65_536)).replaceAll('\r', '')
  const count = [...tail.matchAll(/Output written on [^\n]*\((\d+) pages?/g)].at(-1)?.[1]
  return count === undefined ? null : Number(count)
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
  if (/^No pages of output\./m.test(latin1(pass.log.subarray(-65_536)))) return 'No pages of output.'
  const { end } = pass.report
  const exit = end.kind === 'exited' ? ` (exit code ${end.exitCode})` : ''
  // TeX says in its log what is wrong; an engine that never came so far says it here.
  const said = pass.log.length === 0 ? lastErrorLine(pass.report.stderr) : null
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
