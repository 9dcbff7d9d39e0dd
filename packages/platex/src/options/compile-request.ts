import type {
  BibEngine,
  CompileProgress,
  CompileResult,
  Engine,
  OutputName,
  PassCount,
  SandboxMode,
} from '../base/types.ts'

/** A validated compile request, completed with the defaults. It can run locally or remotely. */
export interface CompileRequest {
  /** Content of the root file; null if `files` contains it. */
  readonly source: string | null
  /** Path of the root file; null for the default, `main.tex`. */
  readonly main: string | null
  readonly engine: Engine
  readonly passes: PassCount
  readonly bibliography: BibEngine
  /** Relative path → bytes; contains the root file if `source` is null. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly timeoutMs: number
  /** Additional files to return. */
  readonly outputs: readonly OutputName[]
  /** Each compile of a session starts from the auxiliary files of the last one; null = no session. */
  readonly session: string | null
}

export interface LocalCompileOptions {
  readonly sandbox: SandboxMode
  /** Folder for formats and font caches. @default a folder of this user below the system's temporary folder */
  readonly cacheDir?: string | undefined
  /** Owner of the sessions and cached bibliographies to use. @default this program, for sessions only */
  readonly owner?: string | undefined
  /** Maximum number of engines that wait for the next documents. @default 0 */
  readonly maxWaiting?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}

/** Compiles on this machine. The client entry point has none, so it does not need Node.js. */
export type LocalCompiler = (request: CompileRequest, options: LocalCompileOptions) => Promise<CompileResult>
