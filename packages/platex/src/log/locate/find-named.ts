import type { Fault, Place } from './places.ts'

const MAX_LINES_BACK = 400

/**
 * The line with the environment or key that a message names, where TeX read the text around it as a whole and reports
 * the line of its end: a beamer frame, an axis of pgfplots.
 */
export function findNamed({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  const text = textOf(error.message)
  if (text === null || line === null) return null
  const lines = sources.code(file)
  if ((lines[line - 1] ?? '').includes(text)) return null
  const found = lines.slice(0, line).findLastIndex((candidate) => candidate.includes(text))
  return found === -1 || line - found > MAX_LINES_BACK ? null : { file, line: found + 1 }
}

/** As it is written in the source. */
function textOf(message: string): string | null {
  const environment = /^LaTeX Error: Environment (\S+) undefined/.exec(message)?.[1]
  if (environment !== undefined) return `\\begin{${environment}}`
  return /I do not know the key '(?:\/[^']*\/)?([^'/]+)'/.exec(message)?.[1] ?? null
}
