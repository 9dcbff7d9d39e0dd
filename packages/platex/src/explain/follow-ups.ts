/** Errors that follow from another one of a certain kind, beyond its line. */
import type { LatexError } from '../base/types.ts'
import { OPEN_IN_PICTURE_NOTE, UNENDED_IN_PICTURE_NOTE } from './mistake-notes.ts'
import { packageOfCommand } from './known-commands.ts'

/** True if the error disappears once the cause is fixed. */
export function isFollowUp(error: LatexError, cause: LatexError): boolean {
  return (
    isAfterBrokenPicture(error, cause) ||
    isOfSameShorthand(error, cause) ||
    isOfLatePackage(error, cause) ||
    isOfClashedColors(error, cause) ||
    isAfterFontOfOtherKind(error, cause) ||
    isAfterPathOfWindows(error, cause) ||
    isAfterExpl3(error, cause) ||
    isOfMissingFont(error, cause)
  )
}

const MISREAD_PICTURE =
  /^(?:Undefined control sequence: \\(?:draw|node|fill|filldraw|path|coordinate|clip|matrix|endscope|endtikzpicture|addplot|foreach)$|Package (?:tikz|pgf) Error: (?:Giving up|Cannot parse|No shape named|A node must|\+ or)|Extra \}|Missing (?:\}|\{|\\endgroup|number)|Improper \\prevdepth|(?:Argument of|Paragraph ended before|File ended while scanning use of) \\(?:tikz@|pgf)|LaTeX Error: \\begin\{(?:tikzpicture|axis|scope|document)\}|You can't use `\\end'|Emergency stop: job aborted, no legal|Illegal unit|Too many \}'s|Extra \\endgroup)/

/** TikZ has misread the rest of a picture. */
function isAfterBrokenPicture(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !MISREAD_PICTURE.test(error.message)) return false
  const { context } = cause
  const isNoted = [OPEN_IN_PICTURE_NOTE, UNENDED_IN_PICTURE_NOTE].some((note) => context?.startsWith(note))
  if (isNoted) return true
  const isEnd = /^Extra \}|\\begin\{tikzpicture\} on|^Missing |^Improper /.test(error.message)
  return (
    isEnd && /^Use of \\pgffor@|^(?:Argument of|Paragraph ended before) \\(?:tikz@|pgfutil@|pgf)/.test(cause.message)
  )
}

/** A shorthand of babel, such as ">" in Spanish, in each path with an arrow. */
function isOfSameShorthand(error: LatexError, cause: LatexError): boolean {
  if (error.file !== cause.file || !cause.message.includes('@active@arg')) return false
  return error.message.includes('@active@arg') || /\\pgfkeys@|^Missing \\endcsname/.test(error.message)
}

/** A package that is loaded too late, and one of its commands. */
function isOfLatePackage(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('Can be used only in preamble')) return false
  const command = /^Undefined control sequence: (\\[A-Za-z]+)$/.exec(error.message)?.[1]
  const names = /^l\.\d+ .*\\usepackage\s*\n?\s*(?:\[[^\]\n]*\]\s*)?\{([^{}\n]+)\}/m.exec(cause.context ?? '')?.[1]
  const owner = command === undefined ? undefined : packageOfCommand.get(command)
  return owner !== undefined && names !== undefined && names.split(',').some((name) => name.trim() === owner)
}

/** xcolor without its option table, because it was loaded without it before. */
function isOfClashedColors({ message }: LatexError, cause: LatexError): boolean {
  if (!cause.message.includes('Option clash for package xcolor')) return false
  return /^Undefined control sequence: \\(?:row|cell|column)colors?$|Undefined color/.test(message)
}

/** Without its font, fontspec asks no font for its features, and each use of the font is an error. */
function isAfterFontOfOtherKind(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.startsWith('Package fontspec Error: The font "')) return false
  const isOnLine = error.file === cause.file && error.line === cause.line
  return isOnLine && /with nullfont|^Missing = inserted|\.lua:\d+: |luaotfload/.test(error.message)
}

/** Outside of expl3, "_" begins an index. */
function isAfterExpl3({ file, message }: LatexError, cause: LatexError): boolean {
  const isCause = /^l\.\d+ .*\n\s*_[A-Za-z]/m.test(cause.context ?? '') && cause.message.startsWith('Undefined control')
  return isCause && file === cause.file && /^Missing \$|invalid in math mode/.test(message)
}

/** LuaTeX reports a font again where it is used, and fails in its own code for a file that is not a font. */
export function isOfMissingFont({ message }: LatexError, cause: LatexError): boolean {
  const name = /^Package fontspec Error: The font "(.+?)" cannot be found/.exec(cause.message)?.[1]
  if (name === undefined) return false
  return (
    /fontloader-\S+\.lua:\d+: |luaotfload \| aux/.test(message) ||
    (message.startsWith('Font ') && message.includes(name.replaceAll(' ', '')))
  )
}

/** `\input{chapters\intro}` reads the file "chapters". */
function isAfterPathOfWindows(error: LatexError, cause: LatexError): boolean {
  const isPath = /^l\.\d+ .*\\(?:input|include|includegraphics|subfile)\b[^\n]*\{[^{}\n]*\\[A-Za-z]+/m.test(
    cause.context ?? '',
  )
  if (!isPath || !cause.message.startsWith('Undefined control sequence')) return false
  return error.file === cause.file && error.line === cause.line && / not found/.test(error.message)
}
