import { posix } from 'node:path'
import { explainPictures } from '../log/explain-pictures.ts'
import { mergeDiagnostics } from '../log/merge-diagnostics.ts'
import { parseEngineLog } from '../log/parse-engine-log.ts'
import type { Diagnostics } from '../log/types.ts'
import type { LatexWarning } from '../types.ts'
import type { FinishedPasses } from './finished-passes.ts'
import { latin1 } from './canonical-digest.ts'
import { diagnoseTool } from './diagnose-tool.ts'
import type { CompileJob } from './job.ts'
import { warnOfRefusedPackages } from './refused-packages.ts'
import type { EngineRun, ToolRun } from './run.ts'
import type { PassesEnd } from './run-passes.ts'
import { toWorkspacePath } from './job-paths.ts'

/** A larger text is data, and no line of it will be shown. */
const MAX_TEXT_BYTES = 5_000_000

/** What the last engine pass, the last run of each tool and the passes as a whole have to say. */
export function diagnosePasses({ scene, trail, pass, driver }: FinishedPasses): Diagnostics {
  const { job, workspace, budget, pictures } = scene
  const sources = readSources(job, workspace.folder)
  const stdout =
    driver === null ? pass.report.stdout : Buffer.concat([pass.report.stdout, driver.stdout, driver.stderr])
  const engineLog = parseEngineLog({
    engine: pass.row.engine,
    log: pass.log,
    stdout,
    recordedFiles: pass.recorder.names.length === 0 ? null : pass.recorder.names,
    workspacePath: pass.recorder.workingDir,
    rootFile: workspace.rootName,
    sources,
  })
  const spoken = [
    explainPictures(engineLog, { failed: listFailures(pictures, workspace.folder), sources }),
    ...lastToolRuns(trail.runs).map((run) =>
      diagnoseTool(run, { sources, timeoutMs: budget.timeoutMs, passNumber: run.passNumber ?? pass.passNumber }),
    ),
  ].map((part) => relativeToJob(part, workspace.folder))
  return mergeDiagnostics([
    ...spoken,
    explainPasses(trail.end, countEnginePasses(trail.runs)),
    refused(pass),
    unmet(trail),
  ])
}

/** Under the names that TeX has for them. */
function listFailures(pictures: ReadonlyMap<string, string | null>, folder: string): ReadonlyMap<string, string> {
  return new Map(
    [...pictures].flatMap(([path, reason]) => (reason === null ? [] : [[posix.relative(folder, path), reason]])),
  )
}

/** The user's texts under the names that TeX has for them, relative to the folder it runs in. */
function readSources(job: CompileJob, folder: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const [path, bytes] of job.files) {
    if (bytes.length > MAX_TEXT_BYTES || bytes.subarray(0, 8192).includes(0)) continue
    texts.set(posix.relative(folder, path), decodeText(bytes))
  }
  return texts
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return latin1(bytes) // An old source in an 8-bit encoding: its lines count the same.
  }
}

/** The last run of each tool on each subject. */
function lastToolRuns(runs: FinishedPasses['trail']['runs']): readonly ToolRun[] {
  const last = new Map<string, ToolRun>()
  for (const run of runs) if (run.kind === 'tool') last.set(`${run.plan.tool} ${run.plan.subject}`, run)
  return [...last.values()]
}

function relativeToJob(part: Diagnostics, folder: string): Diagnostics {
  if (folder === '') return part
  const place = <T extends { readonly file: string | null }>(entry: T): T =>
    entry.file === null ? entry : { ...entry, file: toWorkspacePath(entry.file, folder) }
  return { errors: part.errors.map(place), warnings: part.warnings.map(place) }
}

function countEnginePasses(runs: FinishedPasses['trail']['runs']): number {
  return runs.filter((run) => run.kind === 'engine').length
}

function explainPasses(end: PassesEnd, passes: number): Diagnostics {
  if (end.kind !== 'unstable') return { errors: [], warnings: [] }
  const files = end.files.slice(0, 3).join(', ')
  const why = end.circle === null ? `${files} changed every time` : `cycle of length ${end.circle}: ${files}`
  return { errors: [], warnings: [warning(`References did not stabilise after ${passes} passes (${why})`)] }
}

function refused(pass: EngineRun): Diagnostics {
  return { errors: [], warnings: warnOfRefusedPackages(pass.recorder, latin1(pass.log)) }
}

function unmet({ demand }: FinishedPasses['trail']): Diagnostics {
  const errors = demand.unmet.filter((one) => one.severity === 'error')
  return {
    errors: errors.map(({ message, source }) => ({
      type: 'error',
      file: null,
      line: null,
      message,
      context: null,
      source,
    })),
    warnings: demand.unmet.filter((one) => one.severity === 'warning').map(({ message }) => warning(message)),
  }
}

function warning(message: string): LatexWarning {
  return { type: 'warning', code: 'other', file: null, line: null, message }
}
