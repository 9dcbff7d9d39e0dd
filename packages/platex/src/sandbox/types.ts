/** The interface of the sandbox: runs one program in one workspace. */

import type { FontMap, ShortFontMapScope } from './cache/short-font-map.ts'
import type { FontRequest } from './metafont/parse-font-requests.ts'
import type { WorkspaceInputs } from './limits/limits.ts'

export interface SandboxCommand {
  /** Name of a program of the TeX system: `pdflatex`, `biber`, `makeindex` … on the sandbox's own PATH. */
  readonly program: string
  readonly args: readonly string[]
  /** Added to the sandbox's allow-list environment; nothing is inherited from the host. */
  readonly env?: Readonly<Record<string, string>>
  /** @default 'whole' */
  readonly fontMap?: FontMap
  /** Input for the program if it waits in the workspace already; otherwise it is started. */
  readonly resume?: ResumeOrder | null | undefined
}

/** A program that is started before its input is known. */
export interface WaitingCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** @default 'whole' */
  readonly fontMap?: FontMap
  /** Working directory inside the workspace, relative. */
  readonly folder: string
  /** The end of its standard output when it waits; null for a program without output. */
  readonly prompt: string | null
}

/** Input of a waiting program. */
export interface ResumeOrder {
  readonly waiting: WaitingCommand
  readonly input: string | Uint8Array
}

/** The beginning of an input file, for a program that then waits for the rest. */
export interface ReadAheadOrder {
  readonly workspaceDir: string
  /** Path of the input file in the workspace; not there yet. */
  readonly path: string
  readonly start: Uint8Array
  /** How long reading it may take. */
  readonly timeoutMs: number
  /** How long its run after that may take. */
  readonly runTimeoutMs: number
  /**
   * Called when the program must give its memory back. Null for the next pass of a compile, which makes no others give theirs
   * back.
   */
  readonly onEvicted: (() => Promise<void>) | null
}

/** A program that has read the beginning of its input; `run` resumes it with the rest. */
export interface ReadAhead {
  readonly command: WaitingCommand
  isWaiting(): boolean
  /** True once it has read everything; false if it ended. */
  readonly isReady: Promise<boolean>
  /**
   * Assigns it to a compile and puts the whole file under the name of the input; false if it is gone. `changed`: files that
   * it has not opened, and their new content; null = removed. `lastDir`: the workspace that the compile leaves; null for a
   * new compile.
   */
  take(content: Uint8Array, changed: ReadonlyMap<string, Uint8Array | null>, lastDir: string | null): Promise<boolean>
}

/** Output of a resumed program before it was resumed. */
export interface BeforeResume {
  readonly stdout: Uint8Array
  readonly env: Readonly<Record<string, string>>
}

/** Programs that wait for compiles. */
export interface WaitingStatus {
  /** Names of the programs that wait now. */
  readonly programs: readonly string[]
  readonly memoryBytes: number
  /** Maximum number of waiting programs. */
  readonly maxCount: number
  /** Compiles with and without a waiting program since the start. */
  readonly hits: number
  readonly misses: number
}

export interface SandboxRunOptions {
  /** Absolute path of the only folder that the program may write to. */
  readonly workspaceDir: string
  /** Working directory inside the workspace, relative, `/` between names. @default '' = the workspace itself */
  readonly folder?: string | undefined
  /** Wall-clock milliseconds until all processes of the program are killed. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Called with each piece of standard output as it arrives. */
  readonly onStdout?: ((chunk: Uint8Array) => void) | undefined
}

export type SandboxLimit = 'memory' | 'disk' | 'entries' | 'output' | 'file-size' | 'cpu'

/** How a run ended. Failures are values: only opening the sandbox throws. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'limit-exceeded'; readonly limit: SandboxLimit }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-found' }

export interface RunReport {
  readonly end: RunEnd
  /** Standard output; it and standard error are cut after 4 MiB each. */
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly durationMs: number
  /** Only of a program that had waited: what it did before. Its earlier output is not in `stdout`. */
  readonly before?: BeforeResume | undefined
}

/**
 * A font that LuaTeX has parsed. `path`: absolute, of ASCII letters, digits and `@ + , . / _ -` and spaces only. `number`:
 * within a collection, from 1; null = the file is one font.
 */
export interface FontFile {
  readonly path: string
  readonly number: number | null
}

export interface Sandbox {
  readonly kind: 'bubblewrap' | 'none'
  /** Why bubblewrap is not available, and the remedy; null if it is. */
  readonly weakness: SandboxWeakness | null
  /** Mechanism that enforces the limits of a compile. */
  readonly limits: LimitEnforcement
  /** Runs one program to its end; never rejects because of the program. */
  run(command: SandboxCommand, options: SandboxRunOptions): Promise<RunReport>
  /** True if the program is installed where `run` finds it. */
  has(program: string): boolean
  /**
   * Queries a program about itself or its installation, without document and isolation; null if it is missing or fails.
   */
  ask(program: string, args: readonly string[]): Promise<string | null>
  /** Scope of the short font map; null if there is no short map. */
  readonly shortFontMap: ShortFontMapScope | null
  /** Indexes the fonts of the host in advance of the first LuaTeX run; once per TeX installation. */
  prepareFonts(): Promise<void>
  /** Parses fonts of the host in the background, so that later runs of LuaTeX find them in the cache. */
  keepFonts(fonts: readonly FontFile[]): void
  /** Resolves when the fonts are in the cache. */
  whenFontsKept(): Promise<void>
  /** Makes missing fonts, shared or for one document, and returns those available now. */
  makeFonts(order: FontOrder): Promise<readonly string[]>
  /** The PDF of an EPS, SVG or TIFF picture, cached by its tenant and bytes. */
  convertPicture(order: PictureOrder): Promise<PictureOutcome>
  /** The PDF of an earlier conversion of the same bytes for the same tenant, or null. */
  findConvertedPicture(picture: Pick<PictureOrder, 'kind' | 'bytes' | 'tenant'>): Promise<Uint8Array | null>
  /** Creates an empty workspace folder for `run`, with room for `inputs` (default: none) and for results. */
  createWorkspace(inputs?: WorkspaceInputs, options?: WorkspaceOptions): Promise<string>
  /** Starts a program in a workspace in advance of a likely run. */
  startAhead(command: WaitingCommand, workspaceDir: string, timeoutMs: number): void
  /** True if programs wait here, and a processor is free. */
  canReadAhead(): boolean
  /**
   * Starts a program in a workspace and lets it read the beginning of its input. Null if programs do not wait here, or there
   * is no room.
   */
  readAhead(command: WaitingCommand, order: ReadAheadOrder): Promise<ReadAhead | null>
  /** Keeps a program waiting for later compiles, if enabled and there is room; resolves then. */
  keepWaiting(command: WaitingCommand): Promise<void>
  waitingStatus(): WaitingStatus
  /** Stops the waiting programs, and starts no more. Compiles that have begun keep their fonts. */
  stopWaiting(): Promise<void>
  /** Stops everything that runs for no compile: waiting programs, and those that index fonts. */
  close(): Promise<void>
  /** Reads a result without following links; null if missing, not a plain file, hard-linked or over `maxBytes`. */
  readResult(workspaceDir: string, name: string, maxBytes: number): Promise<Uint8Array | null>
  /** Removes a workspace whatever the document did to it. */
  removeWorkspace(workspaceDir: string): Promise<void>
}

/** A sandbox with its successors after changes of programs, TeX files, formats or fonts. */
export interface RefreshableSandbox extends Sandbox {
  /** The newest sandbox. */
  latest(): Sandbox
  /** A sandbox for the current installation. Cheap if nothing changed. One compile uses one sandbox. */
  refresh(): Promise<Sandbox>
}

export interface SandboxWeakness {
  readonly code: string
  /** Message for the user: what is missing. */
  readonly reason: string
  /** Remedy: the command to run, or the setting to change. */
  readonly remedy: string
}

/**
 * What enforces the limits of a whole compile. Null = the kernel; otherwise a watcher polls every few milliseconds and
 * kills, which a hostile document can overshoot for a moment, and the value says what the kernel lacks.
 */
export interface LimitEnforcement {
  readonly disk: SandboxWeakness | null
  readonly memory: SandboxWeakness | null
}

export interface WorkspaceOptions {
  /** The workspace is preferably one in which this waits already. @default null */
  readonly wanted?: WaitingCommand | null
  /** Another workspace of the same compile: the limit of memory is for both together. @default null */
  readonly partOf?: string | null
}

/** A document's request for fonts. */
export interface FontOrder {
  readonly requests: readonly FontRequest[]
  /** METAFONT sources in the document's folder, `signs.mf`. */
  readonly ownSources: ReadonlySet<string>
  readonly workspaceDir: string
  readonly folder: string
  /** Milliseconds left for all of them. */
  remainingMs(): number
  readonly signal?: AbortSignal | undefined
}

export type PictureKind = 'eps' | 'svg' | 'tiff'

export interface PictureOrder {
  readonly kind: PictureKind
  readonly bytes: Uint8Array
  /** Converted pictures are shared by the jobs of one tenant. @default those without a tenant */
  readonly tenant?: string | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type PictureOutcome =
  | { readonly kind: 'converted'; readonly pdf: Uint8Array }
  /** `reason` is for the author of the document. `isStopped`: the converter did not end by itself. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isStopped: boolean }
