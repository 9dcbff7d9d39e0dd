import type { BibEngine, CompileProgress, CompileResult, Engine, OutputName, PassCount } from '../base/types.ts'
import type { Sandbox } from '../sandbox/types.ts'

/** One compile, validated and with every default filled in. */
export interface CompileJob {
  /** Path of the root document inside the workspace, `main.tex` on the wire, any `.tex` of a repository build. */
  readonly rootFile: string
  /** Relative path → bytes, the root document included. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly engine: Engine
  readonly passes: PassCount
  readonly bibliography: BibEngine
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Ask the engine for SyncTeX data. */
  readonly synctex: boolean
  /** Files to return beside the PDF. @default none */
  readonly outputs?: readonly OutputName[] | undefined
  /** Aux files of an earlier compile of the same document: start from them. Relative path → bytes. */
  readonly seed?: ReadonlyMap<string, Uint8Array> | undefined
  /** What the document takes for now, in seconds since 1970 UTC: the same number gives the same PDF. @default the clock */
  readonly sourceDateEpoch?: number | undefined
  readonly sandbox: Sandbox
  /** Whose work it is, for a fair share of the threads that analyse results. @default the compile alone */
  readonly requester?: string | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}

/** What a project build needs beyond the wire's result. */
export interface CompileOutcome {
  readonly result: CompileResult
  /** Gunzipped SyncTeX text with paths relative to the workspace, or null. */
  readonly synctex: Uint8Array | null
  /** Files of the job that TeX read in its last pass or that a bibliography or index tool read, relative, sorted. */
  readonly inputs: readonly string[]
  /** Aux files at the end, fit to seed the next compile; empty when the document did not converge. */
  readonly aux: ReadonlyMap<string, Uint8Array>
}
