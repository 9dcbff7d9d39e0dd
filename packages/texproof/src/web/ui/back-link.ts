import { html } from 'hono/html'

import type { Html } from './html.ts'
import { icon } from './icon.ts'

/** The parent of a page. */
export interface BackLink {
  readonly href: string
  /** Heading of the parent page. */
  readonly label: string
}

/** Link to the parent of a page, above its heading. */
export function backLink({ href, label }: BackLink): Html {
  return html`<p class="back"><a href="${href}">${icon('chevron-left')} ${label}</a></p>`
}

/** The parent of the pages below the security settings. */
export const SECURITY: BackLink = { href: '/settings/security', label: 'Security' }
