/**
 * TeX reports a bad box when its paragraph ends. The last paragraph of an included file that does not end with a blank line
 * ends in the file that includes it, and its first line, which TeX prints, is one of a file that is closed.
 */
import type { FilePosition } from './engine/file-stack.ts'
import type { WarningInLog } from './engine/read-notice.ts'
import type { Place } from './locate/places.ts'
import type { SourceTexts } from './source-texts.ts'

/** A shorter text can be in any paragraph. */
const MIN_LETTERS = 10
/** A longer paragraph keeps the place that TeX reports: a log can have thousands of boxes. */
const MAX_LINES = 100
const MAX_COLUMNS = 10_000
const MAX_SHOWN = 1_000

/**
 * The first line of the paragraph of a bad box, if it is in the file that closed last: the file ends within the paragraph. The
 * reported lines cannot be a paragraph of the open file, or only the closed file has the text of the box.
 */
export function findClosedParagraph(
  { message, shown = '' }: WarningInLog,
  { lastClosed, userFile }: FilePosition,
  sources: SourceTexts,
): Place | null {
  const [, first = 0, last = 0] = /in paragraph at lines (\d+)--(\d+)$/.exec(message)?.map(Number) ?? []
  if (lastClosed === null || lastClosed === userFile || first === 0) return null
  const closing = sources.lines(lastClosed).slice(first - 1, first + MAX_LINES)
  if (closing.at(-1) === '') closing.pop()
  const isUnfinished = closing.length > 0 && closing.length <= MAX_LINES && !closing.some(isBlank)
  if (!isUnfinished) return null
  if (beginsBefore({ first, last }, { lastClosed, userFile }, sources)) return { file: lastClosed, line: first }
  const text = longestText(shown)
  if (text.length < MIN_LETTERS || last - first > MAX_LINES) return null
  const isInClosed = lettersOf(sources.code(lastClosed).slice(first - 1)).includes(text)
  const isInOpen = lettersOf(sources.code(userFile).slice(first - 1, last)).includes(text)
  return isInClosed && !isInOpen ? { file: lastClosed, line: first } : null
}

/** Whether a paragraph that ends at `last` continues after the closed file, and begins above the text that loads that file. */
function beginsBefore(
  { first, last }: { readonly first: number; readonly last: number },
  { lastClosed, userFile }: { readonly lastClosed: string; readonly userFile: string },
  sources: SourceTexts,
): boolean {
  const lines = sources.lines(userFile)
  const name = lastClosed.replace(/^.*\/|\.tex$/g, '')
  let isLoaded = false
  for (let at = last; at > 0 && at > last - MAX_LINES; at -= 1) {
    const code = (sources.code(userFile)[at - 1] ?? '').slice(0, MAX_COLUMNS_OF_LOAD)
    const isBetween = at < last && isBlank(lines[at - 1] ?? '')
    if (isBetween || code.includes('\\begin{document}')) return isLoaded && (first <= at || first > last)
    isLoaded ||= LOAD.test(code) && code.split(NAME_ENDS).some((part) => part.trim() === name)
  }
  return isLoaded && first > last
}

const LOAD = /\\(?:input|include|subfile|import|subimport)(?![A-Za-z])/
const NAME_ENDS = /[{}/]|\\input\s|\.tex(?![^\s{}])/
const MAX_COLUMNS_OF_LOAD = 1_000

function isBlank(line: string): boolean {
  return !/\S/.test(line.slice(0, MAX_COLUMNS))
}

/** The letters of the longest part of a box that has one font and neither boxes nor formulas. TeX hyphenates its words. */
function longestText(shown: string): string {
  const parts = shown.slice(0, MAX_SHOWN).split(/\\\S+ |\[\]|\$|\^\^|[^ -~]+/)
  return parts.map((part) => part.replace(/[^A-Za-z]+/g, '')).reduce((a, b) => (b.length > a.length ? b : a), '')
}

function lettersOf(lines: readonly string[]): string {
  const text = lines.map((line) => line.slice(0, MAX_COLUMNS)).join('')
  return text.slice(0, MAX_COLUMNS).replace(/[^A-Za-z]+/g, '')
}
