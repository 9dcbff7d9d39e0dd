import { latin1 } from '../canonical-digest.ts'
import { preambleOf } from '../readers/choose-starts.ts'

/** Text for more than a page, so that the edited page is complete and floats of it are placed. */
const PAGE_BYTES = 5_000
/** Text of the next page, without which TeX could put its first lines on the edited one. */
const NEXT_PAGE_BYTES = 1_500
const TOKEN = /\\begin\s*\{([^{}\n]*)\}|\\end\s*\{[^{}\n]*\}|\\[^]|[{}]|%[^\n]*|\n[ \t\r]*\n/g
const FRAME_END = /^\\end\s*\{frame\}$/
const VERBATIM = /^(?:[vV]erbatim|BVerbatim|LVerbatim|lstlisting|minted|comment|filecontents)\*?$/

/** A source file with an edit. */
export interface EditedSource {
  readonly source: Uint8Array
  readonly editedAt: number
  /** Where the next page began in the last compile; null if unknown. */
  readonly nextPageAt: number | null
  /** The root file ends nowhere before its `\begin{document}`. */
  readonly isRoot: boolean
  /** Whether each frame makes pages of its own. */
  readonly isSlides: boolean
}

/**
 * Where a document can end a page or two after an edit: between two paragraphs of the edited file outside all environments
 * and groups, or after a slide. Null if that is nowhere, or not before the end.
 */
export function findEarlyEnd({ source, editedAt, nextPageAt, isRoot, isSlides }: EditedSource): number | null {
  const text = latin1(source)
  const wanted = Math.min(editedAt + PAGE_BYTES, nextPageAt === null ? Infinity : nextPageAt + NEXT_PAGE_BYTES)
  const token = new RegExp(TOKEN)
  token.lastIndex = preambleOf(source)?.length ?? (isRoot ? text.length : 0)
  let depth = 0
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word, environment] = found
    if (environment !== undefined && VERBATIM.test(environment)) {
      const end = text.indexOf(`\\end{${environment}}`, token.lastIndex)
      if (end === -1) return null
      token.lastIndex = end + environment.length + '\\end{}'.length
    } else if (environment !== undefined || word === '{') depth += 1
    else if (word.startsWith('\\end') || word === '}') {
      if ((depth -= 1) < 0) return null
      if (isSlides && depth === 0 && found.index >= editedAt && FRAME_END.test(word)) return token.lastIndex
    } else if (word.startsWith('\n')) {
      if (depth === 0 && found.index >= wanted) return found.index + 1
      // The second line break may begin the next blank line.
      token.lastIndex -= 1
    }
  }
  return null
}

/** Position of the beginning of a line, 1-based. */
export function positionOfLine(root: Uint8Array, line: number): number {
  let at = 0
  for (let number = 1; number < line; number += 1) {
    const next = root.indexOf(0x0a, at)
    if (next === -1) return root.length
    at = next + 1
  }
  return at
}
