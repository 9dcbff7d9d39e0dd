import { escapeHtml } from '../content/escape-html.ts'
import { markDirection } from '../content/source/mark-direction.ts'
import { symbol } from '../ui/symbol.ts'
import type { PatchHunk, PatchLine } from './parse-patch.ts'
import type { WordChange } from './word-changes.ts'

/** A row of a change as safe HTML, without optional end tags, because rows occur hundreds of times on a page. */
export interface RenderedRow {
  readonly html: string
  /** Number of its line in the new file; null for a removed line. */
  readonly newLine: number | null
}

/** The rows of one hunk. */
export interface RenderedHunk {
  readonly heading: string
  readonly rows: readonly RenderedRow[]
}

/** Display options of the lines of a change. */
interface HunkStyle {
  /** Old and new side by side. */
  readonly isSplit: boolean
  readonly words: WordsOf
}

type WordsOf = ReadonlyMap<PatchLine, readonly WordChange[]>

/** Characters of one line. */
const MAX_LINE_LENGTH = 2_000
/** Characters of a heading, which repeats a line of the file. */
const MAX_HEADING_LENGTH = 200

const SIGNS: Readonly<Record<PatchLine['kind'], string>> = { kept: '', added: '+', removed: String(symbol('−')) }

/** The rows of a hunk, marked by sign and color, with changed words marked. */
export function renderHunk({ heading, lines }: PatchHunk, { isSplit, words }: HunkStyle): RenderedHunk {
  const rows = isSplit
    ? pairLines(lines).map((pair) => splitRow(pair, words))
    : lines.map((line) => unifiedRow(line, words))
  return { heading: heading.slice(0, MAX_HEADING_LENGTH), rows }
}

function unifiedRow(line: PatchLine, words: WordsOf): RenderedRow {
  const { kind, oldLine, newLine } = line
  const numbers = `<td>${oldLine ?? ''}<td>${newLine ?? ''}`
  const html = `<tr${classOf(kind)}>${numbers}<td>${SIGNS[kind]}<td><code>${lineText(line, words)}</code>`
  return { html, newLine }
}

function splitRow([old, young]: LinePair, words: WordsOf): RenderedRow {
  const side = (line: PatchLine | null, number: number | null): string => {
    const kind = line?.kind ?? 'absent'
    const text = line === null ? '' : `<code>${lineText(line, words)}</code>`
    return `<td${classOf(kind)}>${number ?? ''}<td${classOf(kind)}>${text}`
  }
  const newLine = young?.newLine ?? null
  return { html: `<tr>${side(old, old?.oldLine ?? null)}${side(young, newLine)}`, newLine }
}

/** Most lines of a change are context lines, so these get no class. */
function classOf(kind: PatchLine['kind'] | 'absent'): string {
  return kind === 'kept' ? '' : ` class="${kind}"`
}

type LinePair = readonly [old: PatchLine | null, young: PatchLine | null]

/** Side by side: context lines with themselves, removed lines with the added lines that replace them. */
function pairLines(lines: readonly PatchLine[]): readonly LinePair[] {
  const pairs: LinePair[] = []
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const flush = (): void => {
    for (let n = 0; n < Math.max(removed.length, added.length); n++) pairs.push([removed[n] ?? null, added[n] ?? null])
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush()
      removed.push(line)
    } else if (line.kind === 'added') added.push(line)
    else {
      flush()
      pairs.push([line, line])
    }
  }
  flush()
  return pairs
}

function lineText(line: PatchLine, words: WordsOf): string {
  const parts = words.get(line)
  if (parts === undefined) return line.text === '' ? '\n' : escapeLine(cut(line.text))
  const tag = line.kind === 'added' ? 'ins' : 'del'
  return parts
    .map(({ text, isChanged }) => (isChanged ? `<${tag}>${escapeLine(text)}</${tag}>` : escapeLine(text)))
    .join('')
}

function escapeLine(text: string): string {
  return markDirection(escapeHtml(text))
}

/** Bounds a line: a line of data may have megabytes. */
function cut(text: string): string {
  return text.length <= MAX_LINE_LENGTH
    ? text
    : `${text.slice(0, MAX_LINE_LENGTH)} … ${text.length - MAX_LINE_LENGTH} more`
}
