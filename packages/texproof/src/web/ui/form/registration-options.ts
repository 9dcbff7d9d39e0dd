import { html } from 'hono/html'

import type { Html } from '../html.ts'

const LABELS = { closed: 'Closed (invitations still work)', invite: 'By invitation', open: 'Anyone' } as const

/** Choice of who may register; `risk` = why open registration has no effect on this host, null = it has one. */
export function registrationOptions(mode: string, risk: string | null): Html {
  return html`${Object.entries(LABELS).map(
    ([value, label]) =>
      html`<p>
        <label
          ><input type="radio" name="mode" value="${value}" ${value === mode ? html`checked` : ''} /> ${label}</label
        >
      </p>`,
  )}
  ${
    risk === null
      ? ''
      : html`<p class="quiet">
          "Anyone" has no effect on this host: ${risk}. <i>Administration › Status</i> shows what to change.
        </p>`
  }`
}
