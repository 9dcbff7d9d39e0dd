/** Index of the brace that closes the group at `from`; null if it is not closed. */
export function groupEnd(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return null
}
