/**
 * Messages of TeX's error recovery. TeX inserts or drops something to continue, and reports follow-up errors for
 * the result: on the line of another error, such a message is rarely an independent mistake.
 */
import type { LatexError } from '../../base/types.ts'
import { anyOf } from '../any-of.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { isEndWithoutBeginning, isOpenAtEnd } from './environments.ts'
import { isBefore, isReportedTogether, readReportedLine } from './places.ts'
import type { Link } from './types.ts'

/** Errors after TeX has lost its place. */
export const RECOVERY = anyOf(
  // It inserts what it expects, drops what it does not expect, or refuses it here.
  /^Missing (?:[{}$#]|\\endcsname|\\cr|\\endgroup|number|control sequence)/,
  /^Extra (?:\}|\\endgroup|\\endcsname)/,
  /^Too many \}'s/,
  /^You can't use /,
  /^Misplaced /,
  // A formula ends where TeX does not expect it.
  /^Display math should end/,
  /^LaTeX Error: Bad math/,
  /^Limit controls must follow/,
  // A command finds other arguments than it reads.
  /^Argument of \\\S+ has an extra \}/,
  /^Paragraph ended before /,
  /^Use of \\\S+ doesn't match/,
  /^Illegal unit of measure/,
  /^Illegal parameter number/,
  /^Package calc Error: /,
  // A name that was misread as another font, page or environment.
  /^Font .* not loadable/,
  /^Package pdfpages Error: Page /,
  /^LaTeX Error: Environment (?:\\.{1,80} )?undefined/,
  // LaTeX finds itself outside of a list, a document or a frame.
  /^LaTeX Error: (?:Something's wrong|Missing \\begin\{document\}|\\begin\{beamer@framepauses\})/,
  // TeX gives up.
  /^That makes 100 errors/,
)

/** Names that authors do not write, because they contain "@", "_" or ":", or belong to TeX itself. */
const INTERNAL_NAME = anyOf(
  /^(?:Undefined control sequence: |Argument of |Paragraph ended before |File ended while scanning use of )\\[A-Za-z]*[@_:]/,
  /^Undefined control sequence: \\everypar$/,
  /^Improper \\(?:prevdepth|spacefactor)/,
  /^Package xcolor Error: Undefined color `[^']*@/,
)

/**
 * Internal commands that read an argument of \href, \ref, \cite, \footnote, \caption, headings, \includegraphics, \usepackage
 * and \newcommand.
 */
const OPEN_ARGUMENT =
  /^(?:Paragraph ended before|File ended while scanning use of) \\(?:href@split|hyper@normalise|@kernel@ref|@cite\w*|@footnotetext|@caption|@s?sect|@s?chapter|@s?part|@xdblarg|@dblarg|Gin@ii|@fileswith@pti|@fileswith@ptions|@argdef)/

export const RECOVERY_LINKS: readonly Link[] = [isRecoveryAfter, isAtListCommand, isOfInternalName]

/** An error of TeX's recovery on the line of the cause. */
export function isRecoveryAfter(error: LatexError, cause: LatexError): boolean {
  if (isAtEndOfOpen(error, cause)) return true
  const isMoved = isEndWithoutBeginning(cause) && error.line === readReportedLine(cause)
  if (error.file !== cause.file || error.line === null || (error.line !== cause.line && !isMoved)) return false
  // A missing picture does not hide a length without a unit, which is wrong in any case.
  const isHidden = error.message.startsWith('Illegal unit') && codeOf(cause) === 'missing-file'
  if (RECOVERY.test(error.message)) return !isHidden
  return (
    /Couldn't load requested language|Cannot find file|_svg-(?:tex|raw)\.pdf' is missing/.test(cause.message) &&
    isOfSamePackage(error, cause)
  )
}

/**
 * Whether this is a follow-up error that TeX reports at \end{document} for an open environment, even one in another file.
 */
export function isAtEndOfOpen(error: LatexError, cause: LatexError): boolean {
  if (!isOpenAtEnd(cause) || !isReportedTogether(error, cause)) return false
  return RECOVERY.test(error.message) || error.message.startsWith('Improper \\prevdepth')
}

function isOfSamePackage(error: LatexError, cause: LatexError): boolean {
  const name = /^Package \S+ Error/.exec(cause.message)?.[0]
  return name !== undefined && error.message.startsWith(name)
}

/** A heading or caption with an error leaves a group open at the end of the table of contents or the list of figures. */
function isAtListCommand({ file, message, context }: LatexError, cause: LatexError): boolean {
  if (file !== cause.file || !RECOVERY.test(message)) return false
  if (/^l\.\d+ \\(?:tableofcontents|listof[a-z]+) *$/m.test(context ?? '')) return true
  // The line of the list, whose text was found in no heading as it is.
  return (
    /^l\.\d+ \\contentsline /m.test(context ?? '') && /^Argument of \\@(?:caption|x?sect|chapter)/.test(cause.message)
  )
}

/**
 * Errors with internal names are usually the recovery from another error. An argument that the author left open is a mistake
 * of its own, unless another one was open already.
 */
function isOfInternalName(error: LatexError, cause: LatexError): boolean {
  if (!INTERNAL_NAME.test(error.message)) return false
  if (error.file !== cause.file) return isAtEndOfFile(error, cause)
  const isOwnMistake = OPEN_ARGUMENT.test(error.message) && isBefore(cause, error)
  return !isOwnMistake || /^(?:unclosed-\w+|unmatched-\w+)/.test(codeOf(cause) ?? '')
}

/** TeX reports on the line that reads a file, such as \input{intro}, that an argument extends to the end of the file. */
function isAtEndOfFile({ message, context }: LatexError, cause: LatexError): boolean {
  if (!message.startsWith('File ended while') || OPEN_ARGUMENT.test(message)) return false
  // TeX skips an undefined command, which therefore leaves nothing open.
  if (codeOf(cause) === 'undefined-command') return false
  const name = /([^/]+?)(?:\.tex)?$/.exec(cause.file ?? '')?.[1]
  return name !== undefined && (readUpperLine(context ?? '') ?? '').includes(name)
}
