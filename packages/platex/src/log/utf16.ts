/** Sources in UTF-16, which editors on Windows call "Unicode". */

/** Number of characters at the beginning that decide. */
const LOOKED_AT = 32

/** The byte order of a text in UTF-16, with or without a byte order mark; null for other files. */
export function utf16Order(bytes: Uint8Array): 'le' | 'be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'be'
  // Without a mark: sources begin with ASCII, every other byte of which is zero.
  const pairs = Math.min(LOOKED_AT, bytes.length >> 1)
  if (pairs < 2) return null
  const isZero = (offset: number): boolean => everyPair(pairs, (pair) => bytes[2 * pair + offset] === 0)
  const isText = (offset: number): boolean => everyPair(pairs, (pair) => isAscii(bytes[2 * pair + offset]))
  if (isText(0) && isZero(1)) return 'le'
  return isZero(0) && isText(1) ? 'be' : null
}

function everyPair(count: number, holds: (pair: number) => boolean): boolean {
  for (let pair = 0; pair < count; pair += 1) if (!holds(pair)) return false
  return true
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x09 || byte === 0x0a || byte === 0x0d || (byte >= 0x20 && byte < 0x7f))
}
