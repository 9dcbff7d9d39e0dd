import { html } from 'hono/html'

import { icon } from './icon.ts'
import type { Html } from './html.ts'

/** A menu of a toolbar's remaining actions, in the given order; absent ones are ''. */
export function moreMenu(actions: readonly (Html | '')[]): Html {
  return html`<details class="picker more" data-menu>
    <summary aria-label="More" title="More">${icon('ellipsis')}</summary>
    <div class="menu menu-end">
      <ul>
        ${actions.filter((action) => action !== '').map((action) => html`<li>${action}</li>`)}
      </ul>
    </div>
  </details>`
}
