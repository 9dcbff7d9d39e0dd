import type { EngineRow } from '../../engine/types.ts'
import type { BibEngine } from '../../base/types.ts'
import type { Budget } from '../budget.ts'
import { countPages } from './count-pages.ts'
import { documentEnvironment } from '../document-environment.ts'
import { inspect, inspectionOptions, prepareInspection } from '../inspect.ts'
import type { CompileJob } from '../job.ts'
import { keepOutput } from '../log-excerpt.ts'
import type { EngineRun } from './run.ts'
import type { Workspace } from '../workspace.ts'

/** Which pass this is. */
export interface PassOrder {
  readonly row: EngineRow
  readonly passNumber: number
  readonly reason: string
  readonly isDraft: boolean
  /** The caller's preference where tools may follow; null when nothing can follow. */
  readonly toolsFor: BibEngine | null
}

/** Runs the engine once and has it read what the pass says about itself: the log, and which files it read. */
export async function runEnginePass(
  order: PassOrder,
  { job, workspace, budget }: { job: CompileJob; workspace: Workspace; budget: Budget },
): Promise<EngineRun> {
  const { row, passNumber, reason, isDraft, toolsFor } = order
  const { folder, rootName, jobName } = workspace
  job.onProgress?.({ kind: 'pass-started', passNumber, program: row.program, reason })
  prepareInspection()
  const report = await workspace.sandbox.run(
    {
      program: row.program,
      args: row.arguments({ rootName, jobName, isDraft, synctex: job.synctex, passes: job.passes }),
      env: documentEnvironment(job, workspace),
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
  const record = await inspect(
    'recordPass',
    { place: workspace.place, recorder: row.recorder, toolsFor: report.end.kind === 'exited' ? toolsFor : null },
    inspectionOptions({ job, workspace, budget }),
  )
  const kept = { ...report, stdout: keepOutput(report.stdout), stderr: keepOutput(report.stderr) }
  return { kind: 'engine', row, passNumber, reason, isDraft, report: kept, record }
}
