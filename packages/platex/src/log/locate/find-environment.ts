import { findOpenGroups } from '../find-open-groups.ts'
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
  const files = filesToSearch(fault).filter((name) => (fault.sources.code(name)[line - 1] ?? '').includes(opening))
  // Included files are closed at the end of the document.
  const isOpen = (name: string): boolean => findOpenGroups(fault.sources, name, 'environment').has(line)
  const open = ended === 'document' ? files.find(isOpen) : undefined
  // TeX skipped one of several ends after another error.
  if (ended === 'document' && open === undefined && files.length > 1) return null
  const file = open ?? files[0]
  if (file === undefined) return findUnendedPart(fault, { begun, ended, line })
  const isEndOfOuter = ended === 'document' || openEnvironments(fault.sources.code(file), line - 1).includes(ended)
  return isEndOfOuter ? { file, line } : null
}

/**
 * amsmath reads the body of a formula before it processes it, and reports the line of its end for everything in it. The place
 * of the last `\begin` up to there that the end of the formula leaves open.
 */
function findUnendedPart(
  fault: Fault,
  { begun, ended, line }: { readonly begun: string; readonly ended: string; readonly line: number },
): Place | null {
  for (const file of filesToSearch(fault)) {
    const open: { readonly name: string; readonly line: number }[] = []
    let found: number | null = null
    for (const [index, text] of fault.sources.code(file).slice(0, line).entries()) {
      for (const [, kind, name = ''] of text.matchAll(/\\(begin|end)\{([^{}]{1,100})\}/g)) {
        if (kind === 'begin') open.push({ name, line: index + 1 })
        const opening = kind === 'end' ? open.findLastIndex((one) => one.name === name) : -1
        if (opening === -1) continue
        const [, ...inner] = open.splice(opening)
        if (name === ended) found = inner.findLast((one) => one.name === begun)?.line ?? found
      }
    }
    if (found !== null) return { file, line: found }
  }
  return null
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
