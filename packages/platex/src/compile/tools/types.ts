import type { BibEngine } from '../../base/types.ts'
import type { Recorder } from '../read-recorder.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** A tool run that the document requires, whether it is due or not. */
export interface ToolPlan {
  readonly tool: 'biber' | 'bibtex' | 'makeindex' | 'xindy' | 'texindy' | 'bib2gls'
  /** The program that runs in place of the tool. @default the tool itself */
  readonly program?: string
  readonly args: readonly string[]
  /** Its input, such as `main.idx`. `tool` and `subject` identify a plan. */
  readonly subject: string
  /** Digest of everything that determines the output: the plan is due if it differs from the digest of the last run. */
  readonly inputDigest: string
  /** Its output files, workspace-relative. */
  readonly outputs: readonly string[]
  /** Its log file, workspace-relative. */
  readonly transcript: string
  /** Workspace files that it reads, in addition to those written by TeX. */
  readonly reads: readonly string[]
  /** Files to write before the run: the parts of a split index. */
  readonly prepared: ReadonlyMap<string, Uint8Array>
}

/** The input of the tool planners. */
export interface ToolContext {
  readonly workspace: WorkspaceView
  readonly bibliography: BibEngine
  /** Recorder of the last pass. */
  readonly recorder: Recorder
  /** Its `.log`. */
  readonly logText: string
}

/** Tool runs that the document requires, and those that are not possible. */
export interface ToolDemand {
  readonly plans: readonly ToolPlan[]
  readonly unmet: readonly UnmetDemand[]
}

/** The diagnostic for a tool run that is not possible. */
export interface UnmetDemand {
  readonly severity: 'error' | 'warning'
  readonly source: 'bibtex' | 'biber' | 'latex'
  readonly message: string
  /** The diagnostic points to the first use of this command. @default no place */
  readonly command?: string
}

export const NO_DEMAND: ToolDemand = { plans: [], unmet: [] }
