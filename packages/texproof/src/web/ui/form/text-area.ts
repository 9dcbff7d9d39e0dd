import { html } from 'hono/html'

import type { Html } from '../html.ts'

/** A field for many lines. Browsers drop a newline at its beginning, so the text gets one of its own. */
export function textArea(text: string, attributes: Html): Html {
  return html`<textarea ${attributes}>${`\n${text}`}</textarea>`
}
