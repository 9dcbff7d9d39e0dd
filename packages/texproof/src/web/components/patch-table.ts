import { html, raw } from 'hono/html'

import { escapeHtml } from '../content/escape-html.ts'
import type { PatchHunk, PatchLine } from '../content/parse-patch.ts'
import { findWordChanges } from '../content/word-changes.ts'
import type { WordChange } from '../content/word-changes.ts'
import type { Html } from './html.ts'

/** Characters of one line. */
const MAX_LINE_LENGTH = 2_000

const SIGNS: Readonly<Record<PatchLine['kind'], string>> = { kept: '', added: '+', removed: '−' }

/** How the lines of a change are set. */
export interface PatchStyle {
  /** Old and new side by side. */
  readonly isSplit: boolean
  /** A line is a paragraph, so its words are compared. */
  readonly isProse: boolean
  /** What stands under a line of the new file. */
  readonly notes: (newLine: number | null) => Html | ''
}

type WordsOf = ReadonlyMap<PatchLine, readonly WordChange[]>

/** The lines of one changed file: told by sign and colour, the words of prose marked. */
export function patchTable(hunks: readonly PatchHunk[], style: PatchStyle): Html {
  const titles = style.isSplit
    ? ['Old line', 'Old text', 'New line', 'New text']
    : ['Old line', 'New line', 'Change', 'Text']
  return html`<table class="code patch ${style.isSplit ? 'split' : 'unified'}">
    ${
      style.isSplit
        ? html`<colgroup>
            <col class="number" />
            <col />
            <col class="number" />
            <col />
          </colgroup>`
        : ''
    }
    <thead class="visually-hidden">
      <tr>
        ${titles.map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${hunks.map((hunk) => hunkRows(hunk, style))}
    </tbody>
  </table>`
}

/** Comparing words costs more than setting them: it is done once as long as the change is remembered. */
const wordsOf = new WeakMap<PatchHunk, WordsOf>()

function findWords(hunk: PatchHunk): WordsOf {
  const words = wordsOf.get(hunk) ?? findWordChanges(hunk.lines)
  wordsOf.set(hunk, words)
  return words
}

function hunkRows(hunk: PatchHunk, style: PatchStyle): Html {
  const words: WordsOf = style.isProse ? findWords(hunk) : new Map()
  const rows = style.isSplit
    ? pairLines(hunk.lines).map((pair) => splitRow(pair, { words, style }))
    : hunk.lines.map((line) => unifiedRow(line, { words, style }))
  return html`<tr class="hunk">
      <td colspan="4">${hunk.heading}</td>
    </tr>
    ${joinRows(rows)}`
}

/** A row as text without the ends of its cells, since it stands hundreds of times on a page; as markup where notes are. */
type Row = string | Html

/** Runs of rows that are text become one piece of markup. */
function joinRows(rows: readonly Row[]): Html {
  const parts: Html[] = []
  let plain = ''
  for (const row of rows) {
    if (typeof row === 'string') {
      plain += row
      continue
    }
    parts.push(html`${raw(plain)}`, row)
    plain = ''
  }
  return html`${parts}${raw(plain)}`
}

function unifiedRow(line: PatchLine, { words, style }: { readonly words: WordsOf; readonly style: PatchStyle }): Row {
  const { kind, oldLine, newLine } = line
  const numbers = `<td>${oldLine ?? ''}<td>${newLine ?? ''}`
  const row = `<tr${classOf(kind)}>${numbers}<td>${SIGNS[kind]}<td><code>${lineText(line, words)}</code>`
  const notes = style.notes(newLine)
  return notes === '' ? row : html`${raw(row)}${notes}`
}

function splitRow(
  [old, young]: LinePair,
  { words, style }: { readonly words: WordsOf; readonly style: PatchStyle },
): Row {
  const side = (line: PatchLine | null, number: number | null): string => {
    const kind = line?.kind ?? 'absent'
    const text = line === null ? '' : `<code>${lineText(line, words)}</code>`
    return `<td${classOf(kind)}>${number ?? ''}<td${classOf(kind)}>${text}`
  }
  const row = `<tr>${side(old, old?.oldLine ?? null)}${side(young, young?.newLine ?? null)}`
  const notes = style.notes(young?.newLine ?? null)
  return notes === '' ? row : html`${raw(row)}${notes}`
}

/** Most lines of a change are those that it keeps: they go unmarked. */
function classOf(kind: PatchLine['kind'] | 'absent'): string {
  return kind === 'kept' ? '' : ` class="${kind}"`
}

type LinePair = readonly [old: PatchLine | null, young: PatchLine | null]

/** Lines side by side: what was kept against itself, what was removed against what was added in its place. */
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
  if (parts === undefined) return line.text === '' ? '\n' : escapeHtml(cut(line.text))
  const tag = line.kind === 'added' ? 'ins' : 'del'
  return parts
    .map(({ text, isChanged }) => (isChanged ? `<${tag}>${escapeHtml(text)}</${tag}>` : escapeHtml(text)))
    .join('')
}

/** A line of data may have megabytes. */
function cut(text: string): string {
  return text.length <= MAX_LINE_LENGTH
    ? text
    : `${text.slice(0, MAX_LINE_LENGTH)} … ${text.length - MAX_LINE_LENGTH} more`
}
