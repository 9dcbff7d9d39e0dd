import { Buffer } from 'node:buffer'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const western = new TextDecoder('windows-1252')

/**
 * Decodes one line of bytes, one Latin-1 character each, as UTF-8, or as Windows-1252 if it is not valid UTF-8.
 * Sequences in TeX's `^^c3^^a9` notation are decoded, too.
 */
export function decodeLine(line: string): string {
  const bytes = line.includes('^^') ? line.replace(/(?:\^\^[89a-f][0-9a-f])+/g, bytesOfCarets) : line
  return isAscii(bytes) ? bytes : decodeBytes(Buffer.from(bytes, 'latin1'))
}

function bytesOfCarets(run: string): string {
  const bytes = Buffer.from(run.replaceAll('^^', ''), 'hex')
  return isUtf8(bytes) ? bytes.toString('latin1') : run
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return western.decode(bytes) // not UTF-8: an old document in an 8-bit encoding
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    utf8.decode(bytes)
    return true
  } catch {
    return false // the carets are not UTF-8
  }
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text)
}
