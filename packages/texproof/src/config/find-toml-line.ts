/**
 * The line, from 1, on which a key of a TOML document is set: `[build]` and then `timeout =`, or `build.timeout =`, or
 * `build = { timeout = … }`. null when no line looks like it. A text that is spread over lines may hide a key or look
 * like one: the answer is for a person who goes there and looks.
 */
export function findTomlLine(text: string, key: string): number | null {
  let table = ''
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)?.[1]
    if (header !== undefined) table = `${plainKey(header)}.`
    const name = /^\s*((?:[\w-]+|"[^"]*"|'[^']*'|\s*\.\s*)+)\s*=/.exec(line)?.[1]
    if (name === undefined) continue
    const full = (header === undefined ? table : '') + plainKey(name)
    if (full === key || key.startsWith(`${full}.`)) return index + 1
  }
  return null
}

/** Without the blanks and quotes that its parts may have. */
function plainKey(written: string): string {
  return written
    .split('.')
    .map((part) => part.trim().replaceAll(/^["']|["']$/g, ''))
    .join('.')
}
