import type { BibEngine } from '../../base/types.ts'
import type { Recorder } from '../read-recorder.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** A tool run that the document asks for, whether or not it is due. */
export interface ToolPlan {
  readonly tool: 'biber' | 'bibtex' | 'makeindex' | 'xindy' | 'texindy' | 'bib2gls'
  readonly args: readonly string[]
  /** What it works on, `main.idx`: with `tool` the name of the plan, so at most one plan has both. */
  readonly subject: string
  /** Digest of everything that decides the output: the plan is due when it differs from the last run's. */
  readonly inputDigest: string
  /** Files that it writes, workspace-relative. */
  readonly outputs: readonly string[]
  /** Its log file, workspace-relative. */
  readonly transcript: string
  /** Files of the workspace that it reads, beside what TeX wrote. */
  readonly reads: readonly string[]
  /** Files to put there first: the parts of a split index. */
  readonly prepared: ReadonlyMap<string, Uint8Array>
}

/** The input of the tool planners. */
export interface ToolContext {
  readonly workspace: WorkspaceView
  readonly bibliography: BibEngine
  /** Of the pass that just ended. */
  readonly recorder: Recorder
  /** Its `.log`. */
  readonly logText: string
}

/** Tool runs that the document needs, and those that are not possible. */
export interface ToolDemand {
  readonly plans: readonly ToolPlan[]
  readonly unmet: readonly UnmetDemand[]
}

/** A tool run that is not possible, as a diagnostic. */
export interface UnmetDemand {
  readonly severity: 'error' | 'warning'
  readonly source: 'bibtex' | 'biber' | 'latex'
  readonly message: string
}

export const NO_DEMAND: ToolDemand = { plans: [], unmet: [] }
