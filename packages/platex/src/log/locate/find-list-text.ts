import type { Fault, Place } from './places.ts'

const LIST = /^(?:itemize|enumerate|description|list|trivlist|compactitem|compactenum|asparaenum|inparaenum|tasks)\*?$/

/**
 * The text before the first `\item` of a list, or the beginning of a list without text. LaTeX notices only at the first
 * `\item` or at the end of the list. It has not read the lines after the reported one: a list that begins and ends there
 * has its place there.
 */
export function findListText({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.includes('perhaps a missing \\item')) return null
  const code = sources.code(file)
  const list = findOpenList(code, line)
  if (list === null || /\\item(?![A-Za-z])/.test(list.rest)) return null
  const text = code.slice(0, line).findIndex((each, index) => index > list.index && each.trim() !== '')
  const isItem = /^\s*\\item(?![A-Za-z])/.test(code[text] ?? '')
  if (isItem || text < 0) return null
  return { file, line: /^\s*\\end\{/.test(code[text] ?? '') ? list.index + 1 : text + 1 }
}

interface OpenEnvironment {
  readonly name: string
  /** Index of the line with its beginning. */
  readonly index: number
  /** The text of that line after the beginning. */
  readonly rest: string
}

/** The innermost environment that is open at `line`, if that is a list. */
function findOpenList(code: readonly string[], line: number): OpenEnvironment | null {
  const open: OpenEnvironment[] = []
  for (const [index, text] of code.slice(0, line).entries()) {
    for (const { 0: command, 1: kind, 2: name = '', index: at } of text.matchAll(/\\(begin|end)\{([^{}]{1,100})\}/g)) {
      if (kind === 'begin') open.push({ name, index, rest: text.slice(at + command.length) })
      // The end of the reported line is the one at which LaTeX noticed.
      else if (index < line - 1 && open.at(-1)?.name === name) open.pop()
    }
  }
  const last = open.at(-1)
  return last !== undefined && LIST.test(last.name) ? last : null
}
