/** Formulas that a blank line cuts: TeX reads their rest as text. */
import type { LatexError } from '../../base/types.ts'
import { anyOf } from '../any-of.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { FORMULA } from './formulas.ts'
import { isSoonAfter, MAX_LINES_OF_FORMULA } from './places.ts'
import type { ReadText } from './types.ts'

const OPENS_FORMULA = new RegExp(String.raw`\\begin\{\w*(?:${FORMULA.source})|\\\[|^\s*\$\$`)
const CLOSES_FORMULA = new RegExp(String.raw`\\end\{\w*(?:${FORMULA.source})|\\\]|\$\$`)

/** Errors for math in text. */
const MATH_IN_TEXT = anyOf(
  /^Missing \$/,
  /^You can't use `\\eqno'/,
  /^Display math should end/,
  /^LaTeX Error: Bad math/,
  /^Misplaced (?:\\cr|\\noalign|alignment tab)/,
)

/** The rest of a formula, up to its end in the source. */
export function isAfterBlankLine(error: LatexError, cause: LatexError, readText: ReadText): boolean {
  if (error.file !== cause.file || !isSoonAfter(error, cause) || !MATH_IN_TEXT.test(error.message)) return false
  if (codeOf(cause) !== 'blank-line-in-math') return false
  const text = cause.file === null ? undefined : readText(cause.file)
  return text === undefined || (error.line ?? 0) <= findEndOfCutFormula(text.split('\n'), cause.line ?? 0)
}

/**
 * The last line that TeX misreads because of a blank line in a formula: the blank line after the paragraph in which the
 * formula ends, or after the next paragraph if it has no end. `line`: of the error, counted from 1.
 */
function findEndOfCutFormula(lines: readonly string[], line: number): number {
  const rest = skipBlankLines(lines, findBlankLine(lines, line - 1))
  for (let at = rest; at < Math.min(lines.length, rest + MAX_LINES_OF_FORMULA); at += 1) {
    if (CLOSES_FORMULA.test(lines[at] ?? '')) return findBlankLine(lines, at) + 1
    if (OPENS_FORMULA.test(lines[at] ?? '')) break
  }
  return findBlankLine(lines, rest) + 1
}

/** The index of the first blank line from here; behind the last line if there is none. */
function findBlankLine(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && !isBlank(lines, at)) at += 1
  return at
}

function skipBlankLines(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines, at)) at += 1
  return at
}

function isBlank(lines: readonly string[], at: number): boolean {
  return (lines[at] ?? '').trim() === ''
}
