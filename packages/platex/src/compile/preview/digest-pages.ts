/**
 * Digests of the pages of a PDF, to find those that changed between two compiles.
 *
 * A page is its dictionary with every reference replaced by the digest of what it refers to, so object numbers do not
 * matter. Fonts count by name only: a letter that is new in a font changes the font file of every page.
 */
import { hash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { latin1 } from '../canonical-digest.ts'

interface PdfObject {
  readonly dictionary: string
  readonly stream: Uint8Array
}

type PdfObjects = Map<number, PdfObject>

/** The document controls the file. */
const MAX_PAGES = 20_000
const MAX_OBJECTS = 500_000
const MAX_DEPTH = 12
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024
const NO_STREAM = new Uint8Array()

/** One digest for each page, in order; empty if the file cannot be read. */
export function digestPages(pdf: Uint8Array): readonly string[] {
  const objects = readObjects(pdf)
  const catalog = [...objects.values()].find(({ dictionary }) => /\/Type\s*\/Catalog\b/.test(dictionary))
  const known = new Map<number, string>()
  return listPages(objects, referenceIn(catalog?.dictionary ?? '', 'Pages')).map(({ dictionary }) =>
    hash('sha256', withDigests(dictionary.replace(/\/Parent\s+\d+\s+0\s+R/, ''), { objects, known, depth: 0 })),
  )
}

function listPages(objects: PdfObjects, root: number | null): readonly PdfObject[] {
  const pages: PdfObject[] = []
  const seen = new Set<number>()
  const pending = root === null ? [] : [root]
  for (let at = pending.pop(); at !== undefined && pages.length < MAX_PAGES; at = pending.pop()) {
    const object = objects.get(at)
    if (object === undefined || seen.has(at)) continue
    seen.add(at)
    const kids = /\/Kids\s*\[([^[\]]*)\]/.exec(object.dictionary)?.[1]
    if (kids === undefined) pages.push(object)
    else pending.push(...[...kids.matchAll(/\b(\d+)\s+0\s+R/g)].map((found) => Number(found[1])).toReversed())
  }
  return pages
}

interface DigestContext {
  readonly objects: PdfObjects
  readonly known: Map<number, string>
  readonly depth: number
}

function withDigests(dictionary: string, context: DigestContext): string {
  return dictionary.replaceAll(/\b(\d+)\s+0\s+R\b/g, (_, number: string) => digestObject(Number(number), context))
}

function digestObject(number: number, { objects, known, depth }: DigestContext): string {
  const object = objects.get(number)
  const found = known.get(number)
  if (object === undefined || depth > MAX_DEPTH) return 'none'
  if (found !== undefined) return found
  known.set(number, 'cycle')
  const digest = digestContent(object, { objects, known, depth: depth + 1 })
  known.set(number, digest)
  return digest
}

function digestContent({ dictionary, stream }: PdfObject, context: DigestContext): string {
  // A link can refer to a page, and the page contains the link.
  if (/\/Type\s*\/Pages?\b/.test(dictionary)) return 'page'
  if (/\/Type\s*\/Font\b/.test(dictionary))
    return /\/BaseFont\s*\/(?:[A-Z]{6}\+)?([^\s/>]+)/.exec(dictionary)?.[1] ?? 'font'
  return hash('sha256', `${withDigests(dictionary, context)}${hash('sha256', stream)}`)
}

/** All objects, those in object streams included. */
function readObjects(pdf: Uint8Array): PdfObjects {
  const objects: PdfObjects = new Map()
  const text = latin1(pdf)
  const header = /(\d{1,8}) 0 obj\b/g
  for (let found = header.exec(text); found !== null && objects.size < MAX_OBJECTS; found = header.exec(text)) {
    const start = header.lastIndex
    const end = text.indexOf('endobj', start)
    if (end === -1) break
    // Searches only the object: otherwise a file of many objects without streams is searched to its end for each.
    const streamAt = start + text.slice(start, end).indexOf('stream')
    if (streamAt < start) {
      objects.set(Number(found[1]), { dictionary: text.slice(start, end), stream: NO_STREAM })
      header.lastIndex = end
      continue
    }
    const dictionary = text.slice(start, streamAt)
    const dataAt = streamAt + 'stream'.length + (text[streamAt + 'stream'.length] === '\r' ? 2 : 1)
    const dataEnd = endOfStream(text, { dictionary, dataAt })
    const object = { dictionary, stream: pdf.subarray(dataAt, dataEnd) }
    objects.set(Number(found[1]), object)
    if (/\/Type\s*\/ObjStm\b/.test(dictionary)) addPacked(objects, object)
    header.lastIndex = dataEnd
  }
  return objects
}

/** Finds the end by the length if it is given and correct, because a stream may contain the word `endstream`. */
function endOfStream(text: string, { dictionary, dataAt }: { dictionary: string; dataAt: number }): number {
  const length = /\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary)?.[1]
  const end = length === undefined ? -1 : dataAt + Number(length)
  if (end !== -1 && /^\s*endstream/.test(text.slice(end, end + 16))) return end
  const marked = text.indexOf('endstream', dataAt)
  return marked === -1 ? text.length : marked
}

function addPacked(objects: PdfObjects, { dictionary, stream }: PdfObject): void {
  const first = Number(/\/First\s+(\d+)/.exec(dictionary)?.[1] ?? NaN)
  const text = unpack(stream, dictionary)
  if (text === null || Number.isNaN(first)) return
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
  for (let at = 0; at + 1 < numbers.length && objects.size < MAX_OBJECTS; at += 2) {
    const next = numbers[at + 3]
    const end = next === undefined ? undefined : first + next
    const content = text.slice(first + (numbers[at + 1] ?? 0), end)
    objects.set(numbers[at] ?? -1, { dictionary: content, stream: NO_STREAM })
  }
}

function unpack(stream: Uint8Array, dictionary: string): string | null {
  if (!dictionary.includes('/FlateDecode')) return latin1(stream)
  try {
    return latin1(inflateSync(stream, { maxOutputLength: MAX_UNPACKED_BYTES }))
  } catch {
    return null // Truncated or too large.
  }
}

function referenceIn(dictionary: string, key: string): number | null {
  const number = new RegExp(`/${key}\\s+(\\d+)\\s+0\\s+R`).exec(dictionary)?.[1]
  return number === undefined ? null : Number(number)
}
