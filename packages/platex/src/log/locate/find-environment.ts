import { findOpenGroups } from '../find-open-groups.ts'
import { listInReadingOrder } from '../list-in-reading-order.ts'
import { filesToSearch, type Fault, type Place } from './places.ts'

/** An environment that begins on `line`, and the one whose end TeX read instead. */
interface Mistake {
  readonly begun: string
  readonly ended: string
  readonly line: number
}

const mismatch = /\\begin\{([^{}]*)\}(?: on input line (\d+))? ended by \\end\{([^{}]*)\}/

/**
 * The half of a `\begin` … `\end` pair that the author forgot or misspelled. LaTeX notices at the next `\end`: when that
 * one closes an environment which is open further out, or the document, the inner `\begin` lacks its end; otherwise
 * the `\end` itself is wrong, and TeX reports its line.
 */
export function findUnendedEnvironment(fault: Fault): Place | null {
  const match = mismatch.exec(fault.error.message)
  if (match === null) return null
  const [, begun = '', number, ended = ''] = match
  if (begun === 'document' || number === undefined) return null
  const line = Number(number)
  if (ended === 'document') return findUnendedAtEnd(fault, { begun, ended, line })
  const file = filesToSearch(fault).find((name) => hasBegin(fault, name, { begun, line }))
  if (file === undefined) return findUnendedPart(fault, { begun, ended, line })
  return openEnvironments(fault.sources.code(file), line - 1).includes(ended) ? { file, line } : null
}

/** At the end of the document, all included files are closed: the environment is in one that does not end it. */
function findUnendedAtEnd(fault: Fault, mistake: Mistake): Place | null {
  const { sources, position, reported } = fault
  const parts = listInReadingOrder(sources, position.userFiles.at(-1) ?? reported.file)
  const names = new Set(parts.map(({ file }) => file))
  const files = [...names].filter((name) => hasBegin(fault, name, mistake))
  if (files.length === 0) return findUnendedPart(fault, mistake)
  const { line } = mistake
  const open = files.find((name) => findOpenGroups(sources, name, 'environment').has(line))
  // If all of them end it, TeX has skipped one of the ends after another error.
  const file = open ?? (files.length === 1 ? files[0] : undefined)
  return file === undefined ? null : { file, line }
}

function hasBegin(fault: Fault, file: string, { begun, line }: Pick<Mistake, 'begun' | 'line'>): boolean {
  return (fault.sources.code(file)[line - 1] ?? '').includes(`\\begin{${begun}}`)
}

/**
 * amsmath reads the body of a formula before it processes it, and reports the line of its end for everything in it. The place
 * of the last `\begin` up to there that the end of the formula leaves open.
 */
function findUnendedPart(fault: Fault, { begun, ended, line }: Mistake): Place | null {
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
