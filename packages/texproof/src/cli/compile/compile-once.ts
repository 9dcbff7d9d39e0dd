import { dirname, join, parse, relative, resolve } from 'node:path'

import type { CompileResult } from '@texproof/platex'

import { listSettingsFiles } from '../../papers/detect/find-documents.ts'
import { quote } from '../../domain/text/shell-word.ts'
import type { ExitCode } from '../exit-codes.ts'
import { say } from '../say.ts'
import { chooseDocument } from './choose-document.ts'
import type { CompileReporter } from './report/reporter.ts'
import { compileExitCode } from './compile-exit-code.ts'
import type { Compiler } from './open-compiler.ts'
import type { CompileCommandOptions } from './options.ts'
import { readSource, saySkipped, type Source } from './read-source.ts'
import type { CompileSettings } from './read-settings.ts'
import { findFolderAbove, widenSource } from './widen-source.ts'
import { refuseOverwriting, writeOutputs } from './write-outputs.ts'

/** One `texproof compile`, or one round of it under `--watch`. */
export interface CompileJob {
  readonly path: string
  readonly options: CompileCommandOptions
  readonly settings: CompileSettings
  readonly compiler: Compiler
  readonly follower: CompileReporter
  readonly signal: AbortSignal
  /** Called before compiling. */
  readonly onSource?: (source: FoundSource) => void
}

/** Absolute paths. */
export interface FoundSource {
  /** The folder that contains the document. */
  readonly folder: string
  readonly rootFile: string
  readonly settings: readonly string[]
  readonly folders: readonly string[]
}

/** State of a round for the next one. */
export interface FinishedRound {
  readonly exitCode: ExitCode
  readonly result: CompileResult
  /** Absolute path of the PDF; null if none was written to a file. */
  readonly pdfPath: string | null
  /** Default path of the next PDF, beside the source. */
  readonly usualPdfPath: string
  /** The folder that contains the document, absolute. */
  readonly folder: string
  /** All its files, absolute; null if it was not listed. */
  readonly files: ReadonlySet<string> | null
  /** Files that the document read, absolute. */
  readonly inputs: readonly string[]
  /** Absent files that the document would have read, absolute. */
  readonly sought: readonly string[]
  /** Files whose settings apply to the document, absolute, whether or not they exist. */
  readonly settings: readonly string[]
  /** The folders of the files, absolute. */
  readonly folders: readonly string[]
  /** Folders in which a missing file may appear, absolute; empty for a document without errors. */
  readonly searched: readonly string[]
}

/**
 * Reads the source, compiles it, writes the outputs, and notifies the reporter.
 *
 * @throws CliError for wrong usage; PlatexError from the compiler; the signal's reason when cancelled.
 */
export async function compileOnce(job: CompileJob): Promise<FinishedRound> {
  const { path, options, settings, compiler, follower, signal } = job
  const only = options.file ?? (path === '-' ? [] : null)
  const source = await widenSource(await readSource(path, { only }), options)
  if (!options.quiet) saySkipped(source)
  const document = await chooseDocument(source, options)
  if (options.explain || options.verbose) {
    say(`${document.rootFile}: ${document.engine}, ${document.bibliography}: ${document.reason}`)
  }
  const pdf = defaultOutput(source, document.rootFile)
  const found = {
    folder: source.folder,
    rootFile: join(source.folder, document.rootFile),
    settings: listSettingsFiles(dirname(document.rootFile)).map((file) => join(source.folder, file)),
    folders: source.folders,
  }
  await refuseOverwriting(options, [found.rootFile])
  job.onSource?.(found)
  const startedAt = performance.now()
  follower.onStart(document.rootFile)
  const { timeoutMs } = settings
  const { onProgress } = follower
  const { result, inputs, sought } = await compiler.compile(source, document, { timeoutMs, signal, onProgress })
  const inFolder = (file: string): string => join(source.folder, file)
  // A remote compile does not report its inputs.
  await refuseOverwriting(options, (inputs ?? []).map(inFolder))
  const output = await writeOutputs(result, options, pdf)
  const exitCode = compileExitCode(result, settings)
  follower.onEnd({
    title: document.rootFile,
    result,
    output,
    durationMs: performance.now() - startedAt,
    exitCode,
    readLine: (file, line) => readSourceLine(source, file, line),
  })
  if (result.errors.some(({ code }) => code === 'missing-file')) hintAtFolderAbove(source, options)
  const read = inputs ?? [...source.files.keys()]
  return {
    exitCode,
    result,
    pdfPath: output === null ? null : resolve(output),
    usualPdfPath: pdf,
    folder: source.folder,
    files: only === null ? new Set([...source.files.keys()].map(inFolder)) : null,
    inputs: read.map(inFolder),
    sought: sought.map(inFolder),
    settings: found.settings,
    folders: found.folders,
    searched: result.errors.length === 0 ? [] : found.folders,
  }
}

/** A missing file may be at the path in the source, above the folder that was read. */
function hintAtFolderAbove(source: Source, options: CompileCommandOptions): void {
  const above = findFolderAbove(source, options)
  if (above === null) return
  const [folder, wider] = [source.folder, above].map((path) => quote(relative('', path) || '.'))
  say(`Files above ${folder} were not read. To include them: texproof compile ${wider}`)
}

/** Next to the source, with its name; the PDF of standard input goes to standard output. */
function defaultOutput(source: Source, rootFile: string): string {
  const { dir, name } = parse(rootFile)
  return source.isStandardInput ? '-' : join(source.folder, dir, `${name}.pdf`)
}

function readSourceLine(source: Source, file: string, line: number): string | null {
  const bytes = source.files.get(file)
  return bytes === undefined
    ? null
    : (Buffer.from(bytes)
        .toString('utf8')
        .split(/\r\n|\r|\n/)[line - 1] ?? null)
}
