import { html, raw } from 'hono/html'

import type { Html } from '../html.ts'

/**
 * A multi-line field. Browsers drop a leading newline, so one is added. The text can have a megabyte, which the
 * escaping of templates needs too long for: inside a field, only these two characters have a meaning.
 */
export function textArea(text: string, attributes: Html): Html {
  const escaped = text.split('&').join('&amp;').split('<').join('&lt;')
  return html`<textarea ${attributes}>${raw(`\n${escaped}`)}</textarea>`
}
