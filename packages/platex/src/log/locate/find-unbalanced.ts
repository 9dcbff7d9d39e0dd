/**
 * What a file leaves open when TeX reads past its end: the environment whose end is missing, or the brace. Used where
 * the log shows no text to look up.
 */

import { filesToSearch, type Fault, type Place } from './places.ts'
import type { SourceTexts } from '../source-texts.ts'

/** The line that opens what is never closed, in the first of the user's files that is out of balance. */
export function findUnbalanced(fault: Fault): (Place & { readonly note?: string }) | null {
  const { message } = fault.error
  const collects = /(?:collect|body|BODY|Body)/.test(message)
  if (!/^File ended while scanning|no legal \\end found/.test(message)) return null
  const searches = collects ? [unendedEnvironment, unclosedBrace] : [unclosedBrace, unendedEnvironment]
  const files = filesToSearch(fault).filter((file) => !file.endsWith('.bbl'))
  for (const search of searches) {
    for (const file of files) {
      const line = remembered(search, fault.sources, file)
      if (line !== null) return findMisspelledEnd(fault.sources.code(file), { file, line }) ?? { file, line }
    }
  }
  return null
}

/** The end of the environment at `line` with its name in another case, or one whose name never begins. */
function findMisspelledEnd(
  code: readonly string[],
  { file, line }: { readonly file: string; readonly line: number },
): (Place & { readonly note: string }) | null {
  const name = /\\begin\{([^{}]{1,100})\}/.exec(code[line - 1] ?? '')?.[1]
  if (name === undefined) return null
  for (const [index, text] of code.entries()) {
    const ended = /\\end\{([^{}]{1,100})\}/.exec(index < line - 1 ? '' : text)?.[1]
    if (ended === undefined || ended === name) continue
    const isSimilar = ended.toLowerCase() === name.toLowerCase() || sortLetters(ended) === sortLetters(name)
    if (isSimilar) return { file, line: index + 1, note: `The end is written differently: "${name}", "${ended}".` }
  }
  return null
}

/** Equal for names with swapped letters. */
function sortLetters(name: string): string {
  return [...name].toSorted().join('')
}

type Search = (sources: SourceTexts, file: string) => number | null

const found = new WeakMap<SourceTexts, Map<string, number | null>>()

/** The result does not depend on the error: each file is searched once. */
function remembered(search: Search, sources: SourceTexts, file: string): number | null {
  const lines = found.get(sources) ?? new Map<string, number | null>()
  found.set(sources, lines)
  const key = `${search.name} ${file}`
  const line = lines.get(key) ?? (lines.has(key) ? null : search(sources, file))
  lines.set(key, line)
  return line
}

/** The outermost brace that stays open at the end of the file. */
function unclosedBrace(sources: SourceTexts, file: string): number | null {
  const openedAt: number[] = []
  sources.code(file).forEach((line, index) => {
    for (const [brace] of line.replace(/\\./g, '').matchAll(/[{}]/g)) {
      if (brace === '{') openedAt.push(index + 1)
      else openedAt.pop()
    }
  })
  return openedAt[0] ?? null
}

/** The first environment that another one's end, or the end of the file, leaves open. */
function unendedEnvironment(sources: SourceTexts, file: string): number | null {
  const open: { name: string; line: number }[] = []
  const lines = sources.code(file)
  for (const [index, line] of lines.entries()) {
    for (const [, kind, name = ''] of line.matchAll(/\\(begin|end)\{([^{}]{1,100})\}/g)) {
      if (kind === 'begin') open.push({ name, line: index + 1 })
      else if (open[open.length - 1]?.name === name) open.pop()
      else if (open.some((environment) => environment.name === name)) return open[open.length - 1]?.line ?? null
    }
  }
  return open.find(({ name }) => name !== 'document')?.line ?? null
}
