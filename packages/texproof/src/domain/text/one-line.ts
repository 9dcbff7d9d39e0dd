/** What breaks a line, moves a terminal's cursor, or turns the letters after it around. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu

/** A name that people give to themselves or to something of theirs, as it may stand in a list, a letter or a terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(unseen, ' ').trim()
}
