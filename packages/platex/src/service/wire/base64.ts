/**
 * Strict base64, identical on all platforms.
 *
 * `Buffer.from(text, 'base64')` skips invalid characters, so a damaged upload would silently become a different file.
 * `atob` does not support the URL-safe alphabet. One table handles both in one pass.
 */

const INVALID = 0xff
const BLANK = 0xfe
const CODES = makeCodes()

/**
 * Decodes RFC 4648 base64, standard or URL-safe alphabet, padded or not, ASCII white space between characters allowed.
 *
 * @returns null for any other text, including `data:` URLs.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let length = 0
  let bits = 0
  let bitCount = 0
  let digits = 0
  let padding = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit === 0x3d) {
      padding += 1
      continue
    }
    const code = unit < 128 ? (CODES[unit] ?? INVALID) : INVALID
    if (code === BLANK) continue
    if (code === INVALID || padding > 0) return null
    digits += 1
    bits = ((bits << 6) | code) & 0xffff
    bitCount += 6
    if (bitCount >= 8) {
      bitCount -= 8
      bytes[length] = bits >> bitCount
      length += 1
    }
  }
  if (!isLegalEnding(digits, padding)) return null
  return bytes.subarray(0, length)
}

/** Maximum decoded size of base64 text, to check it before allocating memory. */
export function maxDecodedBytes(text: string): number {
  return Math.floor((text.length * 3) / 4)
}

function isLegalEnding(digits: number, padding: number): boolean {
  const rest = digits % 4
  if (rest === 1) return false
  return padding === 0 || (rest !== 0 && padding === 4 - rest)
}

function makeCodes(): Uint8Array {
  const codes = new Uint8Array(128).fill(INVALID)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let code = 0; code < 64; code += 1) codes[alphabet.charCodeAt(code)] = code
  codes[0x2d] = 62 // -
  codes[0x5f] = 63 // _
  for (const blank of [0x09, 0x0a, 0x0c, 0x0d, 0x20]) codes[blank] = BLANK
  return codes
}

const ALPHABET = new TextEncoder().encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PAD = 0x3d
const decoder = new TextDecoder()

/** Writes bytes as padded standard base64, without `Buffer` and without the size limit of `btoa` with spread. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil(bytes.length / 3) * 4).fill(PAD)
  let written = 0
  for (let index = 0; index < bytes.length; index += 3) {
    const first = bytes[index] ?? 0
    const second = bytes[index + 1] ?? 0
    const third = bytes[index + 2] ?? 0
    text[written] = digit(first >> 2)
    text[written + 1] = digit(((first & 3) << 4) | (second >> 4))
    if (index + 1 < bytes.length) text[written + 2] = digit(((second & 15) << 2) | (third >> 6))
    if (index + 2 < bytes.length) text[written + 3] = digit(third & 63)
    written += 4
  }
  return decoder.decode(text)
}

function digit(value: number): number {
  return ALPHABET[value] ?? PAD
}
