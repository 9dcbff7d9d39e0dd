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
