import { filesToSearch, type Fault, type Place } from './places.ts'

const mismatch = /\\begin\{([^{}]*)\}(?: on input line (\d+))? ended by \\end\{([^{}]*)\}/

/**
 * The half of a `\begin` … `\end` pair that the author forgot or misspelt. LaTeX notices at the next `\end`: when that
 * one closes an environment which is open further out, or the document, the inner `\begin` lacks its end; otherwise
 * the `\end` itself is wrong, and TeX reports its line.
 */
export function findUnendedEnvironment(fault: Fault): Place | null {
  const match = mismatch.exec(fault.error.message)
  if (match === null) return null
  const [, begun = '', number, ended = ''] = match
  if (begun === 'document' || number === undefined) return null
  const line = Number(number)
  const opening = `\\begin{${begun}}`
  const file = filesToSearch(fault).find((name) => (fault.sources.code(name)[line - 1] ?? '').includes(opening))
  if (file === undefined) return null
  const isEndOfOuter = ended === 'document' || openEnvironments(fault.sources.code(file), line - 1).includes(ended)
  return isEndOfOuter ? { file, line } : null
}

/** Names of the environments that are open after the first `count` lines. */
function openEnvironments(code: readonly string[], count: number): readonly string[] {
  const open: string[] = []
  for (const line of code.slice(0, count)) {
    for (const [, kind, name = ''] of line.matchAll(/\\(begin|end)\{([^{}]{1,100})\}/g)) {
      if (kind === 'begin') open.push(name)
      else if (open.includes(name)) open.length = open.lastIndexOf(name)
    }
  }
  return open
}
