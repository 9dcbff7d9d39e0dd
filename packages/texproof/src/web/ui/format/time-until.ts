import { html } from 'hono/html'

import type { Html } from '../html.ts'

const HOUR_MS = 3_600_000

/** `in 3 d`, `in 5 h`, with the full time in the markup and on hover. */
export function timeUntil(at: number, now = Date.now()): Html {
  const iso = new Date(at).toISOString()
  const hours = Math.max(0, Math.floor((at - now) / HOUR_MS))
  const words = hours === 0 ? 'within the hour' : hours < 48 ? `in ${hours} h` : `in ${Math.round(hours / 24)} d`
  return html`<time datetime="${iso}" title="${iso.replace('T', ' ').slice(0, 19)} UTC">${words}</time>`
}
