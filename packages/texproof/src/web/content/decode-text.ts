/** Text of a source file: UTF-8, and Latin-1 for what is none, as old papers are. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8: this encoding takes every byte.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
