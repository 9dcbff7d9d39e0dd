import type { Fault, Place } from './places.ts'

const LIST = /^(?:itemize|enumerate|description|list|trivlist|compactitem|compactenum|asparaenum|inparaenum|tasks)\*?$/

/**
 * The text before the first `\item` of a list, or the beginning of a list without text. LaTeX notices only at the first
 * `\item` or at the end of the list.
 */
export function findListText({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.includes('perhaps a missing \\item')) return null
  const code = sources.code(file)
  const begun = findOpenList(code, line)
  if (begun === null) return null
  const text = code.findIndex((each, index) => index > begun && each.trim() !== '')
  const isItem = /^\s*\\item(?![A-Za-z])/.test(code[text] ?? '')
  if (isItem || text < 0) return null
  return { file, line: /^\s*\\end\{/.test(code[text] ?? '') ? begun + 1 : text + 1 }
}

/** Index of the line that begins the innermost environment at `line`, if that is a list. */
function findOpenList(code: readonly string[], line: number): number | null {
  const open: { readonly name: string; readonly index: number }[] = []
  for (const [index, text] of code.slice(0, line).entries()) {
    for (const [, kind, name = ''] of text.matchAll(/\\(begin|end)\{([^{}]{1,100})\}/g)) {
      if (kind === 'begin') open.push({ name, index })
      // The end of the reported line is the one at which LaTeX noticed.
      else if (index < line - 1 && open.at(-1)?.name === name) open.pop()
    }
  }
  const last = open.at(-1)
  return last !== undefined && LIST.test(last.name) ? last.index : null
}
