import { posix } from 'node:path'
import { RULES_NAME } from '../engine/engines.ts'
import type { EngineRow } from '../engine/types.ts'
import type { Budget } from './budget.ts'
import { countPages } from './count-pages.ts'
import { documentEnvironment } from './document-environment.ts'
import type { CompileJob } from './job.ts'
import { readMakefileRules } from './read-makefile-rules.ts'
import { readRecorder, type Recorder } from './read-recorder.ts'
import type { EngineRun } from './run.ts'
import type { Workspace } from './workspace.ts'

/** Which pass this is. */
export interface PassOrder {
  readonly row: EngineRow
  readonly passNumber: number
  readonly reason: string
  readonly isDraft: boolean
}

/** Runs the engine once and reads what it says about itself: the log, and which files it read. */
export async function runEnginePass(
  order: PassOrder,
  { job, workspace, budget }: { job: CompileJob; workspace: Workspace; budget: Budget },
): Promise<EngineRun> {
  const { row, passNumber, reason, isDraft } = order
  const { folder, rootName, jobName } = workspace
  job.onProgress?.({ kind: 'pass-started', passNumber, program: row.program, reason })
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
  const log = (await workspace.read(workspace.outputPath('log'))) ?? new Uint8Array()
  const recorder = await readWhatWasRead(row, workspace)
  return { kind: 'engine', row, passNumber, reason, isDraft, report, log, recorder }
}

async function readWhatWasRead(row: EngineRow, workspace: Workspace): Promise<Recorder> {
  const { folder, givenFiles } = workspace
  const path = row.recorder === 'fls' ? workspace.outputPath('fls') : posix.join(folder, RULES_NAME)
  const text = new TextDecoder().decode((await workspace.read(path)) ?? new Uint8Array())
  return row.recorder === 'fls' ? readRecorder(text, folder) : readMakefileRules(text, { folder, givenFiles })
}
