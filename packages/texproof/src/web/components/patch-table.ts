import { html } from 'hono/html'

import type { PatchHunk, PatchLine } from '../content/parse-patch.ts'
import { findWordChanges } from '../content/word-changes.ts'
import type { WordChange } from '../content/word-changes.ts'
import type { Html } from './html.ts'

/** Characters of one line. */
const MAX_LINE_LENGTH = 2_000

const SIGNS: Readonly<Record<PatchLine['kind'], string>> = { kept: ' ', added: '+', removed: '−' }

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
  return html`<div class="scroll">
    <table class="code patch ${style.isSplit ? 'split' : ''}">
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
    </table>
  </div>`
}

function hunkRows({ heading, lines }: PatchHunk, style: PatchStyle): Html {
  const words: WordsOf = style.isProse ? findWordChanges(lines) : new Map()
  return html`<tr class="hunk">
      <td colspan="4">${heading}</td>
    </tr>
    ${style.isSplit ? pairLines(lines).map((pair) => splitRow(pair, { words, style })) : lines.map((line) => unifiedRow(line, { words, style }))}`
}

function unifiedRow(line: PatchLine, { words, style }: { readonly words: WordsOf; readonly style: PatchStyle }): Html {
  const { kind, oldLine, newLine } = line
  return html`<tr class="${kind}">
    <td class="number">${oldLine ?? ''}</td>
    <td class="number">${newLine ?? ''}</td>
    <td class="sign">${SIGNS[kind]}</td>
    <td><code>${lineText(line, words)}</code>${style.notes(newLine)}</td>
  </tr>`
}

function splitRow(
  [old, young]: LinePair,
  { words, style }: { readonly words: WordsOf; readonly style: PatchStyle },
): Html {
  const side = (line: PatchLine | null, number: number | null, note: Html | ''): Html =>
    html`<td class="number ${line?.kind ?? 'absent'}">${number ?? ''}</td>
      <td class="${line?.kind ?? 'absent'}">
        ${line === null ? '' : html`<code>${lineText(line, words)}</code>`}${note}
      </td>`
  return html`<tr>
    ${side(old, old?.oldLine ?? null, '')} ${side(young, young?.newLine ?? null, style.notes(young?.newLine ?? null))}
  </tr>`
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

function lineText(line: PatchLine, words: WordsOf): Html | string {
  const parts = words.get(line)
  if (parts === undefined) return cut(line.text === '' ? '\n' : line.text)
  return html`${parts.map(({ text, isChanged }) =>
    !isChanged ? text : line.kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`,
  )}`
}

/** A line of data may have megabytes. */
function cut(text: string): string {
  return text.length <= MAX_LINE_LENGTH
    ? text
    : `${text.slice(0, MAX_LINE_LENGTH)} … ${text.length - MAX_LINE_LENGTH} more`
}
