import { html } from 'hono/html'

import type { ValueTable } from './read-table.ts'
import type { Html } from '../../ui/html.ts'

const NUMBER = /^[\s+-]*[\d.,]+(?:e[+-]?\d+)?\s*%?$/i

/** Values in rows and columns, the first row as their heads, numbers set to the right. */
export function valueTable({ rows, isWhole }: ValueTable): Html {
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
