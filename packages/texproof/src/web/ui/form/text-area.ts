import { html, raw } from 'hono/html'

import type { Html } from '../html.ts'

/** A multi-line field. Browsers drop a leading newline, so one is added. */
export function textArea(text: string, attributes: Html): Html {
  return html`<textarea ${attributes}>${raw(`\n${escapeFieldText(text)}`)}</textarea>`
}

const [AMPERSAND, LESS_THAN] = [0x26, 0x3c]
const ENTITIES: Readonly<Record<number, Uint8Array>> = {
  [AMPERSAND]: Buffer.from('&amp;'),
  [LESS_THAN]: Buffer.from('&lt;'),
}

/**
 * Escapes the two characters that have a meaning inside a field. A text can have a megabyte of nothing else, for which
 * all ways to replace parts of a string need five times as long.
 */
export function escapeFieldText(text: string): string {
  const bytes = Buffer.from(text)
  let length = bytes.length
  for (let at = 0; at < bytes.length; at += 1) length += addedLength(bytes[at])
  if (length === bytes.length) return text
  const escaped = Buffer.allocUnsafe(length)
  let end = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    const entity = byte === AMPERSAND || byte === LESS_THAN ? ENTITIES[byte] : undefined
    if (entity === undefined) escaped[end++] = byte
    else for (let n = 0; n < entity.length; n += 1) escaped[end++] = entity[n] ?? 0
  }
  return escaped.toString()
}

function addedLength(byte: number | undefined): number {
  return byte === AMPERSAND ? 4 : byte === LESS_THAN ? 3 : 0
}
