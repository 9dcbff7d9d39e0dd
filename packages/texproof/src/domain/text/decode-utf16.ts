/** The text of a file in UTF-16, as Notepad saves "Unicode"; null for files without its byte order mark. */
export function decodeUtf16(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be').decode(bytes) : null
}
