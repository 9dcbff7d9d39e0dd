import type { BibEngine } from '../../base/types.ts'
import type { EngineRow } from '../../engine/engines.ts'
import type { ResumeOrder } from '../../sandbox/types.ts'
import type { Budget } from '../budget.ts'
import { documentEnvironment } from '../document-environment.ts'
import { inspect, inspectionOptions, prepareInspection } from '../inspect.ts'
import type { ResolvedJob } from '../job.ts'
import { keepOutput } from '../log-excerpt.ts'
import type { WaitingReader } from '../readers/reader-store.ts'
import type { Workspace } from '../workspace.ts'
import { invocationOf } from '../readers/engine-command.ts'
import { fontMapFor } from '../readers/font-map.ts'
import { restoreOutput } from './restore-log.ts'
import type { EngineRun } from './run.ts'
import { resumeOrder, traceOf, waitingEngineFor } from './waiting-engine.ts'

/** Number of the pass. */
export interface PassOrder {
  readonly row: EngineRow
  readonly passNumber: number
  readonly reason: string
  readonly isDraft: boolean
  /** The input of an engine that has begun the pass already; null if none has. */
  readonly begun: ResumeOrder | null
  /** The preferred bibliography tool; null if no tool can follow. */
  readonly toolsFor: BibEngine | null
}

/** Runs the engine once and reads its log and recorder file. */
export async function runEnginePass(
  order: PassOrder,
  { job, workspace, budget }: { job: ResolvedJob; workspace: Workspace; budget: Budget },
): Promise<EngineRun> {
  const { row, passNumber, reason, isDraft, toolsFor } = order
  const { folder, rootName } = workspace
  const { synctex, sourceDateEpoch: epoch } = job
  const waiting = waitingEngineFor(job, row)
  job.onProgress?.({ kind: 'pass-started', passNumber, program: row.program, reason })
  prepareInspection()
  // The file of the previous pass would look like a file of this pass.
  if (passNumber > 1 && order.begun === null && row.recorder === 'fls')
    await workspace.remove(workspace.outputPath('fls'))
  const { before, ...report } = await workspace.sandbox.run(
    {
      program: row.program,
      args: row.arguments(invocationOf(job, { isDraft })),
      env: documentEnvironment(job, workspace),
      ...fontMapFor(job, row),
      resume:
        order.begun ??
        (passNumber === 1 && workspace.reader !== null
          ? restOf(workspace.reader, job)
          : waiting && resumeOrder(waiting, { row, rootName, isDraft, synctex, epoch })),
    },
    {
      workspaceDir: workspace.dir,
      folder,
      timeoutMs: budget.remainingMs(),
      signal: budget.signal,
      onStdout: countPages((page) => job.onProgress?.({ kind: 'page', passNumber, page })),
    },
  )
  job.onProgress?.({ kind: 'pass-ended', passNumber, program: row.program, durationMs: report.durationMs })
  const trace = traceOf(before, { waiting, rootName, epoch })
  const output = await inspect(
    'inspectPass',
    {
      place: workspace.place,
      recorder: row.recorder,
      toolsFor: report.end.kind === 'exited' ? toolsFor : null,
      trace,
    },
    inspectionOptions({ job, workspace, budget }),
  )
  const stdout = trace === null ? report.stdout : restoreOutput(report.stdout, trace)
  const kept = { ...report, stdout: keepOutput(stdout), stderr: keepOutput(report.stderr) }
  return { kind: 'engine', row, passNumber, reason, isDraft, report: kept, trace, output }
}

/** The input of an engine that has read the beginning of the document. */
function restOf({ program, start }: WaitingReader, job: ResolvedJob): ResumeOrder {
  return { waiting: program.command, input: job.files.get(job.rootFile)?.subarray(start.length) ?? '' }
}

const BRACKET = 0x5b

/**
 * Watches standard output for pages: TeX prints `[12` as it ships page 12.
 *
 * Reports the number of pages so far, once per chunk, because a document can print a million brackets of its own.
 * Suitable only for a progress bar.
 */
export function countPages(onPage: (page: number) => void): (chunk: Uint8Array) => void {
  let isAfterBracket = false
  let pages = 0
  return (chunk) => {
    const pagesBefore = pages
    if (isAfterBracket && isDigit(chunk[0])) pages += 1
    for (let at = chunk.indexOf(BRACKET); at !== -1; at = chunk.indexOf(BRACKET, at + 1)) {
      if (isDigit(chunk[at + 1])) pages += 1
    }
    isAfterBracket = chunk.at(-1) === BRACKET
    if (pages > pagesBefore) onPage(pages)
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}
