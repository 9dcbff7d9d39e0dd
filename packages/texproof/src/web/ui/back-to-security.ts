import { html } from 'hono/html'

import type { Html } from './html.ts'
import { icon } from './icon.ts'

/** Link back to `/settings/security` from one of its pages. */
export function backToSecurity(): Html {
  return html`<p>
    <a href="/settings/security">${icon('chevron-left')} Security</a>
  </p>`
}
