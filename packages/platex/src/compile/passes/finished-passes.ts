import type { RunReport } from '../../sandbox/types.ts'
import type { EngineRun } from './run.ts'
import type { PassScene, PassTrail } from './run-passes.ts'

/** What the result is made from. */
export interface FinishedPasses {
  readonly scene: PassScene
  readonly trail: PassTrail
  /** The last engine pass. */
  readonly pass: EngineRun
  /** The run that made the PDF; null when the engine did or nothing ran. */
  readonly driver: RunReport | null
}
