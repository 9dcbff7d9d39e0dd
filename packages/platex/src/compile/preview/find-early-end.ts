import { latin1 } from '../canonical-digest.ts'
import { preambleOf } from '../readers/choose-starts.ts'

/** Text for more than a page, so that the edited page is complete and floats of it are placed. */
const FOLLOWING_BYTES = 5_000
const TOKEN = /\\begin\s*\{([^{}\n]*)\}|\\end\s*\{[^{}\n]*\}|\\[^]|[{}]|%[^\n]*|\n[ \t]*\n/g
const VERBATIM = /^(?:[vV]erbatim|BVerbatim|LVerbatim|lstlisting|minted|comment|filecontents)\*?$/

/**
 * Where a document can end a page or two after an edit: between two paragraphs outside all environments and groups. Null
 * if that is nowhere, or not before the end.
 */
export function findEarlyEnd(root: Uint8Array, editedAt: number): number | null {
  const text = latin1(root)
  const wanted = editedAt + FOLLOWING_BYTES
  const token = new RegExp(TOKEN)
  token.lastIndex = preambleOf(root)?.length ?? text.length
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
