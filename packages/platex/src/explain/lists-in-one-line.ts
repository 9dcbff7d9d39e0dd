import { readUpperLine } from './read-upper-line.ts'

/** Environments that are lists for LaTeX. */
const LISTS =
  'verbatim\\*?|center|flushleft|flushright|quote|quotation|verse|itemize|enumerate|description|thebibliography'

/** A list that begins with an `\item`, or has none of its own. */
const BEGINNING = new RegExp(String.raw`(?:^\s*\\item(?:\[[^\[\]]*\])?\s*\S?|\\begin\{(?:${LISTS})\})$`)
const END = new RegExp(String.raw`ended by \\end\{(?:${LISTS})\}`)

/**
 * Whether a list that misses an `\item` begins where TeX makes only one line, as in \mbox and columns of type l, c and r.
 * `context`: what TeX printed below the message.
 */
export function beginsListInOneLine(context: string): boolean {
  return BEGINNING.test(readUpperLine(context)?.trimEnd() ?? '')
}

/** Whether the message is about the end of a list. */
export function isEndOfList(message: string): boolean {
  return END.test(message)
}
