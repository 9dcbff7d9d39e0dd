import { html } from 'hono/html'

import type { Html } from './html.ts'

/**
 * Reloads a changing page at intervals without script, from its head. A page opened at a fragment (`#L3`) must give its
 * address without it: otherwise a browser scrolls to the fragment instead of reloading.
 */
export function refreshWithoutScript(afterS: number, href: string | null = null): Html {
  const content = href === null ? String(afterS) : `${afterS}; url=${href}`
  return html`<noscript><meta http-equiv="refresh" content="${content}" /></noscript>`
}
