import type {
  BibEngine,
  CompileProgress,
  CompileResult,
  Engine,
  OutputName,
  PassCount,
  SandboxMode,
} from '../base/types.ts'

/** One compile request: parsed, checked and with every default filled in. Where it runs is not decided yet. */
export interface CompileRequest {
  /** Content of the root file; null when `files` holds it. */
  readonly source: string | null
  /** Path of the root file; null for the default, `main.tex`. */
  readonly main: string | null
  readonly engine: Engine
  readonly passes: PassCount
  readonly bibliography: BibEngine
  /** Relative path → bytes; the root file is among them when `source` is null. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly timeoutMs: number
  /** Files to return beside the PDF. */
  readonly outputs: readonly OutputName[]
  /** Compiles of one session start from the auxiliary files of the last one; null = from nothing. */
  readonly session: string | null
}

export interface LocalCompileOptions {
  readonly sandbox: SandboxMode
  /** Where formats and font caches are kept. @default a folder of this user below the system's temporary folder */
  readonly cacheDir?: string | undefined
  /** Whose sessions and cached bibliographies to use. @default this program, for sessions only */
  readonly owner?: string | undefined
  /** Most engines that wait for the next documents. @default 0 */
  readonly maxWaiting?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}

/** Compiles on this machine. The client entry has none, which is what keeps it free of Node. */
export type LocalCompiler = (request: CompileRequest, options: LocalCompileOptions) => Promise<CompileResult>
