import type { BibEngine, CompileProgress, CompileResult, ProjectEngine, OutputName, PassCount } from '../base/types.ts'
import type { CacheAddress } from '../base/bounded-cache.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { PageDescription } from './preview/describe-pages.ts'
import type { SourceLine } from './preview/find-page-of-line.ts'

/** One compile of one document. */
export interface CompileJob {
  /** Path of the root file relative to the project; TeX runs in its folder, as `latexmk -cd` does. */
  readonly rootFile: string
  /** Relative path → bytes, the root file included. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly engine: ProjectEngine
  /** @default 'auto' */
  readonly passes?: PassCount
  /** @default 'bibtex' */
  readonly bibliography?: BibEngine
  /** Time limit of the whole compile, in milliseconds. */
  readonly timeoutMs: number
  /** True if work for the fonts of a new installation does not count: their index, and METAFONT. @default false: it counts */
  readonly waitsForFonts?: boolean | undefined
  /** Cancels the compile, which rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Create SyncTeX data. @default false */
  readonly synctex?: boolean
  /** Additional files to return. @default none */
  readonly outputs?: readonly OutputName[] | undefined
  /** `aux` of an earlier outcome of the same document: saves passes and tool runs. Relative path → bytes. */
  readonly warmStartFiles?: ReadonlyMap<string, Uint8Array> | undefined
  /** Time of the document in seconds since 1970 UTC: the same time gives the same PDF. @default now */
  readonly sourceDateEpoch?: number | undefined
  readonly sandbox: Sandbox
  /** Key for a fair share of the worker threads that analyze results. @default each compile is its own requester */
  readonly requester?: string | undefined
  /** Jobs of one tenant share cached bibliographies and converted pictures. @default none */
  readonly tenant?: string | undefined
  /** Describe the pages, and find the page of an edited line. @default no description */
  readonly describePages?: { readonly edited: SourceLine | null } | undefined
  /** Identifies the document among the documents of an owner, for engines that read it ahead. @default none reads ahead */
  readonly document?: CacheAddress | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
  /** Called with each PDF that the next pass will probably only confirm. The outcome contains the final PDF. */
  readonly onConfirming?: ((confirming: ConfirmingPdf) => void) | undefined
}

/** A PDF that is being confirmed. */
export interface ConfirmingPdf {
  readonly pdf: Uint8Array
  /** Null if TeX did not report it. */
  readonly pages: number | null
}

/** A job with every default filled in. */
export type ResolvedJob = CompileJob &
  Required<Pick<CompileJob, 'passes' | 'bibliography' | 'synctex'>> & { readonly sourceDateEpoch: number }

/** The result of a project build, with more than the HTTP API returns. */
export interface CompileOutcome {
  readonly result: CompileResult
  /** Gunzipped SyncTeX text with paths relative to the workspace, or null. */
  readonly synctex: Uint8Array | null
  /** Files of the job that TeX read in its last pass or that a bibliography or index tool read, relative, sorted. */
  readonly inputs: readonly string[]
  /** If asked for, and there is a PDF. */
  readonly pages?: PageDescription | undefined
  /** Warm-start files for the next compile; empty if the passes did not converge, and if they are too large. */
  readonly aux: ReadonlyMap<string, Uint8Array>
}

/** The outcome of a compile on this machine. */
export interface LocalOutcome extends CompileOutcome {
  /** False if the time limit, the system or other compiles have ended a step: the same files may compile better later. */
  readonly isComplete: boolean
  /** Files that the project lacks and that the last pass would have read, relative. */
  readonly sought: readonly string[]
}
