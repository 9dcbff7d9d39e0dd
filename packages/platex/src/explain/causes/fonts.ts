/** Fonts that are missing, and characters without a font. */
import type { LatexError } from '../../base/types.ts'
import { codeOf } from '../explain-diagnostic.ts'
import { isOnSameLine } from './places.ts'
import type { Link } from './types.ts'

export const FONT_LINKS: readonly Link[] = [
  isOfMissingFont,
  isOfSameFont,
  isOfUnloadableFont,
  isOfDigits,
  isOfMathFont,
  isAfterFontOfOtherKind,
  isOfSameScript,
]

/** LuaTeX reports a font again where it is used, and fails in its own code for a file that is not a font. */
export function isOfMissingFont({ message }: LatexError, cause: LatexError): boolean {
  const name = readMissingFont(cause)
  if (name === null) return false
  return (
    /fontloader-\S+\.lua:\d+: |luaotfload \| aux/.test(message) ||
    (message.startsWith('Font ') && message.includes(name))
  )
}

/** fontspec looks for a file that is missing again, without its extension. */
function isOfSameFont(error: LatexError, cause: LatexError): boolean {
  const [name, other] = [readMissingFont(error), readMissingFont(cause)]
  return name !== null && other?.replace(/\.(?:otf|ttf|ttc)$/i, '') === name && isOnSameLine(error, cause)
}

/** XeTeX reports a font that was not found at each use. */
function isOfUnloadableFont({ message }: LatexError, cause: LatexError): boolean {
  const name = readMissingFont(cause)
  if (name === null || codeOf(cause) !== 'missing-font') return false
  return message.includes('not loadable') && message.replaceAll(' ', '').includes(`/${name}(`)
}

/** The name of a font that fontspec cannot find, without spaces, as TeX prints it; null for other errors. */
function readMissingFont({ message }: LatexError): string | null {
  const name = /^Package fontspec Error: The font "(.+?)" cannot be found/.exec(message)?.[1]
  return name?.replaceAll(' ', '') ?? null
}

/** Without its font, fontspec asks no font for its features, and each use of the font is an error. */
function isAfterFontOfOtherKind(error: LatexError, cause: LatexError): boolean {
  if (!cause.message.startsWith('Package fontspec Error: The font "') || !isOnSameLine(error, cause)) return false
  return /with nullfont|^Missing = inserted|\.lua:\d+: |luaotfload/.test(error.message)
}

const DIGITS = /^Package xepersian-mathdigitspec Error: The font "(.+?)" does not contain/

/** xepersian reports each digit that the font for formulas lacks: all of them if the font is missing. */
function isOfDigits(error: LatexError, cause: LatexError): boolean {
  const name = DIGITS.exec(error.message)?.[1]
  if (name === undefined || !isOnSameLine(error, cause)) return false
  return readMissingFont(cause) === name.replaceAll(' ', '') || DIGITS.exec(cause.message)?.[1] === name
}

/** A formula needs the font that was not found. */
function isOfMathFont({ message }: LatexError, cause: LatexError): boolean {
  return /^\\(?:text|script|scriptscript)font \d+ is undefined/.test(message) && readMissingFont(cause) !== null
}

const CYRILLIC = /Unicode character \S+ \(U\+0[45]/
const EAST_ASIAN = /Unicode character \S+ \(U\+(?:3[01]|[4-9A-D][0-9A-F]|FF)[0-9A-F]{2}\)/

/** Cyrillic or East Asian text without its encoding: one error for each letter. */
function isOfSameScript(error: LatexError, cause: LatexError): boolean {
  return [CYRILLIC, EAST_ASIAN].some((script) => script.test(error.message) && script.test(cause.message))
}
