import type { EngineRow } from '../../engine/types.ts'
import type { RunReport } from '../../sandbox/types.ts'
import type { Inspection } from '../inspect.ts'
import { NO_RECORDER, type Recorder } from '../read-recorder.ts'
import type { PassRecord } from './record-pass.ts'
import type { ToolPlan } from '../tools/types.ts'

/** One run of an engine. */
export interface EngineRun {
  readonly kind: 'engine'
  readonly row: EngineRow
  /** 1-based over engine and bibliography runs. */
  readonly passNumber: number
  readonly reason: string
  readonly isDraft: boolean
  readonly report: RunReport
  /** What it left behind; a fault when that cannot be read. */
  readonly record: Inspection<PassRecord>
}

/** One run of a bibliography or index tool. */
export interface ToolRun {
  readonly kind: 'tool'
  readonly plan: ToolPlan
  /** Null for an index tool: the wire has no name for it, so its transcript goes to the engine pass before. */
  readonly passNumber: number | null
  readonly reason: string
  readonly report: RunReport
  /** What is kept of the tool's own log file; empty when it left none. */
  readonly transcript: Uint8Array
  readonly hasChangedOutput: boolean
}

export type Run = EngineRun | ToolRun

/** The files that the pass opened; none when nobody could read them. */
export function recorderOf({ record }: EngineRun): Recorder {
  return record.kind === 'done' ? record.value.recorder : NO_RECORDER
}

/** The last engine pass: the one whose pages and messages are the result. */
export function lastEngineRun(runs: readonly Run[]): EngineRun {
  const last = runs.findLast((run) => run.kind === 'engine')
  if (last === undefined) throw new Error('a compile without an engine pass')
  return last
}
