import { html } from 'hono/html'

import type { Html } from './html.ts'

/**
 * A name, path, address or command that wraps after its separators, and inside a part only if that is wider than the line.
 * An option does not wrap after its hyphens.
 */
export function breakable(text: string): Html {
  const [first = '', ...rest] = text.split(/(?<=[_/])(?<!:\/\/)(?![_/])/)
  return html`${keepOptions(first)}${rest.map((part) => html`<wbr />${keepOptions(part)}`)}`
}

function keepOptions(part: string): readonly (Html | string)[] {
  return part
    .split(/(?<=\s)(--[\w-]+)/)
    .map((piece, at) => (at % 2 === 0 ? piece : html`<span class="one-line">${piece}</span>`))
}
