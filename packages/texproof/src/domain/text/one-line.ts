import { unifyLines } from './source-text.ts'

/** Characters that break a line, control a terminal, or change the text direction. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu

/** Converts a name that a user has typed to a single line that is safe in lists, emails and terminals. */
export function oneLine(text: string): string {
  return text.replaceAll(unseen, ' ').trim()
}

/** Converts a text that a user has typed to lines, each of which is safe like a single one. */
export function plainLines(text: string): string {
  return unifyLines(text).split('\n').map(oneLine).join('\n').trim()
}
