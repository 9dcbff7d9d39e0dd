/** Tables that TeX cannot build any more after a mistake in one of their rows. */
import type { LatexError } from '../../base/types.ts'
import { anyOf } from '../any-of.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { beginsListInOneLine, isEndOfList } from '../lists-in-one-line.ts'
import { isUnmatched } from './environments.ts'
import { isMissingItem } from './lists.ts'
import { isBefore, readReportedLine } from './places.ts'
import type { Link } from './types.ts'

/** Errors in the rest of such a table. */
const IN_TABLE = anyOf(
  /^Missing (?:[{}$]|\\cr|\\endgroup) inserted/,
  /^Extra (?:\}|\\endgroup)/,
  /^Too many \}'s/,
  // Rules and cells outside of a table, or in the middle of a row.
  /^Misplaced (?:\\crcr|\\cr\b|\\noalign|\\omit|alignment tab)/,
  /^Extra alignment tab/,
  // A switch of booktabs, which its rules set.
  /^Undefined control sequence: \\@BTswitch/,
  // Text that is read as columns.
  /^(?:LaTeX|Package array) Error: Illegal/,
  // The table has ended before its \end{…}.
  /^LaTeX Error: \\begin\{document\} ended by \\end\{(?:tabular|tabularx|array|longtable)\*?\}/,
)

/** A \caption between the rows ends the table, and with it the float. */
const CAPTION_IN_ROWS = anyOf(
  /\\begin\{table\*?\}.* ended by \\end\{tabular/,
  /\\begin\{document\} ended by \\end\{table\*?\}/,
)

const MAX_LINES_OF_TABLE = 20
const MAX_LINES_OF_LIST = 50

export const TABLE_LINKS: readonly Link[] = [isInSameTable, isInListInOneLine, isInUnendedTable, isEndlessTable]

/** Whether this error follows a list where TeX makes only one line. */
function isInListInOneLine(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || error.line === null || cause.line === null) return false
  if (error.line < cause.line || error.line > cause.line + MAX_LINES_OF_LIST) return false
  if (!isMissingItem(cause) || !beginsListInOneLine(cause.context ?? '')) return false
  return isMissingItem(error) || isEndOfList(error.message) || IN_TABLE.test(error.message)
}

/** The rest of a table with a mistake. */
function isInSameTable(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || error.line === null || cause.line === null) return false
  if (error.line < cause.line || error.line > cause.line + MAX_LINES_OF_TABLE) return false
  const code = codeOf(cause)
  if (code === 'caption-outside-float' && cause.message.startsWith('Missing'))
    return IN_TABLE.test(error.message) || CAPTION_IN_ROWS.test(error.message)
  if (!IN_TABLE.test(error.message)) return false
  const context = cause.context ?? ''
  switch (code) {
    case 'runaway-argument':
      return context.includes('\\multicolumn')
    case 'missing-number':
      // Without the width, TeX reads the columns as the width, and the first row as the columns.
      return /\\begin\{tabular[x*yu]\}/.test(context) && !error.message.startsWith('Too many')
    case 'unknown-column-type':
      return context.includes('\\multicolumn') || error.message.startsWith('Extra alignment tab')
    case 'wrong-mode':
      return cause.message.endsWith('\\LT@save@row')
    case 'misplaced-rule':
      return error.line <= cause.line + 1
    default:
      return false
  }
}

/** The end of another environment ended a table, which TeX then continues without its rows. */
function isInUnendedTable(error: LatexError, cause: LatexError): boolean {
  if (!isUnmatched(cause) || !/\\begin\{(?:tabular|tabularx|array|longtable)\*?\}/.test(cause.message)) return false
  return error.file === cause.file && isBefore(cause, error) && IN_TABLE.test(error.message)
}

/** Without `\\` before a rule of booktabs, TeX can repeat its recovery until the time is over. */
function isEndlessTable({ message }: LatexError, cause: LatexError): boolean {
  return message.startsWith('Compilation timed out') && codeOf(cause) === 'misplaced-rule'
}

/** TeX reads the cells of a formula or table twice, so it reports them where the environment around them ends. */
export function isCellAtEnd({ message, line }: LatexError, cause: LatexError): boolean {
  return message.startsWith('Extra alignment tab') && line === readReportedLine(cause)
}
