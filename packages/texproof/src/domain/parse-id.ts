/** The id or number in an address or argument; null if the text is none. Always a safe integer. */
export function parseId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
