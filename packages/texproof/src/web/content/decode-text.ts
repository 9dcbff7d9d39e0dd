/** Decodes a source file: UTF-8, otherwise Windows-1252, which old papers use. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8: this encoding accepts every byte.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
