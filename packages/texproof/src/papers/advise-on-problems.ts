import type { LatexError, LatexWarning } from '@texproof/platex'
import { adviseOn, gatherKnowledge, type Advice } from '@texproof/platex/advice'

/** Problems of a build, and the sources that explain them. */
export interface UnexplainedProblems {
  readonly problems: readonly (LatexError | LatexWarning)[]
  /** Path → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

/** Says in plain words what each problem means, in the same order. Runs on a thread: it reads every source. */
export function adviseOnProblems({ problems, files }: UnexplainedProblems): readonly (Advice | null)[] {
  const knowledge = gatherKnowledge(files)
  return problems.map((problem) => adviseOn(problem, knowledge))
}
