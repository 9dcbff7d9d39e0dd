import type { CompileJob, ResolvedJob } from './job.ts'
import { lastEngineRun, recorderOf, type PassContext, type PassHistory } from './passes/run.ts'
import type { Recorder } from './read-recorder.ts'
import { MEMORY_NAME } from './tools/tool-memory.ts'
import type { ToolPlan } from './tools/types.ts'

/** Beyond this size, storing warm-start files costs more than a pass. */
const MAX_WARM_START_BYTES = 16 * 1024 * 1024

const READ_AT_ONCE = 8

/**
 * Warm-start files for the next compile of this document: all files left by passes and tools, except those that only
 * tools read, and those that a pass writes only if they are missing. LaTeX would keep an old file of the environment
 * `filecontents` after an edit of its text.
 *
 * They include files that no pass read, such as the `.vrb` of beamer: a missing one would count as new in the next compile
 * and cause another pass.
 *
 * Empty unless the passes converged, because an intermediate state saves nothing.
 */
export async function keepAux(history: PassHistory, context: PassContext): Promise<ReadonlyMap<string, Uint8Array>> {
  const last = history.records.at(-1)
  if (history.end.kind !== 'converged' || last === undefined) return new Map()
  const isRead = (path: string): boolean => history.records.some((record) => record.read.has(path))
  const { outputs } = recorderOf(lastEngineRun(history.runs))
  const isReplaced = (path: string): boolean => last.before.has(path) && outputs.has(path)
  const isMade = isMadeBy(history)
  const paths = [...last.after.keys()].filter(
    (path) => (isRead(path) || !last.writeOnly.has(path)) && (isReplaced(path) || isMade(path)),
  )
  const kept = new Map<string, Uint8Array>()
  let size = 0
  for (let start = 0; start < paths.length; start += READ_AT_ONCE) {
    const some = paths.slice(start, start + READ_AT_ONCE)
    const contents = await Promise.all(some.map((path) => context.workspace.read(path)))
    for (const [index, path] of some.entries()) {
      const bytes = contents[index] ?? null
      if (bytes === null) continue
      size += bytes.length
      kept.set(path, bytes)
    }
    if (size > MAX_WARM_START_BYTES) return new Map()
  }
  if (kept.size === 0) return new Map()
  return kept.set(MEMORY_NAME, context.memory.toBytes())
}

/** True if a pass or a tool read a warm-start file that this compile would not have made. */
export function readsObsoleteFile(history: PassHistory, job: ResolvedJob): boolean {
  const recorders = recordersOf(history)
  const plans = plansOf(history)
  const isRead = (path: string): boolean =>
    recorders.some(({ inputs }) => inputs.has(path)) || plans.some(({ reads }) => reads.includes(path))
  return listObsolete(history, job).some(isRead)
}

/**
 * Warm-start files that this compile would not have made, such as a `.tex` file whose `filecontents` environment was deleted,
 * or the `.bbl` of a bibliography that was.
 */
export function listObsolete(history: PassHistory, { files, warmStartFiles }: ResolvedJob): readonly string[] {
  const recorders = recordersOf(history)
  const isMade = isMadeBy(history)
  const isWritten = (path: string): boolean => recorders.some(({ outputs }) => outputs.has(path))
  const paths = [...(warmStartFiles?.keys() ?? [])]
  return paths.filter((path) => !files.has(path) && !isWritten(path) && !isMade(path))
}

function recordersOf({ runs }: PassHistory): readonly Recorder[] {
  return runs.flatMap((run) => (run.kind === 'engine' ? [recorderOf(run)] : []))
}

/** True for outputs of tools. LaTeX reads the `.aux` of a chapter that `\includeonly` excludes, and does not write it. */
function isMadeBy(history: PassHistory): (path: string) => boolean {
  const outputs = new Set(plansOf(history).flatMap((plan) => plan.outputs))
  return (path) => outputs.has(path) || path.endsWith('.aux')
}

/** The tools of this compile, and those that need not run again. */
export function plansOf({ demand, runs }: PassHistory): readonly ToolPlan[] {
  return [...demand.plans, ...runs.flatMap((run) => (run.kind === 'tool' ? [run.plan] : []))]
}

/** The warm-start files that fit beside the files of a job, in which a file can have replaced a folder of chapters. */
export function fittingStart({ files, warmStartFiles }: CompileJob): CompileJob['warmStartFiles'] {
  if (warmStartFiles === undefined) return undefined
  const folders = new Set([...files.keys()].flatMap(foldersAbove))
  const fits = (path: string): boolean => !folders.has(path) && foldersAbove(path).every((folder) => !files.has(folder))
  return new Map([...warmStartFiles].filter(([path]) => fits(path)))
}

/** `a/b/c.aux` → `a`, `a/b`. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, at) => names.slice(0, at + 1).join('/'))
}
