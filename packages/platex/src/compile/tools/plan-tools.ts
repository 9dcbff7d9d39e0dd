import { planBiber } from './plan-biber.ts'
import { planBibtex } from './plan-bibtex.ts'
import { planChangeHistory } from './plan-change-history.ts'
import { planGlossaries } from './plan-glossaries.ts'
import { planIndex } from './plan-index.ts'
import type { ToolContext, ToolDemand } from './types.ts'

/** A document can request a run for each file that it writes; a book with many indexes needs a dozen. */
const MAX_PLANS = 50

/** All tool runs that the files of the last pass require; the source is not consulted. */
export async function planTools(context: ToolContext): Promise<ToolDemand> {
  const planners = [planBiber, planBibtex, planIndex, planGlossaries, planChangeHistory]
  const demands = await Promise.all(planners.map((plan) => plan(context)))
  const plans = demands.flatMap((demand) => demand.plans)
  const unmet = demands.flatMap((demand) => demand.unmet)
  if (plans.length <= MAX_PLANS) return { plans, unmet }
  const message = `The document asks for ${plans.length} runs of bibliography and index tools; only the first ${MAX_PLANS} were run.`
  return { plans: plans.slice(0, MAX_PLANS), unmet: [...unmet, { severity: 'warning', source: 'latex', message }] }
}
