import { isUtf8 } from 'node:buffer'

import { decodeUtf16 } from '../../domain/text/decode-utf16.ts'

/** Decodes a source file: UTF-16 with its mark, UTF-8, otherwise Windows-1252, which old papers use. */
export function decodeText(bytes: Uint8Array): string {
  const wide = decodeUtf16(bytes)
  if (wide !== null) return wide
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8: this encoding accepts every byte.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const LINE_FEED = 0x0a

/**
 * Decodes the output of git, which joins lines of files with different encodings and may end inside a character: each
 * line like `decodeText`.
 */
export function decodeLines(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(text)) return text.toString('utf8')
  const old = new TextDecoder('windows-1252')
  const lines: string[] = []
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf(LINE_FEED, start)
    const end = feed === -1 ? text.length : feed + 1
    const line = text.subarray(start, end)
    // Checked, not caught: there may be hundreds of thousands of lines.
    lines.push(isUtf8(line) ? line.toString('utf8') : old.decode(line))
    start = end
  }
  return lines.join('')
}
