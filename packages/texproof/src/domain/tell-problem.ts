import type { BuildProblem } from './build.ts'

/** A problem in one line: what is wrong and what to do in plain words, or the first line of TeX's own where nobody knows better. */
export function tellProblem({ advice, message }: BuildProblem): string {
  if (advice === undefined || advice === null) return message.split('\n', 1)[0] ?? ''
  return advice.remedy === null ? advice.summary : `${advice.summary} ${advice.remedy}`
}
