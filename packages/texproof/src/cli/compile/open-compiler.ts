import { isUtf8 } from 'node:buffer'
import { posix } from 'node:path'

import type { CompileResult, Engine, ProjectEngine } from '@texproof/platex'
import type { CompileProgress } from '@texproof/platex/project'

import { readCompileService } from '../../config/read-config.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { readSecret } from '../read-secret.ts'
import type { ChosenDocument } from './choose-document.ts'
import type { CompileCommandOptions } from './options.ts'
import type { Source } from './read-source.ts'

export interface CompileRun {
  readonly result: CompileResult
  /** Files that the document read, relative to the folder; null if unknown (a remote compile). */
  readonly inputs: readonly string[] | null
  /** While watching: files that are absent and that the document would have read, relative to the folder. */
  readonly sought: readonly string[]
}

/** Compiles a source locally or remotely. */
export interface Compiler {
  compile(source: Source, document: ChosenDocument, watcher: RunWatcher): Promise<CompileRun>
  /** Why compiles are not sandboxed, and how to fix it; null if they are, or if they run elsewhere. */
  readonly weakness: string | null
  /** Where and how it compiles, for the user. */
  readonly description: string
  /** Resolves when the fonts of finished compiles are ready for later ones; `close` stops this work. */
  whenFontsKept(): Promise<void>
  close(): Promise<void>
}

export interface RunWatcher {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: CompileProgress) => void
}

/** One for the next round, and one for a round interrupted by a change. */
const WAITING_WHILE_WATCHING = 2

/** Owner of the session and of converted pictures, which the next round finds. */
const WATCHER = 'compile --watch'

function isWatching({ watch, serve }: CompileCommandOptions): boolean {
  return watch !== undefined || serve !== undefined
}

/** Opens the compiler of the options: a service if one is named, otherwise the engines of this machine. */
export async function openCompiler(options: CompileCommandOptions): Promise<Compiler> {
  const service = readCompileService()
  const serviceUrl = options.remote ?? service.serviceUrl
  if (serviceUrl === null) return openLocalCompiler(options)
  const apiKey = options.apiKeyFile === undefined ? service.apiKey : await readSecret(options.apiKeyFile)
  return openRemoteCompiler({ serviceUrl, apiKey, options })
}

async function openLocalCompiler(options: CompileCommandOptions): Promise<Compiler> {
  const { openProjectCompiler, separateBuildProducts } = await import('@texproof/platex/project')
  const compiler = await openProjectCompiler({
    sandbox: options.unsafeNoSandbox ? 'none' : 'auto',
    waitingEngines: isWatching(options) ? WAITING_WHILE_WATCHING : 0,
  })
  const { weakness, kind } = compiler.sandbox
  const engines = compiler.engines().join(', ') || 'none'
  /** Warm-start files for the next round of `--watch`, by document, engine and bibliography tool. */
  const warmStarts = new Map<string, ReadonlyMap<string, Uint8Array>>()
  return {
    description: `Compiling locally, ${kind === 'none' ? 'no sandbox' : `${kind} sandbox`}; engines: ${engines}`,
    weakness: weakness === null || options.unsafeNoSandbox ? null : `${weakness.reason} ${weakness.remedy}`,
    compile: async (source, document, watcher) => {
      const documentKey = `${document.engine} ${document.bibliography} ${document.rootFile}`
      const job = {
        rootFile: document.rootFile,
        // Build products of earlier compiles beside the source are expected: no warning.
        files: separateBuildProducts(source.files, document.rootFile).files,
        engine: document.engine,
        bibliography: document.bibliography,
        passes: readPasses(options),
        warmStartFiles: warmStarts.get(documentKey),
        ...watcher,
      }
      const { result, inputs, aux, sought } = isWatching(options)
        ? await compiler.compileInSession({ ...job, tenant: WATCHER }, { owner: WATCHER, key: documentKey })
        : { ...(await compiler.compile(job)), sought: [] }
      // After an error, the files of the last successful round save more passes.
      if (aux.size > 0 && result.errors.length === 0) warmStarts.set(documentKey, aux)
      return { result, inputs, sought }
    },
    whenFontsKept: () => compiler.whenFontsKept(),
    close: () => compiler.close(),
  }
}

interface Remote {
  readonly serviceUrl: string
  readonly apiKey: string | null
  readonly options: CompileCommandOptions
}

async function openRemoteCompiler({ serviceUrl, apiKey, options }: Remote): Promise<Compiler> {
  const { createPlatexClient } = await import('@texproof/platex/client')
  const key = apiKey === null ? {} : { apiKey }
  const session = isWatching(options) ? { session: crypto.randomUUID() } : {}
  const client = createPlatexClient({ serviceUrl, ...key, ...session, retry: 2 })
  return {
    description: `Compiling at ${serviceUrl}`,
    weakness: null,
    compile: async (source, document, { timeoutMs, signal }) => {
      const { text, ...files } = await asWireDocument(source, document.rootFile)
      const { bibliography } = document
      const engine = wireEngine(document.engine)
      const passes = readPasses(options)
      const result = await client.compile(text, { ...files, engine, bibliography, passes, timeout: timeoutMs, signal })
      return { result, inputs: null, sought: [] }
    },
    whenFontsKept: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** @throws CliError for an engine that a compile service does not have. */
function wireEngine(engine: ProjectEngine): Engine {
  if (engine !== 'latex' && engine !== 'platex' && engine !== 'uplatex') return engine
  throw new CliError(`${engine} compiles locally only`, {
    exitCode: exitCodes.usage,
    remedy: 'Compile without --remote and COMPILE_SERVICE_URL, or choose another engine with --engine.',
  })
}

/** A document as options of a remote compile. */
interface WireDocument {
  /** The root file; null if it is among the files. */
  readonly text: string | null
  /** Its name, if it is not `main.tex`. */
  readonly main?: string
  readonly files: Readonly<Record<string, Uint8Array>>
}

/** The root file is sent as the source, which all services accept, unless it is not UTF-8 text. */
async function asWireDocument(source: Source, rootFile: string): Promise<WireDocument> {
  const { separateBuildProducts } = await import('@texproof/platex/project')
  const read = separateBuildProducts(source.files, rootFile).files
  const files = new Map([...read].map(([path, bytes]) => [withoutHiding(path), bytes]))
  const isWhole = reachesOut(files, rootFile)
  const sent = new Map([...files].filter(([path]) => mayTravel(path) && (isWhole || isBeside(rootFile, path))))
  const root = source.files.get(rootFile) ?? new Uint8Array()
  const main = wireName(rootFile)
  if (main !== rootFile && sent.has(main)) {
    throw new CliError(`remote compiles send the document as ${main}, and another file has that name`, {
      exitCode: exitCodes.usage,
      remedy: 'Rename that file, or select the input files with -f.',
    })
  }
  if (!isUtf8(root)) return { text: null, main, files: Object.fromEntries(sent.set(main, root)) }
  sent.delete(main)
  const name = main === 'main.tex' ? {} : { main }
  return { text: Buffer.from(root).toString('utf8'), ...name, files: Object.fromEntries(sent) }
}

/**
 * Whether a document may read files outside its folder. The others are not sent: a service would refuse the compile because
 * of their number, size or names.
 */
function reachesOut(files: Source['files'], rootFile: string): boolean {
  if (files.has('latexmkrc')) return true
  return [...files].some(([path, bytes]) => isBeside(rootFile, path) && Buffer.from(bytes).includes('../'))
}

/** Whether a file is in the folder of the root file. */
function isBeside(rootFile: string, path: string): boolean {
  return path.startsWith(rootFile.slice(0, rootFile.lastIndexOf('/') + 1))
}

/** A service accepts root files with the ending .tex only; the name of the job is the same. */
function wireName(rootFile: string): string {
  const { dir, name } = posix.parse(rootFile)
  return posix.join(dir, `${name}.tex`)
}

/**
 * A hidden latexmkrc can set search paths, and a service accepts it under its other name only. At most one is read for a
 * document, so no other file has that name.
 */
function withoutHiding(path: string): string {
  return path.replace(/(?<=^|\/)\.latexmkrc$/, 'latexmkrc')
}

/** Other hidden files are not part of a document, and a service would refuse the whole compile because of them. */
const strayName = /(?:^|\/)\.[^/]*(?:\/|$)/

function mayTravel(name: string): boolean {
  return !strayName.test(name)
}

function readPasses({ passes }: CompileCommandOptions): 'auto' | 1 | 2 | 3 {
  if (passes === 'auto') return passes
  return passes === '1' ? 1 : passes === '2' ? 2 : 3
}
