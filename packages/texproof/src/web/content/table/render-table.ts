import { html } from 'hono/html'

import { decodeText } from '../decode-text.ts'
import { readTable } from './read-table.ts'
import type { ValueTable } from './read-table.ts'

const NUMBER = /^[\s+-]*[\d.,]+(?:e[+-]?\d+)?\s*%?$/i

/** A CSV or TSV file as stored. */
export interface TableSource {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A CSV or TSV file as an HTML table; null if the content does not match the file name. Runs on a thread. */
export async function renderTable({ name, bytes }: TableSource): Promise<string | null> {
  const table = readTable(name, decodeText(bytes))
  return table === null ? null : String(await tableMarkup(table))
}

/** Values in rows and columns; the first row is the header, numbers are right-aligned. */
function tableMarkup({ rows, isWhole }: ValueTable): ReturnType<typeof html> {
  const [heads = [], ...values] = rows
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">
      <table class="values">
        <thead>
          <tr>
            ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${values.map(
            (row) =>
              html`<tr>
                ${row.map((value) => html`<td class="${NUMBER.test(value) ? 'numeric' : ''}">${value}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${isWhole ? '' : html`<p class="quiet">The beginning of the table. <a href="?view=source">All lines</a></p>`}`
}
