import { html, raw } from 'hono/html'

import type { RenderedHunk, RenderedRow } from './render-hunk.ts'
import type { Html } from '../ui/html.ts'

/** Display options of a change. */
export interface PatchStyle {
  /** Old and new side by side. */
  readonly isSplit: boolean
  /** Notes below a line of the new file. */
  readonly notes: (newLine: number | null) => Html | ''
}

/** The lines of one changed file with their notes. */
export function patchTable(hunks: readonly RenderedHunk[], style: PatchStyle): Html {
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
      ${hunks.map(
        ({ heading, rows }) =>
          html`<tr class="hunk">
              <td colspan="4">${heading}</td>
            </tr>
            ${joinRows(rows, style)}`,
      )}
    </tbody>
  </table>`
}

/** Joins runs of rows without notes into one piece of markup. */
function joinRows(rows: readonly RenderedRow[], { notes }: PatchStyle): Html {
  const parts: Html[] = []
  let plain = ''
  for (const { html: row, newLine } of rows) {
    plain += row
    const here = notes(newLine)
    if (here === '') continue
    parts.push(html`${raw(plain)}${here}`)
    plain = ''
  }
  return html`${parts}${raw(plain)}`
}
