import { unifyLines } from './source-text.ts'

/** Characters that break a line, control a terminal, or change the text direction. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu

/** Anything but spaces and characters that are drawn as nothing, such as the zero-width space. */
const visible = /[^\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]/u

/**
 * Converts a name that a user has typed to a single line that is safe in lists, emails and terminals. It is empty if nothing
 * of it would be visible.
 */
export function oneLine(text: string): string {
  const line = text.replaceAll(unseen, ' ').trim()
  return visible.test(line) ? line : ''
}

/** Converts a text that a user has typed to lines, each of which is safe like a single one. */
export function plainLines(text: string): string {
  return unifyLines(text).split('\n').map(oneLine).join('\n').trim()
}
