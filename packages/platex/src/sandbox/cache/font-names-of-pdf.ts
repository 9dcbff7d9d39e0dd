/** The names of the fonts of a PDF, found without a parser: in its text, and in its compressed objects. */
import { inflateSync } from 'node:zlib'

/** A name that follows is one group; without it, the font is named elsewhere. */
const NAMED_FONT = /\/(?:FontName|BaseFont)\b\s*(?:\/([\w+.,-]+)(?=[\s/>]))?/g
const SUBSET_TAG = /^[A-Z]{6}\+/
const COMPRESSED_OBJECTS = '/ObjStm'
const MAX_UNPACKED_BYTES = 1024 * 1024

/** Font names without subset tags. Null if the PDF may have others: it is encrypted, or packed in another way. */
export function fontNamesOfPdf(pdf: Uint8Array): readonly string[] | null {
  const text = Buffer.from(pdf).toString('latin1')
  const objects = unpackObjects(text)
  if (objects === null || text.includes('/Encrypt')) return null
  const names = [text, ...objects].flatMap((part) => [...part.matchAll(NAMED_FONT)].map(([, name]) => name ?? null))
  const known = names.filter((name) => name !== null)
  return known.length < names.length ? null : [...new Set(known.map((name) => name.replace(SUBSET_TAG, '')))]
}

function unpackObjects(text: string): readonly string[] | null {
  const objects: string[] = []
  for (let at = text.indexOf(COMPRESSED_OBJECTS); at !== -1; at = text.indexOf(COMPRESSED_OBJECTS, at + 1)) {
    const start = text.indexOf('stream', at)
    const end = text.indexOf('endstream', start)
    const properties = text.slice(text.lastIndexOf(' obj', at), start)
    if (start === -1 || end === -1 || !properties.includes('/FlateDecode') || properties.includes('/DecodeParms'))
      return null
    const data = Buffer.from(text.slice(start + 'stream'.length, end).replace(/^\r?\n/, ''), 'latin1')
    try {
      objects.push(inflateSync(data, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('latin1'))
    } catch {
      return null // Damaged, or too large.
    }
  }
  return objects
}
