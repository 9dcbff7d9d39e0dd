import { html } from 'hono/html'

import type { Html } from './html.ts'
import { icon } from './icon.ts'

/** The way back from one of the pages that belong to `/settings/security`. */
export function backToSecurity(): Html {
  return html`<p>
    <a href="/settings/security">${icon('chevron-left')} Security</a>
  </p>`
}
