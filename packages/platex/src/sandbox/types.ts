/** The interface of the sandbox: runs one program in one workspace. */

import type { FontRequest } from './metafont/parse-font-requests.ts'
import type { WorkspaceInputs } from './limits/limits.ts'

export interface SandboxCommand {
  /** Name of a program of the TeX system: `pdflatex`, `biber`, `makeindex` … looked up on the sandbox's own PATH. */
  readonly program: string
  readonly args: readonly string[]
  /** Added to the sandbox's allow-list environment; nothing is inherited from the host. */
  readonly env?: Readonly<Record<string, string>>
  /** How to use the program if it waits in the workspace already; without this it is started. */
  readonly resume?: ResumeOrder | null | undefined
}

/** A program that is started before its input is known. */
export interface WaitingCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Working directory inside the workspace, relative. */
  readonly folder: string
  /** What its standard output ends with when it waits; null for a program that waits in silence. */
  readonly prompt: string | null
}

/** What to give a waiting program. */
export interface ResumeOrder {
  readonly waiting: WaitingCommand
  readonly input: string | Uint8Array
}

/** What a resumed program did before it was resumed. */
export interface BeforeResume {
  readonly stdout: Uint8Array
  readonly env: Readonly<Record<string, string>>
}

/** What waits for compiles. */
export interface WaitingStatus {
  /** Names of the programs that wait now. */
  readonly programs: readonly string[]
  readonly memoryBytes: number
  /** Most programs that may wait at a time. */
  readonly maxCount: number
  /** Compiles that found a waiting program, and that did not, since the start. */
  readonly hits: number
  readonly misses: number
}

export interface SandboxRunOptions {
  /** Absolute path of the one folder that the program may write to. */
  readonly workspaceDir: string
  /** Working directory inside the workspace, relative, `/` between names. @default '' = the workspace itself */
  readonly folder?: string | undefined
  /** Wall-clock milliseconds until everything the program started is killed. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Called with each piece of standard output as it arrives. */
  readonly onStdout?: ((chunk: Uint8Array) => void) | undefined
}

export type SandboxLimit = 'memory' | 'disk' | 'entries' | 'output' | 'file-size' | 'cpu'

/** How a run ended. Ends are values: only opening the sandbox throws. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly exitCode: number }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'limit-exceeded'; readonly limit: SandboxLimit }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-found' }

export interface RunReport {
  readonly end: RunEnd
  /** At most 4 MiB each are kept. */
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly durationMs: number
  /** For a program that had waited; its output before is not in `stdout`. */
  readonly before?: BeforeResume | undefined
}

export interface Sandbox {
  readonly kind: 'bubblewrap' | 'none'
  /** Why there is no bubblewrap, and what to do; null when there is. */
  readonly weakness: SandboxWeakness | null
  /** What enforces the limits of a compile. */
  readonly limits: LimitEnforcement
  /** Runs one program to its end; never rejects for what the program does. */
  run(command: SandboxCommand, options: SandboxRunOptions): Promise<RunReport>
  /** True when the program is installed where `run` would find it. */
  has(program: string): boolean
  /** Asks a program about itself or its installation, on no document and without isolation; null when it is missing or fails. */
  ask(program: string, args: readonly string[]): Promise<string | null>
  /** Indexes the fonts of the host now, which the first LuaTeX run would otherwise wait for; once per TeX installation. */
  prepareFonts(): Promise<void>
  /** Makes fonts that TeX missed, shared or for one document, and names those that are there now. */
  makeFonts(order: FontOrder): Promise<readonly string[]>
  /** The PDF of an EPS or SVG picture, converted unless the same bytes were before. */
  convertPicture(order: PictureOrder): Promise<PictureOutcome>
  /** The PDF that an earlier conversion of the same bytes made, or null. */
  findConvertedPicture(picture: Pick<PictureOrder, 'kind' | 'bytes'>): Promise<Uint8Array | null>
  /**
   * Makes an empty workspace folder that `run` accepts, with room for `inputs` (default: none) and for results; one in
   * which `wanted` waits already, if there is one.
   */
  createWorkspace(inputs?: WorkspaceInputs, wanted?: WaitingCommand | null): Promise<string>
  /** Starts a program in a workspace that a later run will probably resume. */
  startAhead(command: WaitingCommand, workspaceDir: string, timeoutMs: number): void
  /** Keeps a program waiting for the next compiles that want it, where programs may wait and there is room; resolves then. */
  keepWaiting(command: WaitingCommand): Promise<void>
  waitingStatus(): WaitingStatus
  /** Ends the programs that wait for compiles, and keeps none from now on. */
  stopWaiting(): Promise<void>
  /** Reads a result without following links; null when absent, not a plain file, hard-linked or over `maxBytes`. */
  readResult(workspaceDir: string, name: string, maxBytes: number): Promise<Uint8Array | null>
  /** Removes a workspace whatever the document did to it. */
  removeWorkspace(workspaceDir: string): Promise<void>
}

/** A sandbox, and those that were opened since because programs, TeX files, formats or fonts came or went. */
export interface RefreshableSandbox extends Sandbox {
  /** The sandbox that was opened last. */
  latest(): Sandbox
  /** The sandbox that shows what is installed now. Cheap when nothing changed. One compile uses one sandbox. */
  refresh(): Promise<Sandbox>
}

export interface SandboxWeakness {
  readonly code: string
  /** What is missing, for a person. */
  readonly reason: string
  /** What to type or change. */
  readonly remedy: string
}

/**
 * What enforces the limits of a whole compile. Null = the kernel does; otherwise a watcher looks every few milliseconds
 * and kills, which a hostile document can overshoot for a moment, and the value says what the kernel lacks.
 */
export interface LimitEnforcement {
  readonly disk: SandboxWeakness | null
  readonly memory: SandboxWeakness | null
}

/** Where a document asks for fonts. */
export interface FontOrder {
  readonly requests: readonly FontRequest[]
  /** METAFONT sources in the document's folder, `signs.mf`. */
  readonly ownSources: ReadonlySet<string>
  readonly workspaceDir: string
  readonly folder: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type PictureKind = 'eps' | 'svg'

export interface PictureOrder {
  readonly kind: PictureKind
  readonly bytes: Uint8Array
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type PictureOutcome =
  | { readonly kind: 'converted'; readonly pdf: Uint8Array }
  /** `reason` is for the person who included the picture. */
  | { readonly kind: 'failed'; readonly reason: string }
