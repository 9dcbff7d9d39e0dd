import { html, raw } from 'hono/html'

import { escapeText } from '../../content/escape-html.ts'
import type { Html } from '../html.ts'

/** A multi-line field. Browsers drop a leading newline, so one is added. */
export function textArea(text: string, attributes: Html): Html {
  return html`<textarea ${attributes}>${raw(`\n${escapeText(text)}`)}</textarea>`
}
