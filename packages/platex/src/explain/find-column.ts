import type { LatexError } from '../base/types.ts'
import { findMathSign } from './find-math-sign.ts'

/**
 * The 1-based column, in UTF-16 code units, of the last token that TeX read before an error; null if its context does not
 * show it, or differs from the line of the source.
 *
 * TeX prints the line in two halves, broken where it stopped: `l.4 \hspace{99999cm}` and below it the rest. For an
 * undefined command the column is where its name begins, for a symbol of math in an argument the symbol, otherwise the
 * last character of the upper half.
 */
export function findColumn({ line, context, message }: LatexError, source: string | undefined): number | null {
  if (line === null || context === null || source === undefined) return null
  const upper = context
    .split('\n')
    .find((candidate) => candidate.startsWith(`l.${line} `))
    ?.slice(`l.${line} `.length)
  const text = lineOf(source, line)
  if (upper === undefined || text === null) return null
  // TeX cuts the beginning of a long line. If the rest occurs twice, the column is unknown.
  const isCut = upper.startsWith('...')
  const seen = isCut ? upper.slice(3) : upper
  const at = isCut ? text.indexOf(seen) : 0
  if (seen === '' || at === -1 || !text.startsWith(seen, at) || (isCut && text.indexOf(seen, at + 1) !== -1))
    return null
  const end = at + seen.trimEnd().length
  const command = message.startsWith('Undefined control sequence') ? findCommand(text.slice(0, end), message) : null
  const sign = message.startsWith('Missing $ inserted') ? findMathSign(text.slice(0, end)) : null
  return Math.max(1, sign !== null ? sign.index + 1 : (command ?? end))
}

/** The column of the command at the end of a text. In pdfLaTeX, a letter that is not ASCII is not part of a name. */
function findCommand(text: string, message: string): number | null {
  const name = message.slice('Undefined control sequence: '.length).trimEnd()
  if (name !== '' && text.endsWith(name)) return text.length - name.length + 1
  const command = /\\(?:[A-Za-z@]+|.)$/.exec(text)
  return command === null ? null : command.index + 1
}

/** Null when the text has fewer lines. */
function lineOf(text: string, line: number): string | null {
  let start = 0
  for (let number = 1; number < line; number += 1) {
    const end = text.indexOf('\n', start)
    if (end === -1) return null
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return text.slice(start, end === -1 ? text.length : end)
}
