import type { CompileResult, LatexError, LatexWarning } from '@texproof/platex'
import { adviseOn, gatherKnowledge } from '@texproof/platex/advice'

import type { BuildOutcome } from '../domain/build.ts'

/** Diagnostics kept of one build: a document with more has one cause. */
const MAX_KEPT_DIAGNOSTICS = 500

/** What each problem means, as long as the sources are at hand: later they would have to be read again. */
export function adviseBuild(
  { errors, warnings }: Pick<CompileResult, 'errors' | 'warnings'>,
  files: ReadonlyMap<string, Uint8Array>,
): Pick<BuildOutcome, 'errors' | 'warnings'> {
  if (errors.length + warnings.length === 0) return { errors, warnings }
  const knowledge = gatherKnowledge(files)
  const withAdvice = <Problem extends LatexError | LatexWarning>(problem: Problem) => ({
    ...problem,
    advice: adviseOn(problem, knowledge),
  })
  return {
    errors: errors.slice(0, MAX_KEPT_DIAGNOSTICS).map(withAdvice),
    warnings: warnings.slice(0, MAX_KEPT_DIAGNOSTICS).map(withAdvice),
  }
}
