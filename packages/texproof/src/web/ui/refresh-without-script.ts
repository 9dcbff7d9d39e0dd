import { html } from 'hono/html'

import type { Html } from './html.ts'

/**
 * For the head of a page on which something changes: whoever runs no script gets it anew every so many seconds. A page
 * that is opened at a place (`#L3`) has to say its address, without the place: a browser goes there and asks nobody.
 */
export function refreshWithoutScript(afterS: number, href: string | null = null): Html {
  const content = href === null ? String(afterS) : `${afterS}; url=${href}`
  return html`<noscript><meta http-equiv="refresh" content="${content}" /></noscript>`
}
