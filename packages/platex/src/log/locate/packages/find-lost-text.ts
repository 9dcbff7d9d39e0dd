/** Text in a picture that belongs to no node, which TeX drops: it reports its characters, but no line. */
import { listDocuments, type Place } from '../places.ts'
import type { SourceTexts } from '../../source-texts.ts'

const LOST_TEXT = /^Missing character: There is no (\S{1,40}) in font nullfont!$/u
/** A shorter text is in many lines. */
const MIN_LENGTH = 4

/** The place of the text in a warning about lost characters; null if it is another warning, or the text is not found. */
export function findLostText(message: string, sources: SourceTexts): Place | null {
  const text = LOST_TEXT.exec(message)?.[1]
  if (text === undefined) return null
  const files = listDocuments(sources)
  if (/^[[\]]/.test(text)) {
    for (const file of files) {
      const line = findEndOfTree(sources.code(file))
      if (line !== null) return { file, line }
    }
  }
  // Several pictures may have lost text: the whole text is then in no place.
  if (text.length < MIN_LENGTH) return null
  for (const length of [40, 20, 10, MIN_LENGTH]) {
    for (const file of files) {
      const { text: code, lineAt } = sources.squeezed(file)
      const at = code.indexOf(text.slice(0, length))
      if (at !== -1) return { file, line: lineAt(at) }
    }
  }
  return null
}

/** The line where the first tree of forest ends although brackets follow in its environment. */
function findEndOfTree(code: readonly string[]): number | null {
  let isInside = false
  let end: number | null = null
  let depth = 0
  let braces = 0
  for (const [index, text] of code.entries()) {
    if (text.includes('\\begin{forest}')) [isInside, end, depth, braces] = [true, null, 0, 0]
    if (!isInside) continue
    for (const [sign] of text.replace(/\\(?:begin|end)\{[^{}]{1,60}\}|\\[^A-Za-z]/g, '').matchAll(/[{}[\]]/g)) {
      if (sign === '{') braces += 1
      else if (sign === '}') braces -= 1
      else if (braces === 0) {
        if (end !== null) return end
        depth += sign === '[' ? 1 : -1
        if (depth === 0) end = index + 1
      }
    }
    if (text.includes('\\end{forest}')) isInside = false
  }
  return null
}
