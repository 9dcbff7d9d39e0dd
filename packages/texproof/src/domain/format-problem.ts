import type { BuildProblem } from './build.ts'

/** A problem in one line: summary and remedy, or the first line of the message if there is no summary. */
export function formatProblem({ summary, remedy, message }: BuildProblem): string {
  const found = summary ?? message.split('\n', 1)[0] ?? ''
  return remedy === undefined ? found : `${found} ${remedy}`
}
