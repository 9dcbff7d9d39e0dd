/**
 * The public types of this package.
 *
 * Source: compile specification, sections 2 and 4. Fields marked *addition* are not part of it and always optional, so
 * that older clients and services keep working.
 */
import type { DVI_ENGINE_NAMES, ENGINE_NAMES, OUTPUT_NAMES, WARNING_CODES } from './names.ts'

/** A TeX engine. `tectonic` cannot be requested over HTTP: it replaces a requested engine that is not installed. */
export type Engine = (typeof ENGINE_NAMES)[number]

/** An engine of a project, which may also make the PDF by way of DVI. Options of `compile` accept an `Engine` only. */
export type ProjectEngine = Engine | (typeof DVI_ENGINE_NAMES)[number]

/** The preferred bibliography tool; a document that requires another one gets it. */
export type BibEngine = 'bibtex' | 'biber' | 'none'

/** Number of engine passes; `auto` = until all inputs of a pass equal its outputs. */
export type PassCount = 'auto' | 1 | 2 | 3

/** The subject of a warning. */
export type WarningCode = (typeof WARNING_CODES)[number]

/** *Addition*: the package that provides a file, font or program missing on the machine that compiled. */
export interface MissingPackage {
  /** The missing file, font family or program: `siunitx.sty`, `TeX Gyre Termes`, `biber`. */
  readonly provides: string
  /** Debian or Ubuntu package; null if there is none. */
  readonly debian: string | null
  /** TeX Live package, by its `tlmgr` name; null if there is none. */
  readonly texlive: string | null
  /** Shell command that installs it on that machine; null if the package manager is unknown. */
  readonly command: string | null
}

/** *Addition*: a diagnostic in plain words. */
interface Explained {
  /** What is wrong, in one sentence without TeX jargon; absent if the message is as clear. */
  readonly summary?: string
  /** How to fix it, in one or two sentences. */
  readonly remedy?: string
  /** Present if a file, font or program is missing and its package is known. */
  readonly package?: MissingPackage
}

export interface LatexError extends Explained {
  readonly type: 'error'
  /** The user's file to edit, relative to the root of the project, or null. */
  readonly file: string | null
  /** 1-based line in `file`, or null if neither TeX nor the source determines it. */
  readonly line: number | null
  readonly message: string
  /** Surrounding lines of the TeX log, at most 20, or null. */
  readonly context: string | null
  readonly source: 'latex' | 'bibtex' | 'biber'
  /** *Addition*: stable code of the kind of error, such as `undefined-command`; absent for unknown kinds. */
  readonly code?: string
  /** *Addition*: 1-based column in `line`, in UTF-16 code units, if known. */
  readonly column?: number
  /** *Addition*: index in `errors` of the error that caused this one. It comes before this one. */
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
  /** 1-based number of the run, bibliography runs included. */
  readonly passNumber: number
  readonly engine: Engine | 'bibtex' | 'biber'
  readonly stdout: string
  readonly stderr: string
  /** The raw `.log` of an engine or `.blg` of a bibliography tool; longer logs are cut to 1 MB in the middle. */
  readonly log: string
  /** −1 if the run was killed. */
  readonly exitCode: number
  /** True if the run was killed by the timeout. */
  readonly timedOut: boolean
  /** *Addition*: the reason for this run, as text: `main.toc changed`. */
  readonly reason?: string
  /** *Addition*: wall time in milliseconds. */
  readonly durationMs?: number
}

/** *Addition*: an additional output file that can be requested, by extension. */
export type OutputName = (typeof OUTPUT_NAMES)[number]

/** *Addition*: the requested files; null for one that the document did not create. */
export type CompileOutputs = Readonly<{ [name in OutputName]?: Uint8Array | null }>

/** *Addition*: statistics of a compile. */
export interface CompileStats {
  /** Engine passes, without bibliography and index runs. */
  readonly passes: number
  readonly durationMs: number
}

/** The lists belong to the caller, as in the specification: they are arrays, not `readonly`. */
interface CompileReport {
  readonly errors: LatexError[]
  readonly warnings: LatexWarning[]
  readonly logs: RawPassLog[]
  /** *Addition*: pages of the PDF; absent without one. */
  readonly pages?: number
  readonly stats?: CompileStats
  /** *Addition*: present if `outputs` requests files; at most 16 MB in total. */
  readonly outputs?: CompileOutputs
}

/** There is a PDF, and there may be errors too. */
export interface CompileSuccess extends CompileReport {
  readonly pdf: Uint8Array
}

/** There is no PDF; `errors` has at least one entry. */
export interface CompileFailure extends CompileReport {
  readonly pdf: null
}

/** `if (result.pdf)` narrows the type. LaTeX errors are values; only an invalid request throws. */
export type CompileResult = CompileSuccess | CompileFailure

/** Inclusive limits of input and PDF. A request cannot raise the limits of a service. */
export interface CompileLimits {
  /** UTF-8 bytes of `source`. @default 5_000_000 */
  readonly maxSourceBytes?: number
  /** Entries in `files`. @default 50 */
  readonly maxFilesCount?: number
  /** Decoded bytes of all files together. @default 25_000_000 */
  readonly maxTotalFilesBytes?: number
  /** *Addition*: bytes of the PDF; a larger one is a compile error. @default 67_108_864 */
  readonly maxPdfBytes?: number
}

/**
 * Isolation of local compiles. `auto` = bubblewrap if it works; `required` = fail without it; `none` = no isolation.
 */
export type SandboxMode = 'required' | 'auto' | 'none'

/** *Addition*: a progress event of a running compile. */
export type CompileProgress =
  | { readonly kind: 'pass-started'; readonly passNumber: number; readonly program: string; readonly reason: string }
  | { readonly kind: 'page'; readonly passNumber: number; readonly page: number }
  | { readonly kind: 'pass-ended'; readonly passNumber: number; readonly program: string; readonly durationMs: number }
  /** A run that was skipped, and why: a tool whose input has not changed, or another pass after the last one. */
  | { readonly kind: 'skipped'; readonly program: string; readonly reason: string }

export interface CompileOptions {
  /** @default 'pdflatex' */
  readonly engine?: Engine
  /** @default 'auto' */
  readonly passes?: PassCount
  /** @default 'bibtex' */
  readonly bibliography?: BibEngine
  /** `.bib` files, images, included `.tex` files: relative name with `/` → bytes or text. @default {} */
  readonly files?: Readonly<Record<string, Uint8Array | string>>
  /** *Addition*: path of the root file, any `.tex`; TeX runs in its folder. @default 'main.tex' */
  readonly main?: string
  /** *Addition*: additional files to return: `['bbl', 'synctex']`. @default [] */
  readonly outputs?: readonly OutputName[]
  /**
   * *Addition*: name of an editing session. Each compile starts from the auxiliary files of the last one, which are
   * kept for ten minutes and save passes and tool runs. A service separates sessions by API key.
   */
  readonly session?: string
  /** URL of a compile service. @default environment variable COMPILE_SERVICE_URL; unset or empty = compile locally */
  readonly serviceUrl?: string
  /** Sent as `Authorization: Bearer`. @default environment variable COMPILE_API_KEY */
  readonly apiKey?: string
  /** Added to remote requests; override the default headers. @default {} */
  readonly headers?: Readonly<Record<string, string>>
  /** Time limit of the whole compile, in milliseconds. @default 30_000 */
  readonly timeout?: number
  readonly limits?: CompileLimits
  /** Additional attempts after network errors, timeouts and 5xx; never after 4xx or abort. @default 0 */
  readonly retry?: number
  /** Used for remote compiles. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch
  /** Cancels the compile and kills its processes. */
  readonly signal?: AbortSignal
  /** *Addition*, local compiles only. @default 'auto' */
  readonly sandbox?: SandboxMode
  /**
   * *Addition*: called when passes start, ship pages and end; remotely only if the service can stream. An exception
   * cancels the compile.
   */
  readonly onProgress?: (progress: CompileProgress) => void
}

/** Defaults of a client: all options except the options of a single call. */
export type PlatexClientConfig = Omit<CompileOptions, 'files' | 'main' | 'signal' | 'onProgress'>

export interface PlatexClient {
  /** A plain function without `this`. `source` may be null if `files` contains the root file named by `main`. */
  readonly compile: (source: string | null, options?: CompileOptions) => Promise<CompileResult>
  /** True if the service answers `GET /health` with `{"status":"ok"}` within 5 s, or if no service is set. */
  readonly health: () => Promise<boolean>
  /** *Addition*: the limits of its configuration, which its request handlers apply. */
  readonly limits?: CompileLimits | undefined
}
