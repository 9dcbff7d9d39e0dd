/** Environments whose \begin and \end do not match, and undefined environments. */
import type { LatexError } from '../../base/types.ts'
import { closest } from '../closest.ts'
import { ABSENT_ARGUMENT_NOTE } from '../mistake-notes.ts'
import { readUpperLine } from '../read-upper-line.ts'
import { hasNote } from '../rules/shared.ts'
import { FORMULA } from './formulas.ts'
import { isLonelyItem, isMissingItem } from './lists.ts'
import { isBefore, isOnSameLine, isSoonAfter, readRunaway } from './places.ts'
import type { Link } from './types.ts'

export const ENVIRONMENT_LINKS: readonly Link[] = [
  isEndOfUndefinedEnvironment,
  isUnmatchedAgain,
  isWithoutEndAfter,
  isWithoutMisspelledEnd,
  isWithoutArgument,
  isWithReadEnd,
]

/** TeX ignores an unknown \begin{…}, so its \end{…} seems to end something else. */
function isEndOfUndefinedEnvironment(error: LatexError, cause: LatexError): boolean {
  const undefinedName = /Environment (\S+) undefined/.exec(cause.message)?.[1] ?? readMisspelledBegin(cause)
  if (undefinedName === undefined) return false
  if (error.file === cause.file && isLonelyItem(error)) return true
  if (error.message.includes(`ended by \\end{${undefinedName}}`)) return true
  if (error.file !== cause.file || !FORMULA.test(undefinedName)) return false
  return /^(?:Misplaced alignment tab|Missing \$|You can't use `\\eqno')/.test(error.message)
}

/** An argument that is not closed contains the \end{…}, or its name. */
function isWithReadEnd(error: LatexError, cause: LatexError): boolean {
  const name = /\\begin\{(.+?)\} on input line \d+ ended by \\end\{document\}/.exec(error.message)?.[1]
  if (name === undefined || error.file !== cause.file) return false
  const read = readRunaway(cause.context)
  if (cause.message.startsWith('File ended while')) {
    // The argument extends to the end of the file. If TeX cuts it, an environment that begins shortly before ends there.
    const isCut = read.endsWith('\\ETC.') && !isBefore(cause, error) && isSoonAfter(cause, error)
    return isCut || read.includes(`\\end {${name}}`)
  }
  if (!cause.message.startsWith('Paragraph ended before')) return false
  return cause.message.includes('before \\end was') ? read.startsWith(`{${name}`) : read.includes(`\\end {${name}}`)
}

/** The environment of `\being{itemize}` or `\\begin{itemize}`, which TeX breaks where it stopped. */
function readMisspelledBegin({ message, context }: LatexError): string | undefined {
  if (!/^Undefined control sequence: \\b|There's no line here to end/.test(message)) return undefined
  const [, upper = '', lower = ''] = /^l\.\d+ .*?(\\b[a-z]*)\s*\n\s*(.*)/m.exec(context ?? '') ?? []
  return /^\\b[a-z]*\{(\w+\*?)\}/.exec(upper + lower)?.[1]
}

/** The \end{…} that ended the wrong environment is now missing for its own. */
export function isUnmatchedAgain(error: LatexError, cause: LatexError): boolean {
  const ended = /\\begin\{(.+?)\} on input line \d+ ended by \\end\{document\}/.exec(error.message)?.[1]
  if (ended !== undefined && cause.message.includes(`ended by \\end{${ended}}`)) return true
  if (isSwapped(error, cause)) return true
  return isUnmatched(cause) && (error.message.startsWith("You can't use `\\end'") || isWithoutEnd(error))
}

/** Of two environments that overlap, both ends are wrong. */
export function isSwapped({ message }: LatexError, cause: LatexError): boolean {
  const [, begun, ended] = /\\begin\{(.+?)\} on input line \d+ ended by \\end\{(.+?)\}/.exec(message) ?? []
  if (begun === undefined || ended === undefined) return false
  return (
    cause.message.startsWith(`LaTeX Error: \\begin{${ended}}`) && cause.message.endsWith(`ended by \\end{${begun}}.`)
  )
}

/** What follows if a command has read the \end of an environment as its argument. */
const AFTER_READ_END =
  /^(?:Display math should end|Paragraph ended before \\end |Missing [$}] inserted|Extra \}|LaTeX Error: \\begin\{.+\} on input line \d+ ended by \\end\{document\})/

/** An environment without its width, for example, reports it again where it ends. */
function isWithoutArgument(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !hasNote(cause, ABSENT_ARGUMENT_NOTE)) return false
  if (hasNote(error, ABSENT_ARGUMENT_NOTE)) return isOnSameLine(error, cause)
  const name = /"(.+?)"/.exec(cause.context ?? '')?.[1] ?? ''
  if (name.startsWith('\\')) return AFTER_READ_END.test(error.message)
  const isAtEnd = (readUpperLine(error.context ?? '') ?? '').includes(`\\end{${name}}`)
  return isAtEnd && /^(?:Missing number|Illegal unit)/.test(error.message) && isBefore(cause, error)
}

/** The end of another environment ends one; at the end of the document its own end may be misspelled or hidden. */
export function isUnmatched({ message }: LatexError): boolean {
  return /\\begin\{.+?\} on input line \d+ ended by \\end/.test(message) && !message.includes('\\end{document}')
}

export function isUnendedFormula({ message }: LatexError): boolean {
  return /\\begin\{(?:displaymath|math|equation)\*?\} on input line \d+ ended by \\end\{document\}/.test(message)
}

export function isUnendedPicture({ message }: LatexError): boolean {
  return /\\begin\{\w*(?:tikz)?(?:picture|circuitikz)\} on input line \d+ ended by \\end\{document\}/.test(message)
}

/** An \end{…} without its \begin{…} seems to end the document. */
export function isEndWithoutBeginning({ message }: LatexError): boolean {
  return message.includes('\\begin{document} ended by')
}

/** An \end{…} without its \begin{…} first ends a group that is not open. */
export function isEndOfGroup({ message }: LatexError): boolean {
  return /^(?:Too many }'s|Extra \\endgroup)/.test(message)
}

/** TeX read the whole file and found no \end{document}. */
export function isWithoutEnd({ message }: LatexError): boolean {
  return message.includes('no legal \\end found')
}

/** An environment that is open at the end of the document hides it. */
function isWithoutEndAfter(error: LatexError, cause: LatexError): boolean {
  return isWithoutEnd(error) && isOnSameLine(error, cause) && isOpenAtEnd(cause)
}

/** The end of the document is there, with a typing error. */
function isWithoutMisspelledEnd(error: LatexError, cause: LatexError): boolean {
  const ended = /\\begin\{document\} ended by \\end\{(.+?)\}/.exec(cause.message)?.[1]
  return isWithoutEnd(error) && ended !== undefined && closest(ended, ['document']) !== null
}

/** A figure that is not ended contains all later ones, even in other files. */
export function isInOpenFloat(error: LatexError, cause: LatexError): boolean {
  if (!error.message.includes('Not in outer par mode')) return false
  if (!/\\begin\{(?:figure|table|algorithm)\*?\} on/.test(cause.message) || !isOpenAtEnd(cause)) return false
  return error.file !== cause.file || isBefore(cause, error)
}

/** Commands that end a paragraph before they start something new. */
const BREAK = /\\(?:include|part|chapter|(?:sub)*section|clearpage|newpage)\b/

/** A list that is not ended contains everything after it, even in other files. */
export function isInOpenList(error: LatexError, cause: LatexError): boolean {
  if (!/\\begin\{(?:itemize|enumerate|description)\} on/.test(cause.message) || !isOpenAtEnd(cause)) return false
  if (error.file === cause.file && !isBefore(cause, error)) return false
  // Text without an \item is a mistake of its own.
  const isAtBreak = isMissingItem(error) && BREAK.test(readUpperLine(error.context ?? '') ?? '')
  return isAtBreak || error.message.startsWith('Improper \\prevdepth')
}

/** An environment without its end. */
export function isOpenAtEnd({ message }: LatexError): boolean {
  return /\\begin\{(?!document\})\S+\} on input line \d+ ended by \\end\{document\}/.test(message)
}

/** Something that begins before the error hides the end of the document. */
export function isHiddenEnd({ message, line }: LatexError, cause: LatexError): boolean {
  if (!isWithoutEnd(cause) || cause.line === null || line === null) return false
  // The name of the environment says more than the missing end.
  if (line === cause.line && message.includes('ended by \\end{document}')) return false
  return /^Extra \}, or|^Missing \} inserted|ended by \\end\{document\}|^You can't use `\\end'/.test(message)
}
