/** Worker thread script: parses the output of documents. */
import { explainDiagnostics } from '../explain/explain-diagnostics.ts'
import type { Diagnostics } from '../log/types.ts'
import { serveTasks } from '../worker/serve-tasks.ts'
import { inspectPass, listOpenedFiles } from './passes/inspect-pass.ts'
import { recordPass } from './passes/record-pass.ts'
import { describePages } from './preview/describe-pages.ts'
import { collectLogs } from './result/collect-logs.ts'
import { diagnosePasses } from './result/diagnose-passes.ts'
import { readSynctex } from './result/read-synctex.ts'
import { digestOutputs, inspectTool } from './tools/inspect-tool.ts'
import { viewWorkspace, type WorkspacePlace } from './workspace-view.ts'

export const inspectTasks = {
  inspectPass,
  listOpenedFiles,
  inspectTool,
  digestOutputs,
  recordPass,
  diagnosePasses,
  explainInWorkspace,
  collectLogs,
  readSynctex,
  describePages,
}

serveTasks(inspectTasks)

/** Diagnostics of a compile and the location of its sources, as plain data. */
export interface DiagnosticsToExplain extends Diagnostics {
  readonly place: WorkspacePlace
  /** Text files of the job. */
  readonly textFiles: readonly string[]
  /** Paths of all files of the job. */
  readonly files: readonly string[]
}

/** Maximum total size of the sources that are read; of all others only the names are used. */
const MAX_SOURCE_BYTES = 24 * 1024 * 1024
const MAX_FILES = 5_000

/** Explains diagnostics with the sources in the workspace. */
export async function explainInWorkspace({
  errors,
  warnings,
  place,
  textFiles,
  files,
}: DiagnosticsToExplain): Promise<Diagnostics> {
  const workspace = viewWorkspace(place)
  const sources = new Map<string, Uint8Array>(files.slice(0, MAX_FILES).map((path) => [path, new Uint8Array()]))
  let left = MAX_SOURCE_BYTES
  for (const path of textFiles.slice(0, MAX_FILES)) {
    const bytes = await workspace.read(path)
    if (bytes === null || bytes.length > left) continue
    left -= bytes.length
    sources.set(path, bytes)
  }
  return explainDiagnostics({ errors, warnings }, sources, place.rootFile)
}
