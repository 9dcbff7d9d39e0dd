/** Formulas that end too early or too late, so that TeX reads math as text or text as math. */
import type { LatexError } from '../../base/types.ts'
import { anyOf } from '../any-of.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { DOLLAR_NOTE, FORMULA_CELL_NOTE, OPEN_BRACE_NOTE } from '../mistake-notes.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { hasNote } from '../rules/shared.ts'
import { isSoonAfter, readReportedLine, readRunaway } from './places.ts'
import type { Link } from './types.ts'

/** Parts of the names of environments that contain math or cells. */
export const FORMULA = /align|gather|matrix|tabu|cases|split|equation|multline|eqnarray/

/** Errors in the rest of a formula that TeX has ended. */
const IN_FORMULA = anyOf(
  /^Missing (?:[{}$]|\\cr|\\endgroup)/,
  /^Extra (?:\}|\\endgroup)/,
  // An internal command with which amsmath reads a formula as a whole.
  /^Paragraph ended before \\@tempb/,
  /^Display math should end/,
  /^LaTeX Error: Bad math/,
)

export const FORMULA_LINKS: readonly Link[] = [isOfSameColumns, isInSameFormula, isInMisreadFormula, isAfterOpenMatrix]

/** All errors that TeX reports at the end of a formula whose delimiters do not match. */
export function isInSameFormula(error: LatexError, cause: LatexError): boolean {
  const line = readReportedLine(error)
  if (error.file !== cause.file || line === null || line !== readReportedLine(cause)) return false
  if (codeOf(cause) !== 'unpaired-delimiter') return false
  return codeOf(error) === 'unpaired-delimiter' || /^(?:Missing (?:[{}]|\\endgroup)|Extra \})/.test(error.message)
}

/** A "$" or another formula inside a formula ends it: TeX misreads the rest. */
function isInMisreadFormula(error: LatexError, cause: LatexError): boolean {
  const isNested = cause.message.includes('Bad math environment delimiter')
  const isNoted = hasNote(cause, DOLLAR_NOTE) || hasNote(cause, OPEN_BRACE_NOTE)
  if (error.file !== cause.file || !(isNested || isNoted)) return false
  if (IN_FORMULA.test(error.message)) return isSoonAfter(error, cause)
  const [, begun = '', ended = ''] = /\\begin\{(.+?)\}.* ended by \\end\{(.+?)\}/.exec(error.message) ?? []
  return FORMULA.test(begun) || (begun === 'document' && FORMULA.test(ended))
}

/** \begin{cases} has opened a delimiter. */
function isAfterOpenMatrix(error: LatexError, cause: LatexError): boolean {
  if (!/\\begin\{(?:cases|[pbvBV]matrix)\*?\} on/.test(cause.message)) return false
  return error.file === cause.file && isSoonAfter(error, cause) && /^Missing \\right|`\\eqno'/.test(error.message)
}

/**
 * For each error the index of the error at which TeX began a formula that it is in, or null.
 *
 * TeX inserts a `$` before a symbol that works only in math, and another one where the paragraph ends: the second one
 * follows from the first. So does a group that ends in between. An argument that a file leaves open contains the end of the
 * formula around it, which TeX then ends in the next paragraph, often in another file.
 */
export function findEnclosingFormulas(errors: readonly LatexError[]): readonly (number | null)[] {
  let open: number | null = null
  return errors.map((error, at) => {
    const role = readRole(error)
    const begun = role === null || role === 'start' ? null : open
    if (role === 'start' || (role === 'group-end' && open === null)) open = at
    else if (role === 'end' || role === 'group-end') open = null
    return begun
  })
}

/** Errors in the rest of the paragraph after TeX has inserted the beginning of a formula. */
const IN_OPEN_FORMULA = anyOf(
  /^Extra \}, or forgotten \$/,
  /^LaTeX Error: Command \\(?:item|end\{\S+?\}) invalid in math mode/,
  /^You can't use `\\spacefactor' in math mode/,
)

/** Commands that begin with the end of a paragraph. */
const ENDS_PARAGRAPH = /\\(?:chapter|(?:sub)*section|(?:sub)?paragraph|clearpage|newpage|appendix)$/

/** How formulas begin and end in the text that TeX shows. */
const FORMULA_BORDER = /(?<!\\)\\(?:[[\]()]|(?:begin|end) \{\w*(?:align|eqnarray|equation|gather|math|multline))/

/** Whether an argument contains the end of the formula around it. */
function endsFormula(argument: string): boolean {
  const first = FORMULA_BORDER.exec(argument)?.[0] ?? ''
  const isOdd = argument.replaceAll('\\$', '').split('$').length % 2 === 0
  return isOdd || /^\\(?:[\])]|end)/.test(first)
}

/** Role of an error in a formula that TeX has begun by itself, or whose end it has read; null if none. */
function readRole({ message, context }: LatexError): 'start' | 'inside' | 'end' | 'group-end' | null {
  if (message.startsWith('File ended while') && endsFormula(readRunaway(context))) return 'start'
  if (IN_OPEN_FORMULA.test(message)) return 'inside'
  if (!message.startsWith('Missing $ inserted')) return null
  const upper = readUpperLine(context ?? '')?.trim() ?? ''
  if (upper === '' || ENDS_PARAGRAPH.test(upper)) return 'end'
  return upper.endsWith('}') ? 'group-end' : 'start'
}

/** Each "&" of a formula without columns, and what amsmath then misreads at its end. */
function isOfSameColumns(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !isSoonAfter(error, cause) || !hasNote(cause, FORMULA_CELL_NOTE)) return false
  return hasNote(error, FORMULA_CELL_NOTE) || /^(?:Missing number|Illegal unit)/.test(error.message)
}
