import { createDecoder, cutAtNul, parsePerson, readHeaders } from './parse-commit.ts'
import type { TagNote } from '../types.ts'

/** The signature at the end of the message, which is not shown. */
const SIGNATURE = /(?:^|\n)-----BEGIN (?:PGP|SSH|SIGNED)[\s\S]*$/

/** Parses any bytes of a tag object. Source: git-mktag(1). */
export function parseTagNote(bytes: Uint8Array): TagNote {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = buffer.indexOf('\n\n')
  const headers = readHeaders(buffer.subarray(0, end === -1 ? buffer.length : end))
  const find = (key: string): Buffer | null => headers.find((header) => header.key === key)?.value ?? null
  const decode = createDecoder(find('encoding')?.toString('latin1') ?? '')
  const tagger = find('tagger')
  const message = end === -1 ? '' : cutAtNul(decode(buffer.subarray(end + 2)))
  return {
    message: message.replace(SIGNATURE, '').replace(/[\r\n]+$/, ''),
    tagger: tagger === null ? null : parsePerson(decode(tagger)),
  }
}
