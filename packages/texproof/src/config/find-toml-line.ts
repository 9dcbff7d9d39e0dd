/**
 * The line, from 1, that sets a key of a TOML document: `[build]` and then `timeout =`, or `build.timeout =`, or `build
 * = { timeout = … }`. Null if no line matches. A multi-line string may hide a key or look like one: the result is only
 * a hint for the user.
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

/** Removes the blanks and quotes of its parts. */
function plainKey(written: string): string {
  return written
    .split('.')
    .map((part) => part.trim().replaceAll(/^["']|["']$/g, ''))
    .join('.')
}
