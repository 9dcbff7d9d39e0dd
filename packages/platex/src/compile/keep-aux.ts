import { toWorkspacePath } from './job-paths.ts'
import type { CompileJob } from './job.ts'
import { lastEngineRun, recorderOf, type PassContext, type PassHistory } from './passes/run.ts'
import type { Recorder } from './read-recorder.ts'
import { encodeLabelSources, labelFileOf } from './labels/label-memory.ts'
import { LABELS_NAME, MEMORY_NAME } from './tools/tool-memory.ts'
import type { ToolPlan } from './tools/types.ts'

/** Beyond this size, storing warm-start files costs more than a pass. */
const MAX_WARM_START_BYTES = 16 * 1024 * 1024

const READ_AT_ONCE = 8
/** The `.aux` of a root file is searched up to here: on the main thread, and a document can make it as long as its disk. */
const MAX_AUX_BYTES = 2 * 1024 * 1024

/** The part of a compile that tells which of its files are obsolete. */
type WarmCompile = Pick<PassContext, 'job' | 'workspace' | 'labelSources'>

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
  const { inputs, outputs } = recorderOf(lastEngineRun(history.runs))
  const isReplaced = (path: string): boolean => last.before.has(path) && outputs.has(path)
  const made = await listMade([...last.after.keys()], history, context)
  const labelSources = new Map([...context.labelSources].filter(([document]) => inputs.has(labelFileOf(document))))
  const paths = [...last.after.keys()].filter(
    (path) => (isRead(path) || !last.writeOnly.has(path)) && (isReplaced(path) || made.has(path)),
  )
  paths.push(...[...labelSources.keys()].map(labelFileOf))
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
  if (labelSources.size > 0) kept.set(LABELS_NAME, encodeLabelSources(labelSources, context.job.files))
  return kept.set(MEMORY_NAME, context.memory.toBytes())
}

/** True if a pass or a tool read a warm-start file that this compile would not have made. */
export async function readsObsoleteFile(history: PassHistory, context: WarmCompile): Promise<boolean> {
  const recorders = recordersOf(history)
  const plans = plansOf(history)
  const isRead = (path: string): boolean =>
    // The first pass reads the `.aux` of a removed chapter, because the old `.aux` of the document inputs it.
    (path.endsWith('.aux') ? recorders.slice(-1) : recorders).some(({ inputs }) => inputs.has(path)) ||
    plans.some(({ reads }) => reads.includes(path))
  return (await listObsolete(history, context)).some(isRead)
}

/**
 * Warm-start files that this compile would not have made, such as a `.tex` file whose `filecontents` environment was deleted,
 * or the `.bbl` of a bibliography that was.
 */
export async function listObsolete(history: PassHistory, context: WarmCompile): Promise<readonly string[]> {
  const { files, warmStartFiles } = context.job
  const recorders = recordersOf(history)
  const isWritten = (path: string): boolean => recorders.some(({ outputs }) => outputs.has(path))
  const paths = [...(warmStartFiles?.keys() ?? [])].filter((path) => !files.has(path) && !isWritten(path))
  const made = await listMade(paths, history, context)
  return paths.filter((path) => !made.has(path))
}

function recordersOf({ runs }: PassHistory): readonly Recorder[] {
  return runs.flatMap((run) => (run.kind === 'engine' ? [recorderOf(run)] : []))
}

/**
 * The outputs of tools, the imported labels, the `.aux` files that the last pass wrote, and those that the one of the root file inputs: LaTeX reads
 * the `.aux` of a chapter that `\includeonly` excludes, and does not write it. `paths`: the files in question.
 */
async function listMade(
  paths: readonly string[],
  history: PassHistory,
  { workspace, labelSources }: WarmCompile,
): Promise<ReadonlySet<string>> {
  const made = new Set(plansOf(history).flatMap((plan) => plan.outputs))
  for (const document of labelSources.keys()) made.add(labelFileOf(document))
  const written = [...recorderOf(lastEngineRun(history.runs)).outputs].filter((path) => path.endsWith('.aux'))
  for (const path of written) made.add(path)
  if (paths.every((path) => !path.endsWith('.aux') || made.has(path))) return made
  const ends = await workspace.readEnds(workspace.outputPath('aux'), { headBytes: MAX_AUX_BYTES, tailBytes: 0 })
  const text = new TextDecoder().decode(ends?.head)
  for (const [, name = ''] of text.matchAll(/^\\@input\{([^{}\n]{1,500})\}/gm)) {
    const chapter = toWorkspacePath(name.replaceAll('"', ''), workspace.folder)
    if (chapter !== null) made.add(chapter)
  }
  return made
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
