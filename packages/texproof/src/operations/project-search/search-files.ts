/**
 * Search and replace in the texts of a project. Runs in a worker thread, which ends after a time limit: the patterns
 * are regular expressions of users, whose cost nothing bounds.
 */
import { createHash } from 'node:crypto'

import { countLines } from '../project-index/scan-source-file.ts'
import type { SourceText } from '../project-index/scan-source-file.ts'

export interface SearchQuery {
  readonly text: string
  readonly isRegex: boolean
  readonly isCaseSensitive: boolean
  /** Replacement text; with a regular expression, `$1`, `$<name>` and `$&` refer to the match. */
  readonly replacement: string
}

/** A match with the rest of its line. */
export interface SearchMatch {
  /** 1-based. */
  readonly line: number
  readonly before: string
  readonly matched: string
  readonly after: string
  readonly replacement: string
}

export interface SearchedFile {
  readonly path: string
  /** Digest of the text. */
  readonly version: string
  /** All matches; `matches` has the first. */
  readonly count: number
  readonly matches: readonly SearchMatch[]
}

/** `isLimited` = there may be more matches. */
export type SearchResult =
  | { readonly kind: 'found'; readonly files: readonly SearchedFile[]; readonly isLimited: boolean }
  | { readonly kind: 'invalid-pattern'; readonly reason: string }

/** A text after the replacement; null = it became too long. */
export interface ReplacedText {
  readonly path: string
  readonly version: string
  readonly text: string | null
  readonly count: number
}

const MAX_SHOWN = 1_000
const MAX_COUNTED = 100_000
const MAX_BEFORE = 60
const MAX_SHOWN_CHARACTERS = 160
/** Longer than the longest text that can be edited. */
const MAX_REPLACED_LENGTH = 1_200_000

/** Finds a query in texts. */
export function searchFiles({
  files,
  query,
}: {
  readonly files: readonly SourceText[]
  readonly query: SearchQuery
}): SearchResult {
  const pattern = toPattern(query)
  if (typeof pattern === 'string') return { kind: 'invalid-pattern', reason: pattern }
  const found: SearchedFile[] = []
  let counted = 0
  let shown = 0
  for (const { path, text } of files) {
    const matches: SearchMatch[] = []
    let count = 0
    const lineAt = countLines(text)
    for (const match of text.matchAll(pattern)) {
      if (match[0] === '') continue
      if (counted === MAX_COUNTED) break
      count += 1
      counted += 1
      if (shown >= MAX_SHOWN) continue
      shown += 1
      matches.push({ line: lineAt(match.index), ...showMatch(text, match), replacement: clip(expand(query, match)) })
    }
    if (count > 0) found.push({ path, version: versionOf(text), count, matches })
  }
  return { kind: 'found', files: found, isLimited: counted === MAX_COUNTED }
}

/** Replaces all matches. Texts without a match are omitted. */
export function replaceInFiles({
  files,
  query,
}: {
  readonly files: readonly SourceText[]
  readonly query: SearchQuery
}): readonly ReplacedText[] {
  const pattern = toPattern(query)
  if (typeof pattern === 'string') return []
  return files.flatMap(({ path, text }): ReplacedText[] => {
    const parts: string[] = []
    let [count, from, length] = [0, 0, 0]
    for (const match of text.matchAll(pattern)) {
      if (match[0] === '') continue
      const part = text.slice(from, match.index) + expand(query, match)
      parts.push(part)
      length += part.length
      from = match.index + match[0].length
      count += 1
      if (length > MAX_REPLACED_LENGTH) return [{ path, version: versionOf(text), text: null, count }]
    }
    return count === 0 ? [] : [{ path, version: versionOf(text), text: parts.join('') + text.slice(from), count }]
  })
}

/** The pattern of a query, or why it is invalid. */
function toPattern({ text, isRegex, isCaseSensitive }: SearchQuery): RegExp | string {
  const source = isRegex ? text : text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  try {
    return new RegExp(source, `gmu${isCaseSensitive ? '' : 'i'}`)
  } catch (error) {
    // The user's mistake: the reason is shown.
    return error instanceof Error ? error.message.replace(/^.*\/[gimu]+: /s, '') : ''
  }
}

/** Replacement of a match. */
function expand({ isRegex, replacement }: SearchQuery, match: RegExpMatchArray): string {
  if (!isRegex) return replacement
  return replacement.replaceAll(
    /\$(?:([$&])|(\d{1,2})|<([^>\n]{1,100})>)/g,
    (whole, special?: string, number?: string, name?: string) => {
      if (special !== undefined) return special === '$' ? '$' : match[0]
      if (number !== undefined) return Number(number) < match.length ? (match[Number(number)] ?? '') : whole
      return match.groups?.[name ?? ''] ?? ''
    },
  )
}

function showMatch(
  text: string,
  { index = 0, 0: matched }: RegExpMatchArray,
): Omit<SearchMatch, 'line' | 'replacement'> {
  const end = index + matched.length
  const lineStart = text.lastIndexOf('\n', index - 1) + 1
  const next = text.indexOf('\n', end)
  const from = Math.max(lineStart, index - MAX_BEFORE)
  const before = text.slice(from, index).trimStart()
  const after = clip(text.slice(end, next === -1 ? text.length : next))
  return {
    before: from > lineStart ? `…${before}` : before,
    matched: clip(matched),
    after: matched.endsWith('\n') ? '' : after,
  }
}

function clip(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
