import { html } from 'hono/html'

import type { Html } from './html.ts'

/** A name, path or address that wraps after its separators, and inside a part only if that is wider than the line. */
export function breakable(text: string): Html {
  const [first = '', ...rest] = text.split(/(?<=[_/])(?<!:\/\/)(?![_/])/)
  return html`${first}${rest.map((part) => html`<wbr />${part}`)}`
}
