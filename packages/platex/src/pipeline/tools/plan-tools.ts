import { planBiber } from './plan-biber.ts'
import { planBibtex } from './plan-bibtex.ts'
import { planChangeHistory } from './plan-change-history.ts'
import { planGlossaries } from './plan-glossaries.ts'
import { planIndex } from './plan-index.ts'
import type { ToolContext, ToolDemand } from './types.ts'

/** Everything that the document asks for by the files it wrote: never by a guess from its source. */
export async function planTools(context: ToolContext): Promise<ToolDemand> {
  const planners = [planBiber, planBibtex, planIndex, planGlossaries, planChangeHistory]
  const demands = await Promise.all(planners.map((plan) => plan(context)))
  return { plans: demands.flatMap((demand) => demand.plans), unmet: demands.flatMap((demand) => demand.unmet) }
}
