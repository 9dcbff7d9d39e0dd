import { posix } from 'node:path'
import { createBibliographyPlaces } from '../../log/bibliography/find-bibliography-place.ts'
import { explainWithoutShell } from '../../log/explain-without-shell.ts'
import { findSourceMistakes } from '../../log/mistakes/find-source-mistakes.ts'
import { mergeDiagnostics } from '../../log/merge-diagnostics.ts'
import { parseEngineLog } from '../../log/parse-engine-log.ts'
import type { Diagnostics } from '../../log/types.ts'
import { findInvalidLines, placeInvalidBytes, type InvalidFiles } from '../../log/place-invalid-bytes.ts'
import { utf16Order } from '../../log/utf16.ts'
import type { ProjectEngine, LatexError, LatexWarning } from '../../base/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { diagnoseTool, type ToolToDiagnose } from './diagnose-tool.ts'
import { explainLongLine } from './explain-long-line.ts'
import { toWorkspacePath } from '../job-paths.ts'
import { countSkippedBytes, dropUnfinishedLine, joinEnds } from '../log-excerpt.ts'
import type { Recorder } from '../read-recorder.ts'
import { warnOfRefusedPackages } from './refused-packages.ts'
import { readEngineLog, type WaitingTrace } from '../passes/restore-log.ts'
import type { PassesEnd } from '../passes/run.ts'
import type { UnmetDemand } from '../tools/types.ts'
import { viewWorkspace, type WorkspacePlace, type WorkspaceView } from '../workspace-view.ts'

/** The output of all passes, as plain data. */
export interface PassesToDiagnose {
  readonly place: WorkspacePlace
  /** Text files of the job. */
  readonly textFiles: readonly string[]
  /** The engine of the last pass. */
  readonly engine: ProjectEngine
  /** The log may come from a draft pass. */
  readonly isDraft: boolean
  /** Recorder of the last pass. */
  readonly recorder: Recorder
  /** Trace of the last pass; null if its engine had not waited. */
  readonly trace: WaitingTrace | null
  /** Standard output of the last pass and of the driver after it. */
  readonly stdout: Uint8Array
  /** Standard error of the last pass. */
  readonly stderr: Uint8Array
  /** The last run of each tool on each subject. */
  readonly tools: readonly ToolToDiagnose[]
  /** Time limit of the whole compile. */
  readonly timeoutMs: number
  /** Requested picture → the reason why it could not be converted, or null. */
  readonly pictures: ReadonlyMap<string, string | null>
  readonly end: PassesEnd
  readonly passCount: number
  readonly unmet: readonly UnmetDemand[]
}

const MAX_MESSAGE_LENGTH = 2_000
/** Sources beyond this total size are not read: their diagnostics keep the position reported by TeX. */
const MAX_SOURCE_BYTES = 32 * 1024 * 1024

/** Diagnostics of the last engine pass, the last run of each tool, and the passes as a whole. */
export async function diagnosePasses(passes: PassesToDiagnose): Promise<Diagnostics> {
  const { recorder, timeoutMs, end, passCount, unmet } = passes
  const workspace = viewWorkspace(passes.place)
  const { sources, wideFiles, invalidFiles } = await readSources(passes.textFiles, workspace)
  const ends = await readEngineLog(workspace, passes.trace)
  const written = ends === null ? new Uint8Array() : joinEnds(ends)
  const log = end.kind === 'stopped' ? dropUnfinishedLine(written) : written
  const parsedLog = parseEngineLog({
    engine: passes.engine,
    log,
    stdout: passes.stdout,
    recordedFiles: recorder.names.length === 0 ? null : recorder.names,
    workspacePath: recorder.workingDir,
    rootFile: workspace.rootName,
    sources,
  })
  const engineLog = passes.isDraft ? withoutDraftMode(parsedLog) : parsedLog
  const openedSources = onlyRead(sources, { recorder, folder: workspace.folder })
  const spoken = [
    explainWideFiles(onlyRead(wideFiles, { recorder, folder: workspace.folder }), passes.engine),
    explainWithoutShell(engineLog, { failed: listFailures(passes.pictures, workspace.folder), sources }),
    explainLongLine(passes.stderr, openedSources),
    ...passes.tools.flatMap((tool) => {
      const said = diagnoseTool(tool, { sources, timeoutMs, passNumber: tool.passNumber })
      return [explainWideDatabases(said, wideFiles), said]
    }),
    { errors: [], warnings: findSourceMistakes(new Map([...openedSources, ...databasesOf(passes, sources)])) },
  ].map((part) => relativeToJob(placeInvalidBytes(part, invalidFiles), workspace.folder))
  const { errors, warnings } = mergeDiagnostics([
    ...spoken,
    warnOfSkippedLog(ends === null ? 0 : countSkippedBytes(ends)),
    explainPasses(end, passCount),
    { errors: [], warnings: warnOfRefusedPackages(recorder, latin1(log), passes.engine) },
    relativeToJob(explainUnmet(unmet, sources), workspace.folder),
  ])
  const hasBiberError = errors.some(({ source }) => source === 'biber')
  const due = warnings.filter((one) => !isAboutPasses(one, passes) && !(hasBiberError && isEmptyBibliography(one)))
  return { errors: errors.map(withShortMessage), warnings: due.map(withShortMessage) }
}

/** biblatex prints it if biber has written no entries. */
function isEmptyBibliography({ message }: LatexWarning): boolean {
  return message.startsWith('LaTeX Warning: Empty bibliography')
}

/** Whether a warning is about the number of passes and not about the document. */
function isAboutPasses({ code, message }: LatexWarning, { end, passCount }: PassesToDiagnose): boolean {
  if (end.kind === 'converged') return ASKS_TO_REPEAT.test(message)
  // The first pass does not know the labels and entries yet.
  const isUnresolved = code === 'undefined-reference' || code === 'undefined-citation'
  return isUnresolved && end.kind === 'stopped' && passCount === 1
}

/**
 * These are printed forever after biber has failed, or if TeX reads only the beginning of a file. Once the files no longer
 * change, another pass would not either.
 */
const ASKS_TO_REPEAT =
  /^Package (?:biblatex Warning: Please \(re\)run |rerunfilecheck Warning: File [`'].{1,300}' has changed\.)/

/** Only the last pass writes the PDF. If a timeout prevents it, the draft mode of the pass before is not the cause. */
function withoutDraftMode({ errors, warnings }: Diagnostics): Diagnostics {
  const isOwn = /[ \\](?:pdf)?draftmode enabled, not changing output pdf$/
  return { errors, warnings: warnings.filter(({ message }) => !isOwn.test(message)) }
}

/** A project may contain sources of other documents. */
function onlyRead(
  sources: ReadonlyMap<string, string>,
  { recorder, folder }: { readonly recorder: Recorder; readonly folder: string },
): ReadonlyMap<string, string> {
  return new Map([...sources].filter(([path]) => recorder.inputs.has(posix.join(folder, path))))
}

/** TeX does not record which databases bibtex and biber read. */
function databasesOf({ tools }: PassesToDiagnose, sources: ReadonlyMap<string, string>): readonly [string, string][] {
  const areRead = tools.some(({ plan: { tool } }) => tool === 'bibtex' || tool === 'biber')
  return areRead ? [...sources].filter(([path]) => /\.bib$/i.test(path)) : []
}

/** There can be thousands of messages. */
function withShortMessage<T extends { readonly message: string }>(diagnostic: T): T {
  const { message } = diagnostic
  return message.length <= MAX_MESSAGE_LENGTH
    ? diagnostic
    : { ...diagnostic, message: `${message.slice(0, MAX_MESSAGE_LENGTH)}…` }
}

/** Under the names that TeX has for them. */
function listFailures(pictures: ReadonlyMap<string, string | null>, folder: string): ReadonlyMap<string, string> {
  return new Map(
    [...pictures].flatMap(([path, reason]) => (reason === null ? [] : [[posix.relative(folder, path), reason]])),
  )
}

/** The user's text files under the names that TeX uses, relative to its working directory. */
async function readSources(
  paths: readonly string[],
  workspace: WorkspaceView,
): Promise<{
  readonly sources: ReadonlyMap<string, string>
  /** Files in UTF-16. */
  readonly wideFiles: ReadonlyMap<string, string>
  readonly invalidFiles: InvalidFiles
}> {
  const sources = new Map<string, string>()
  const wideFiles = new Map<string, string>()
  const invalidFiles = new Map<string, readonly number[]>()
  let left = MAX_SOURCE_BYTES
  for (const path of paths) {
    const bytes = left > 0 ? await workspace.read(path) : null
    left -= bytes?.length ?? 0
    const name = posix.relative(workspace.folder, path)
    sources.set(name, bytes === null || left < 0 ? '' : decodeText(bytes))
    if (bytes === null) continue
    if (utf16Order(bytes) !== null) wideFiles.set(name, '')
    const invalidLines = left < 0 ? [] : findInvalidLines(bytes)
    if (invalidLines.length > 0) invalidFiles.set(name, invalidLines)
  }
  return { sources, wideFiles, invalidFiles }
}

/** All other errors in such a file follow from this one. XeTeX reads UTF-16. */
function explainWideFiles(files: ReadonlyMap<string, string>, engine: ProjectEngine): Diagnostics {
  if (engine === 'xelatex') return { errors: [], warnings: [] }
  const errors = [...files.keys()].map((file): LatexError => {
    const message = `${file} is encoded in UTF-16, which ${engine} cannot read`
    return { type: 'error', file, line: 1, message, context: null, source: 'latex' }
  })
  return { errors, warnings: [] }
}

/** BibTeX and biber read UTF-8. */
function explainWideDatabases({ errors }: Diagnostics, files: ReadonlyMap<string, string>): Diagnostics {
  const read = errors.flatMap(({ file, source }) => (file !== null && files.has(file) ? [{ file, source }] : []))
  return {
    errors: read.slice(0, 1).map(({ file, source }): LatexError => {
      const message = `${file} is encoded in UTF-16, which ${source} cannot read`
      return { type: 'error', file, line: 1, message, context: null, source }
    }),
    warnings: [],
  }
}

function decodeText(bytes: Uint8Array): string {
  const order = utf16Order(bytes)
  if (order !== null) return new TextDecoder(`utf-16${order}`).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return latin1(bytes) // An 8-bit encoding: line numbers are the same.
  }
}

function relativeToJob(part: Diagnostics, folder: string): Diagnostics {
  if (folder === '') return part
  const place = <T extends { readonly file: string | null }>(entry: T): T =>
    entry.file === null ? entry : { ...entry, file: toWorkspacePath(entry.file, folder) }
  return { errors: part.errors.map(place), warnings: part.warnings.map(place) }
}

function warnOfSkippedLog(skippedBytes: number): Diagnostics {
  if (skippedBytes === 0) return { errors: [], warnings: [] }
  const megabytes = (skippedBytes / 1024 / 1024).toFixed(1)
  const message = `The log is very large: ${megabytes} MB in its middle were not analyzed, so errors and warnings may be missing.`
  return { errors: [], warnings: [warning(message)] }
}

function explainPasses(end: PassesEnd, passes: number): Diagnostics {
  if (end.kind !== 'unstable') return { errors: [], warnings: [] }
  const files = end.files.slice(0, 3).join(', ')
  const why = end.cycle === null ? `${files} changed every time` : `cycle of length ${end.cycle}: ${files}`
  return { errors: [], warnings: [warning(`References did not stabilize after ${passes} passes (${why})`)] }
}

function explainUnmet(unmet: readonly UnmetDemand[], sources: ReadonlyMap<string, string>): Diagnostics {
  const errors = unmet.filter((one) => one.severity === 'error')
  return {
    errors: errors.map(({ message, source, command }) => ({
      type: 'error',
      ...(command === undefined ? { file: null, line: null } : createBibliographyPlaces(sources).command(command)),
      message,
      context: null,
      source,
    })),
    warnings: unmet.filter((one) => one.severity === 'warning').map(({ message }) => warning(message)),
  }
}

function warning(message: string): LatexWarning {
  return { type: 'warning', code: 'other', file: null, line: null, message }
}
