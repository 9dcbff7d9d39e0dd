/**
 * Every type that crosses an entry point of this package.
 *
 * Source: compile specification, sections 2 and 4. Fields marked *addition* go beyond it and are always optional,
 * so that a peer that has never heard of them keeps working.
 */
import type { ENGINE_NAMES, OUTPUT_NAMES, WARNING_CODES } from './names.ts'

/** A TeX engine. `tectonic` is never a wire value: it replaces a requested engine that is not installed. */
export type Engine = (typeof ENGINE_NAMES)[number]

/** The bibliography tool a caller prefers; the document wins where the preference cannot work. */
export type BibEngine = 'bibtex' | 'biber' | 'none'

/** Engine passes: exactly that many, or `auto` = until what a pass read equals what it left behind. */
export type PassCount = 'auto' | 1 | 2 | 3

/** What a warning is about. */
export type WarningCode = (typeof WARNING_CODES)[number]

/**
 * *Addition*: the package that provides what a document lacks on the machine that compiled it.
 */
export interface MissingPackage {
  /** File, font family or program that was not found: `siunitx.sty`, `TeX Gyre Termes`, `biber`. */
  readonly provides: string
  /** Debian or Ubuntu package; null when they have none. */
  readonly debian: string | null
  /** Package of TeX Live as `tlmgr` names it; null when TeX Live has none. */
  readonly texlive: string | null
  /** Shell command that installs it on that machine; null when its package manager is not known. */
  readonly command: string | null
}

/** *Addition*: a diagnostic in plain words. */
interface Explained {
  /** What is wrong, in one sentence that needs no knowledge of TeX; absent where the message is as clear. */
  readonly summary?: string
  /** What to do, in one sentence or two. */
  readonly remedy?: string
  /** Present when a file, font or program is missing and its package is known. */
  readonly package?: MissingPackage
}

export interface LatexError extends Explained {
  readonly type: 'error'
  /** The user's own file nearest to the fault, relative to the root of the job, or null. */
  readonly file: string | null
  /** 1-based line in `file`, or null if neither TeX nor the source determines it. */
  readonly line: number | null
  readonly message: string
  /** Surrounding lines of the TeX log, at most 20, or null. */
  readonly context: string | null
  readonly source: 'latex' | 'bibtex' | 'biber'
  /** *Addition*: the kind of error, `undefined-command`: stable, for programs; absent for what has no name. */
  readonly code?: string
  /** *Addition*: 1-based column in `line`, in UTF-16 code units, where TeX tells it. */
  readonly column?: number
  /** *Addition*: index in `errors` of the error that this one only follows from. It comes before this one. */
  readonly cause?: number
}

export interface LatexWarning extends Explained {
  readonly type: 'warning'
  readonly code: WarningCode
  readonly file: string | null
  readonly line: number | null
  readonly message: string
}

/** One run of one program. */
export interface RawPassLog {
  /** 1-based over all runs of the job in order, bibliography runs included. */
  readonly passNumber: number
  readonly engine: Engine | 'bibtex' | 'biber'
  readonly stdout: string
  readonly stderr: string
  /** The raw `.log` of an engine, the `.blg` of a bibliography tool; at most 1 MiB, cut in the middle. */
  readonly log: string
  /** −1 when the run was killed. */
  readonly exitCode: number
  /** True if the run was killed for exceeding the time budget. */
  readonly timedOut: boolean
  /** *Addition*: why this run happened, for a person: `main.toc changed`. */
  readonly reason?: string
  /** *Addition*: wall time in milliseconds. */
  readonly durationMs?: number
}

/** *Addition*: a file beside the PDF that a caller can ask for, by its extension. */
export type OutputName = (typeof OUTPUT_NAMES)[number]

/** *Addition*: the requested files; null for one that the document did not create. */
export type CompileOutputs = Readonly<{ [name in OutputName]?: Uint8Array | null }>

/** *Addition*: what a compile cost. */
export interface CompileStats {
  /** Engine passes, bibliography and index runs not counted. */
  readonly passes: number
  readonly durationMs: number
}

interface CompileReport {
  readonly errors: readonly LatexError[]
  readonly warnings: readonly LatexWarning[]
  readonly logs: readonly RawPassLog[]
  /** *Addition*: pages of the PDF; absent without one. */
  readonly pages?: number
  readonly stats?: CompileStats
  /** *Addition*: present when `outputs` asked for files; 16 MiB together at most. */
  readonly outputs?: CompileOutputs
}

/** A PDF came out, perhaps with errors beside it. */
export interface CompileSuccess extends CompileReport {
  readonly pdf: Uint8Array
}

/** No PDF; `errors` holds at least one entry. */
export interface CompileFailure extends CompileReport {
  readonly pdf: null
}

/** `if (result.pdf)` narrows. LaTeX failures are values: only a broken request throws. */
export type CompileResult = CompileSuccess | CompileFailure

/** Ceilings of input and PDF; each is inclusive. A remote caller cannot raise the server's. */
export interface CompileLimits {
  /** UTF-8 bytes of `source`. @default 5_000_000 */
  readonly maxSourceBytes?: number
  /** Entries in `files`. @default 50 */
  readonly maxFilesCount?: number
  /** Decoded bytes of all files together. @default 25_000_000 */
  readonly maxTotalFilesBytes?: number
  /** *Addition*: bytes of the PDF; a larger one is an error of the compile. @default 67_108_864 */
  readonly maxPdfBytes?: number
}

/** How a local compile is confined. `auto` = bubblewrap where it works; `required` = refuse without it. */
export type SandboxMode = 'required' | 'auto' | 'none'

/** *Addition*: what happens while a compile runs. */
export type CompileProgress =
  | { readonly kind: 'pass-started'; readonly passNumber: number; readonly program: string; readonly reason: string }
  | { readonly kind: 'page'; readonly passNumber: number; readonly page: number }
  | { readonly kind: 'pass-ended'; readonly passNumber: number; readonly program: string; readonly durationMs: number }
  /** A run that was not needed, and why: a tool whose input is the same, the pass after the last one. */
  | { readonly kind: 'skipped'; readonly program: string; readonly reason: string }

export interface CompileOptions {
  /** @default 'pdflatex' */
  readonly engine?: Engine
  /** @default 'auto' */
  readonly passes?: PassCount
  /** @default 'bibtex' */
  readonly bibliography?: BibEngine
  /** `.bib`, images, included `.tex`: relative name with `/` → bytes, or text. @default {} */
  readonly files?: Readonly<Record<string, Uint8Array | string>>
  /** *Addition*: path of the root file, any `.tex`; TeX runs in its folder. @default 'main.tex' */
  readonly main?: string
  /** *Addition*: files to return beside the PDF: `['bbl', 'synctex']`. @default [] */
  readonly outputs?: readonly OutputName[]
  /**
   * *Addition*: name of an editing session. Its compiles start from the auxiliary files of the last one, which saves passes
   * and tool runs; kept for ten minutes. A service keeps sessions apart by API key.
   */
  readonly session?: string
  /** Compile there instead of here. @default environment variable COMPILE_SERVICE_URL; unset or empty = compile locally */
  readonly serviceUrl?: string
  /** Sent as `Authorization: Bearer`. @default environment variable COMPILE_API_KEY */
  readonly apiKey?: string
  /** Merged into the remote request; an explicit header overrides one of ours. @default {} */
  readonly headers?: Readonly<Record<string, string>>
  /** Wall-clock budget for the whole pipeline, in milliseconds. @default 30_000 */
  readonly timeout?: number
  readonly limits?: CompileLimits
  /** Extra attempts after network faults, timeouts and 5xx of a remote service; never after 4xx or abort. @default 0 */
  readonly retry?: number
  /** Used for the remote path. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
  /** Cancels at once, killing what runs. */
  readonly signal?: AbortSignal
  /** *Addition*, local compiles only. @default 'auto' */
  readonly sandbox?: SandboxMode
  /**
   * *Addition*: called as passes start, ship pages and end. Remotely when the service can stream. What it throws
   * cancels the compile.
   */
  readonly onProgress?: (progress: CompileProgress) => void
}

/** Defaults baked into a client: everything but what belongs to one call. */
export type PlatexClientConfig = Omit<CompileOptions, 'files' | 'main' | 'signal' | 'onProgress'>

export interface PlatexClient {
  /** Plain function: needs no `this`. `source` may be null when `files` holds the root file that `main` names. */
  readonly compile: (source: string | null, options?: CompileOptions) => Promise<CompileResult>
  /** True when the service answers `GET /health` with `{"status":"ok"}` within 5 s, or when there is none to ask. */
  readonly health: () => Promise<boolean>
}
