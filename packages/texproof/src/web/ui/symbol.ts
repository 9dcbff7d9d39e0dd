import { raw } from 'hono/html'

import type { Html } from './html.ts'

/**
 * A character beyond Latin-1 as an entity. With the character itself, the text of a page takes twice the memory, and
 * conversion to UTF-8 takes several times as long.
 */
export function symbol(character: string): Html {
  return raw(`&#${character.codePointAt(0)};`)
}
