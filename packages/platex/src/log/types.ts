import type { ProjectEngine, LatexError, LatexWarning } from '../base/types.ts'

/** Everything the log parser may look at: plain values, no disk. */
export interface EngineLog {
  /** The engine; null = detect it from the banner. */
  readonly engine: ProjectEngine | null
  /** Raw bytes of the `.log`. */
  readonly log: Uint8Array
  /** Raw standard output: XeTeX's driver writes nowhere else. */
  readonly stdout: Uint8Array
  /** Names in the recorder file (`.fls`), INPUT and OUTPUT, in order; null = no recorder file (a foreign log). */
  readonly recordedFiles: readonly string[] | null
  /** Absolute path of the workspace as the engine saw it, stripped from names; null = unknown. */
  readonly workspacePath: string | null
  /** Path of the root file. */
  readonly rootFile: string
  /** The user's text files, relative path → text: used to look up places that TeX does not report. */
  readonly sources: ReadonlyMap<string, string>
}

/** A `.blg` of bibtex or biber. */
export interface BibliographyLog {
  readonly tool: 'bibtex' | 'biber'
  readonly log: Uint8Array
  readonly sources: ReadonlyMap<string, string>
}

export interface Diagnostics {
  readonly errors: readonly LatexError[]
  readonly warnings: readonly LatexWarning[]
}
