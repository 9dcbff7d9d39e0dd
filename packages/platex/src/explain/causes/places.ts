/** Where two errors are, compared with each other, and what TeX had read there. */
import type { LatexError } from '../../base/types.ts'

/**
 * Maximum distance of the follow-up errors of a formula: longer formulas are rare, and other mistakes become likely.
 */
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

/** Whether TeX reported both on the same line. At least one of them was then found on another one, or in another file. */
export function isReportedTogether(error: LatexError, cause: LatexError): boolean {
  const place = readReportedPlace(error)
  return place !== null && place === readReportedPlace(cause) && !isOnSameLine(error, cause)
}

/** File and line at which TeX stopped, as in `main.tex:4`; null if one of them is not known. */
function readReportedPlace({ file, line, context }: LatexError): string | null {
  const moved = /^TeX reported it at (.+:\d+); it begins at /.exec(context ?? '')?.[1]
  return moved ?? (file === null || line === null ? null : `${file}:${line}`)
}

/** The argument that TeX was reading; empty if its context shows none. TeX cuts a long one: `\ETC.` */
export function readRunaway(context: string | null): string {
  return /^Runaway argument\?\n(.*)$/m.exec(context ?? '')?.[1] ?? ''
}
