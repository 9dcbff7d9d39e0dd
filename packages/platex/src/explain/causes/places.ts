/** Where two errors are, compared with each other. */
import type { LatexError } from '../../base/types.ts'

/** How far the follow-up errors of a formula reach: longer formulas are rare, and other mistakes become likely. */
export const MAX_LINES_OF_FORMULA = 30

/** Whether both have the same line, or the same file and no line. */
export function isOnSameLine(error: LatexError, cause: LatexError): boolean {
  return error.file === cause.file && error.line === cause.line
}

/** Compares lines only: callers have compared the files. */
export function isBefore(first: LatexError, second: LatexError): boolean {
  return first.line !== null && second.line !== null && first.line < second.line
}

/** Compares lines only: callers have compared the files. */
export function isSoonAfter({ line }: LatexError, cause: LatexError): boolean {
  return line !== null && cause.line !== null && line >= cause.line && line <= cause.line + MAX_LINES_OF_FORMULA
}

/**
 * The line at which TeX stopped; null if its context does not show it. The line of the error is another one if the mistake
 * was found in the source.
 */
export function readReportedLine({ context }: LatexError): number | null {
  const line = /^l\.(\d+)(?: |$)/m.exec(context ?? '')?.[1]
  return line === undefined ? null : Number(line)
}
