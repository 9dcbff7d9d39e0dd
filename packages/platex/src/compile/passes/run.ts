import type { EngineRow } from '../../engine/engines.ts'
import type { RunReport } from '../../sandbox/types.ts'
import type { ToolMemory } from '../tools/tool-memory.ts'
import type { ToolDemand } from '../tools/types.ts'
import type { Budget } from '../budget.ts'
import type { ResolvedJob } from '../job.ts'
import type { Workspace } from '../workspace.ts'
import type { PassRecord } from './decide-rerun.ts'
import { NO_RECORDER, type Recorder } from '../read-recorder.ts'
import type { ToolPlan } from '../tools/types.ts'
import type { WaitingTrace } from './restore-log.ts'
import type { PassOutput } from './inspect-pass.ts'

/** The parsed output of a document, or a message why it cannot be parsed. */
export type Inspection<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'fault'; readonly message: string }

/** One run of an engine. */
export interface EngineRun {
  readonly kind: 'engine'
  readonly row: EngineRow
  /** 1-based over engine and bibliography runs. */
  readonly passNumber: number
  readonly reason: string
  readonly isDraft: boolean
  readonly report: RunReport
  /** The earlier state of an engine that had waited; null for a plain start. */
  readonly trace: WaitingTrace | null
  /** Its output, or a fault if the output cannot be read. */
  readonly output: Inspection<PassOutput>
}

/** One run of a bibliography or index tool. */
export interface ToolRun {
  readonly kind: 'tool'
  readonly plan: ToolPlan
  /**
   * Null for index tools, which the HTTP API does not list: their log is appended to the log of the engine pass before.
   */
  readonly passNumber: number | null
  readonly reason: string
  readonly report: RunReport
  /** The log file of the tool, shortened; empty if there is none. */
  readonly transcript: Uint8Array
  readonly hasChangedOutput: boolean
}

export type Run = EngineRun | ToolRun

/** The files that the pass opened; none if the recorder file cannot be read. */
export function recorderOf({ output }: EngineRun): Recorder {
  return output.kind === 'done' ? output.value.recorder : NO_RECORDER
}

/** True if the pages of a pass are written for dvipdfmx. */
export function isForDvipdfmx(run: EngineRun): boolean {
  if (run.row.output !== 'dvi') return false
  return recorderOf(run).names.some((name) => /(?:^|\/)(?:l3backend-)?dvipdfmx\.def$/.test(name))
}

/** The last engine pass, whose pages and messages are the result. */
export function lastEngineRun(runs: readonly Run[]): EngineRun {
  const last = runs.findLast((run) => run.kind === 'engine')
  if (last === undefined) throw new Error('a compile without an engine pass')
  return last
}

/** True if another pass makes no sense: the run was killed, or TeX stopped without pages. */
export function hasStopped({ report, output }: EngineRun): boolean {
  const { end } = report
  if (end.kind !== 'exited') return true
  if (end.exitCode === 0 || output.kind === 'fault') return false
  return output.value.log.length === 0 || output.value.facts.hasGivenUp
}

/** True if the timeout, the caller or a limit ended the whole compile with this run. */
export function wasKilled(run: Run): boolean {
  const { kind } = run.report.end
  return kind === 'timed-out' || kind === 'aborted' || (run.kind === 'engine' && kind !== 'exited')
}

/** True if the time or the system ended a run, which may succeed in another compile. A program crashes with other signals. */
export function wasCut({ end }: RunReport): boolean {
  return end.kind === 'timed-out' || (end.kind === 'killed' && ['SIGKILL', 'SIGTERM'].includes(end.signal))
}

/** Outcome of the passes. */
export type PassesEnd =
  | { readonly kind: 'converged' }
  /** The requested number of passes; convergence is not checked. */
  | { readonly kind: 'counted' }
  /** The passes did not converge; `cycle` = number of passes after which the state repeats, null = it never repeats. */
  | { readonly kind: 'unstable'; readonly cycle: number | null; readonly files: readonly string[] }
  /** A run was killed, or TeX stopped. */
  | { readonly kind: 'stopped' }
  /** The output of a pass cannot be read; `fault` is the reason. */
  | { readonly kind: 'unreadable'; readonly fault: string }

/** All runs of one compile. */
export interface PassHistory {
  readonly end: PassesEnd
  /** Runs in the order of their start. */
  readonly runs: readonly Run[]
  /** The tools required after the last pass that was followed by tools. */
  readonly demand: ToolDemand
  readonly records: readonly PassRecord[]
}

/** Shared by all passes of one compile. */
export interface PassContext {
  readonly job: ResolvedJob
  readonly workspace: Workspace
  readonly budget: Budget
  readonly row: EngineRow
  readonly memory: ToolMemory
  /** METAFONT commands that TeX has requested in this compile. */
  readonly requestedFonts: Set<string>
  /** Requested picture → the reason why it could not be converted or measured, or null. */
  readonly pictures: Map<string, string | null>
  /** Document of the project that was compiled for its labels → the files that it read. */
  readonly labelSources: Map<string, ReadonlySet<string>>
}

/** The run of the last driver that made the PDF, or failed; its output includes the output of the drivers before it. */
export interface DriverRun extends RunReport {
  readonly program: string
}

/** The input of the result. */
export interface FinishedPasses {
  readonly context: PassContext
  readonly history: PassHistory
  /** The last engine pass. */
  readonly pass: EngineRun
  /** Null if the engine made the PDF, or nothing ran. */
  readonly driver: DriverRun | null
}
