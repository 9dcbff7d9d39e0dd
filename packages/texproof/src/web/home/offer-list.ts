import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import type { Html } from '../ui/html.ts'

/** Repositories that others want to transfer to the viewer. */
export function offerList(offered: readonly Repository[]): Html {
  return html`<section class="activity" aria-labelledby="offers">
    <h2 id="offers">Transfer requests</h2>
    <ul>
      ${offered.map(
        ({ id, owner, name }) =>
          html`<li>
            <p><a href="/settings/transfers/${id}">${owner.login}/${name}</a></p>
            <p class="what">${owner.login} wants to transfer this repository to you.</p>
          </li>`,
      )}
    </ul>
  </section>`
}
