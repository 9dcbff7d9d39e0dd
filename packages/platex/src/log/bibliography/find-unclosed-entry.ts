/**
 * The line of a `.bib` file that leaves an entry, a brace or a quote open.
 *
 * BibTeX and biber notice an entry without its closing brace at the next `@` or at the end of the file. A field without
 * its closing brace takes the brace of the entry, and an open quote reaches to the next one. The entry before the reported line
 * is therefore read again, field by field.
 */

/** An entry with more lines is data. */
const MAX_LINES = 300

const SYNTAX_ERROR =
  /^I was expecting a|^Illegal end of database file|^Unbalanced braces|^BibTeX subsystem: .*(?:syntax error|unbalanced braces)/

/** The line to edit instead of the one that a syntax error reports, both 1-based; null if the reported one is right. */
export function findUnclosedEntry(message: string, lines: readonly string[], reported: number): number | null {
  if (!SYNTAX_ERROR.test(message)) return null
  const start = lines.slice(0, reported - 1).findLastIndex((line) => /^\s*@\s*[A-Za-z]+\s*[{(]/.test(line))
  if (start < 0) return null
  const offset = findOpenField(lines.slice(start, start + MAX_LINES).join('\n'))
  return offset === null ? null : start + offset + 1
}

/** Index of the line that leaves the entry at the beginning of `text` open; null for a closed entry and other errors. */
function findOpenField(text: string): number | null {
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length - 1
  const key = /^\s*@\s*[A-Za-z]+\s*[{(]\s*[^\s,{}()"=]*\s*,/.exec(text)
  if (key === null) return null
  const field = /\s*[^\s,{}()"=#]+\s*=\s*/y
  let at = key[0].length
  for (;;) {
    if (isEnd(text, at)) return 0
    field.lastIndex = at
    const name = field.exec(text)
    if (name === null) return null
    const fieldAt = at + (/^\s*/.exec(name[0])?.[0].length ?? 0)
    const end = skipValue(text, at + name[0].length)
    if (end === null) return lineOf(fieldAt)
    if (isEnd(text, end)) return hasFields(text.slice(at + name[0].length, end)) ? lineOf(fieldAt) : 0
    const comma = /^\s*,/.exec(text.slice(end, end + 200))
    if (comma === null) return null
    at = end + comma[0].length
  }
}

/** True if the text ends or the next entry begins where a field or the end of the entry must follow. */
function isEnd(text: string, at: number): boolean {
  const next = text.slice(at, at + 200).trimStart()[0]
  return next === undefined || next === '@'
}

/** Index after a value: braces, quotes, numbers and names, joined by `#`; null if it does not end. */
function skipValue(text: string, from: number): number | null {
  let at = from
  let depth = 0
  let isQuoted = false
  for (; at < text.length; at += 1) {
    const character = text[at]
    if (character === '{') depth += 1
    else if (character === '}') {
      if (depth === 0) return isQuoted ? null : at
      depth -= 1
    } else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (depth === 0 && !isQuoted && /[,@)]/.test(character ?? '')) return at
  }
  return depth > 0 || isQuoted ? null : at
}

/** True for a value that contains further fields, one per line: it is open where the first of them begins. */
function hasFields(value: string): boolean {
  return /\n[ \t]*[A-Za-z][\w-]*\s*=\s*["{\d]/.test(value)
}
