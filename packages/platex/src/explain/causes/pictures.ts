/** Pictures of TikZ that TeX has misread. */
import type { LatexError } from '../../base/types.ts'
import { anyOf } from '../any-of.ts'
import { OPEN_IN_PICTURE_NOTE, UNENDED_IN_PICTURE_NOTE } from '../mistake-notes.ts'
import { hasNote } from '../rules/shared.ts'
import { isSoonAfter } from './places.ts'
import type { Link } from './types.ts'

/** Errors in the rest of a picture. */
const MISREAD_PICTURE = anyOf(
  // Commands that are defined only in a picture.
  /^Undefined control sequence: \\(?:draw|node|fill|filldraw|path|coordinate|clip|matrix|foreach|addplot)$/,
  /^Undefined control sequence: \\(?:endscope|endtikzpicture)$/,
  // TikZ reads something else as a path or node.
  /^Package (?:tikz|pgf) Error: (?:Giving up|Cannot parse|No shape named|A node must|\+ or)/,
  /^(?:Argument of|Paragraph ended before|File ended while scanning use of) \\(?:tikz@|pgf)/,
  // TeX inserts or drops something to continue.
  /^Missing (?:\}|\{|\\endgroup|number)/,
  /^Extra (?:\}|\\endgroup)/,
  /^Too many \}'s/,
  /^Illegal unit/,
  /^Improper \\prevdepth/,
  // The picture, or the document, ends where TeX does not expect it.
  /^LaTeX Error: \\begin\{(?:tikzpicture|axis|scope|document)\}/,
  /^You can't use `\\end'/,
  /^Emergency stop: job aborted, no legal/,
)

/** Errors at the end of a picture. */
const AT_END_OF_PICTURE = /^Extra \}|\\begin\{tikzpicture\} on|^Missing |^Improper /

/** Internal commands of TikZ that read a path, a node or a loop. */
const MISREAD_COMMAND = /^Use of \\pgffor@|^(?:Argument of|Paragraph ended before) \\(?:tikz@|pgfutil@|pgf)/

/** Errors in the rest of a picture that TeX has ended. */
const ENDED_PICTURE = anyOf(
  /^Undefined control sequence: \\(?:draw|node|fill|filldraw|path|coordinate|endscope|endtikzpicture|addplot)$/,
  /Giving up on this path/,
  /\\begin\{(?:tikzpicture|axis|scope)\} on/,
)

export const PICTURE_LINKS: readonly Link[] = [
  isAfterBrokenPicture,
  isAfterOpenNode,
  isOfSameShorthand,
  isOfSameDriver,
  isAfterPlot,
]

/** TikZ has misread the rest of a picture. */
function isAfterBrokenPicture(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !MISREAD_PICTURE.test(error.message)) return false
  if (hasNote(cause, OPEN_IN_PICTURE_NOTE) || hasNote(cause, UNENDED_IN_PICTURE_NOTE)) return true
  return AT_END_OF_PICTURE.test(error.message) && MISREAD_COMMAND.test(cause.message)
}

/** A formula that is not closed in a node ends the picture. */
function isAfterOpenNode(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !cause.message.startsWith('Extra }, or forgotten $')) return false
  return ENDED_PICTURE.test(error.message)
}

/** A shorthand of babel, such as ">" in Spanish, in each path with an arrow. */
function isOfSameShorthand(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !cause.message.includes('@active@arg')) return false
  return error.message.includes('@active@arg') || /\\pgfkeys@|^Missing \\endcsname/.test(error.message)
}

/** Each command of pstricks reports that it needs PostScript; so does the program that makes the PDF of a missing picture. */
function isOfSameDriver(error: LatexError, cause: LatexError): boolean {
  if (error.message.startsWith('Ghostscript could not make the PDF')) return cause.message.includes('no BoundingBox')
  return error.message === cause.message && error.message.endsWith(': \\PSTricks')
}

/** A plot outside of its axis is read as text, up to the end of the picture. */
function isAfterPlot(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !/^Undefined control sequence: \\addplot$/.test(cause.message)) return false
  return isSoonAfter(error, cause) && (AT_END_OF_PICTURE.test(error.message) || error.message === cause.message)
}

/** The "&" of a matrix in an argument or frame, where it has another meaning. */
export function isAmpersand({ message }: LatexError): boolean {
  return message.startsWith('Package pgf Error: Single ampersand used')
}
