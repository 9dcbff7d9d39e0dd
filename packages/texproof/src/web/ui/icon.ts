import { html, raw } from 'hono/html'

import { iconDrawing, type IconName } from '../assets/icon-drawings.ts'
import type { Html } from './html.ts'

export type { IconName } from '../assets/icon-drawings.ts'

/** An icon in the color and size of the surrounding text; decorative, so a word must be next to it. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">
    ${raw(iconDrawing(name))}
  </svg>`
}
