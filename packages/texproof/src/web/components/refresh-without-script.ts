import { html } from 'hono/html'

import type { Html } from './html.ts'

/** For the head of a page on which something changes: whoever runs no script gets it anew every so many seconds. */
export function refreshWithoutScript(afterS: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${afterS}" /></noscript>`
}
