import { directionCharacters } from '../../../domain/text/direction-characters.ts'
import { decodeText } from '../decode-text.ts'
import { escapeText } from '../escape-html.ts'
import type { Language } from './find-language.ts'
import { markDirection } from './mark-direction.ts'

/** Lines of a source on one page: browsers open longer pages slowly. */
export const linesPerPart = 8_000

/** The requested part of a source. */
export interface SourceRequest {
  readonly bytes: Uint8Array
  /** null = not highlighted. */
  readonly language: Language | null
  /** Number of the first line, from 1. */
  readonly from: number
}

/** Some lines of a source, each as HTML that is safe in the text of an element. */
export interface SourcePart {
  readonly from: number
  readonly lines: readonly string[]
  /** Lines of the whole source. */
  readonly total: number
  /** Whether the source contains hidden characters that change the direction of text; they are marked in the lines. */
  readonly changesDirection: boolean
}

/** The number of the first line of the part that contains a line. */
export function startOfPart(line: number): number {
  return line - ((line - 1) % linesPerPart)
}

/** Renders a part of a source. Runs on a thread: no highlighter is linear for every input. */
export async function renderSourcePart({ bytes, language, from }: SourceRequest): Promise<SourcePart> {
  const text = decodeText(bytes).replaceAll('\r\n', '\n').replace(/\n$/, '')
  const part = await renderLines(text, { language, from })
  const changesDirection = text.search(directionCharacters) !== -1
  return { ...part, from, lines: changesDirection ? part.lines.map(markDirection) : part.lines, changesDirection }
}

async function renderLines(
  text: string,
  { language, from }: Pick<SourceRequest, 'language' | 'from'>,
): Promise<Pick<SourcePart, 'lines' | 'total'>> {
  if (language === null) {
    const { part, total } = takeLines(text, from)
    return { lines: part === null ? [] : escapeText(part).split('\n'), total }
  }
  const { highlightLines } = await import('./highlight-lines.ts')
  const lines = highlightLines(text, language)
  return { lines: lines.slice(from - 1, from - 1 + linesPerPart), total: lines.length }
}

/** The lines of one part as text, and the total, without creating a string for every line. */
function takeLines(text: string, from: number): { readonly part: string | null; readonly total: number } {
  let total = 1
  let start = from === 1 ? 0 : -1
  let end = text.length
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    total += 1
    if (total === from) start = at + 1
    if (total === from + linesPerPart) end = at
  }
  return { part: start === -1 ? null : text.slice(start, end), total }
}
