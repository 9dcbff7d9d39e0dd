/**
 * BibTeX for the editor: entries with their keys, fields, and values in quotes or braces. It uses the LaTeX tokens that
 * have the colors of a BibTeX source elsewhere.
 */
import { StreamLanguage } from '@codemirror/language'
import type { StringStream } from '@codemirror/language'
import type { Extension } from '@codemirror/state'

interface BibtexState {
  /** Expected token: text between entries is a comment. */
  place: 'outside' | 'type' | 'key' | 'fields'
  /** Open braces of a value. */
  depth: number
  isQuoted: boolean
}

/** Tokens of BibTeX. */
export const bibtex: Extension = StreamLanguage.define<BibtexState>({
  name: 'bibtex',
  startState: () => ({ place: 'outside', depth: 0, isQuoted: false }),
  token(stream, state) {
    if (state.depth > 0 || state.isQuoted) return readValue(stream, state)
    if (stream.eatSpace()) return null
    if (state.place === 'outside') return readOutside(stream, state)
    if (state.place === 'type') {
      stream.next()
      state.place = 'key'
      return null
    }
    return state.place === 'key' ? readKey(stream, state) : readField(stream, state)
  },
  languageData: {
    commentTokens: { line: '%' },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
  },
})

function readOutside(stream: StringStream, state: BibtexState): string {
  const isComment = stream.match(/^@comment\b/i, false) !== null
  if (!isComment && stream.match(/^@[a-z]+(?=\s*[{(])/i)) {
    // The definition of a string is a field, and a preamble a value: neither has a key.
    state.place = 'type'
    return 'tag'
  }
  stream.skipToEnd()
  return 'comment'
}

function readKey(stream: StringStream, state: BibtexState): string | null {
  state.place = 'fields'
  return stream.match(/^[^\s,"={}()#]+(?=\s*(?:,|$))/) ? 'atom' : null
}

function readField(stream: StringStream, state: BibtexState): string | null {
  // An unclosed entry ends where the next one begins.
  if (stream.match(/^@[a-z]+\s*[{(]/i, false)) {
    state.place = 'outside'
    return null
  }
  if (stream.match(/^[\w:-]+(?=\s*=)/)) return 'atom'
  if (stream.match(/^\d+/)) return 'keyword'
  const next = stream.next()
  if (next === '}' || next === ')') state.place = 'outside'
  if (next !== '{' && next !== '"') return null
  if (next === '{') state.depth = 1
  else state.isQuoted = true
  return 'string'
}

/** Reads to the end of the line or of the value. A quote inside braces does not end a quoted value. */
function readValue(stream: StringStream, state: BibtexState): string {
  for (let next = stream.next(); next !== undefined && next !== null; next = stream.next()) {
    if (next === '\\') stream.next()
    else if (next === '{') state.depth += 1
    else if (next === '}') state.depth = Math.max(0, state.depth - 1)
    else if (next === '"' && state.depth === 0) state.isQuoted = false
    if (state.depth === 0 && !state.isQuoted) return 'string'
  }
  return 'string'
}
