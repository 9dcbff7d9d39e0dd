/**
 * Reads the directory of a zip archive, and unpacks its files one by one.
 *
 * Every size is known and checked before a byte is unpacked, and `unpack` never yields more than the declared size.
 * Archives that different programs would read differently are refused: overlapping entries, and entries whose two
 * headers disagree.
 */
import { crc32, inflateRawSync } from 'node:zlib'

import { ArchiveRefused, importLimits, shorten, type ArchiveEntry } from './archive-limits.ts'
import { decodeEntryName } from './decode-entry-name.ts'

const END_SIGNATURE = 0x06054b50
const CENTRAL_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT_BYTES = 0xffff

const STORED = 0
const DEFLATED = 8

interface Directory {
  readonly start: number
  readonly end: number
  readonly entryCount: number
  /** Bytes before the archive, which its offsets do not count. */
  readonly shift: number
}

interface Header {
  readonly rawName: Buffer
  readonly name: string
  readonly kind: ArchiveEntry['kind']
  readonly method: number
  readonly checksum: number
  readonly compressedSize: number
  readonly size: number
  readonly start: number
}

/** Whether the bytes begin like a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && [0x03, 0x05].includes(bytes[2] ?? 0)
}

/**
 * Lists the entries of a zip archive.
 *
 * @throws ArchiveRefused
 */
export function readZip(archive: Uint8Array): readonly ArchiveEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const directory = findDirectory(bytes)
  const headers = readHeaders(bytes, directory)
  const spans = headers.map((header) => ({ header, ...findData(bytes, header, directory) }))
  checkOverlap(spans)
  return spans.map(({ header, from, to }) => ({
    name: header.name,
    kind: header.kind,
    size: header.size,
    unpack: () => unpack(header, bytes.subarray(from, to)),
  }))
}

function findDirectory(bytes: Buffer): Directory {
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) !== END_SIGNATURE) continue
    if (at + END_BYTES + bytes.readUInt16LE(at + 20) !== bytes.length) continue
    return readDirectory(bytes, at)
  }
  throw damaged('its directory is missing')
}

function readDirectory(bytes: Buffer, end: number): Directory {
  const [disk, entryCount] = [bytes.readUInt16LE(end + 4), bytes.readUInt16LE(end + 10)]
  const [size, offset] = [bytes.readUInt32LE(end + 12), bytes.readUInt32LE(end + 16)]
  if (disk !== 0 || entryCount === 0xffff || offset === 0xffffffff)
    throw new ArchiveRefused(
      'The zip file has several parts or is in the zip64 format. Create it again as a plain zip.',
    )
  if (entryCount > importLimits.entries)
    throw new ArchiveRefused(
      `The archive has more than ${importLimits.entries.toLocaleString('en')} entries. Remove what the document does not need.`,
    )
  const start = end - size
  if (start < offset) throw damaged('its directory is cut off')
  return { start, end, entryCount, shift: start - offset }
}

function readHeaders(bytes: Buffer, { start, end, entryCount, shift }: Directory): readonly Header[] {
  const headers: Header[] = []
  let at = start
  for (let index = 0; index < entryCount; index += 1) {
    if (at + CENTRAL_BYTES > end || bytes.readUInt32LE(at) !== CENTRAL_SIGNATURE)
      throw damaged('its directory is not valid')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field))
    const next = at + CENTRAL_BYTES + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
    if (next > end) throw damaged('its directory is cut off')
    headers.push(readHeader(bytes.subarray(at, next), { nameBytes: nameBytes ?? 0, shift }))
    at = next
  }
  if (at !== end) throw damaged('its directory has more entries than it declares')
  return headers
}

function readHeader(record: Buffer, { nameBytes, shift }: { nameBytes: number; shift: number }): Header {
  const system = record.readUInt8(5)
  const flags = record.readUInt16LE(8)
  const rawName = record.subarray(CENTRAL_BYTES, CENTRAL_BYTES + nameBytes)
  const name = decodeEntryName(rawName, system === 0 ? 'cp437' : 'latin1').replaceAll('\\', '/')
  if ((flags & 0x41) !== 0)
    throw new ArchiveRefused(`"${shorten(name)}" is encrypted. Create the archive again without a password.`)
  return {
    rawName,
    name,
    kind: readKind(name, system === 3 ? record.readUInt32LE(38) >>> 16 : 0),
    method: record.readUInt16LE(10),
    checksum: record.readUInt32LE(16),
    compressedSize: record.readUInt32LE(20),
    size: record.readUInt32LE(24),
    start: record.readUInt32LE(42) + shift,
  }
}

/** `mode` = the Unix file mode; 0 if unknown. */
function readKind(name: string, mode: number): ArchiveEntry['kind'] {
  const type = mode & 0o170000
  if (type === 0o120000) return 'link'
  if (name.endsWith('/') || type === 0o040000) return 'folder'
  return type === 0 || type === 0o100000 ? 'file' : 'device'
}

function findData(bytes: Buffer, header: Header, directory: Directory): { readonly from: number; readonly to: number } {
  const { start, rawName, compressedSize } = header
  if (start + LOCAL_BYTES > directory.start || bytes.readUInt32LE(start) !== LOCAL_SIGNATURE)
    throw damaged(`the entry "${shorten(header.name)}" is missing`)
  const [nameBytes, extraBytes] = [bytes.readUInt16LE(start + 26), bytes.readUInt16LE(start + 28)]
  const localName = bytes.subarray(start + LOCAL_BYTES, start + LOCAL_BYTES + nameBytes)
  if (!localName.equals(rawName)) throw damaged(`the entry "${shorten(header.name)}" has two names`)
  const from = start + LOCAL_BYTES + nameBytes + extraBytes
  if (from + compressedSize > directory.start) throw damaged(`the entry "${shorten(header.name)}" is cut off`)
  return { from, to: from + compressedSize }
}

/** A zip bomb can list the same compressed bytes thousands of times. */
function checkOverlap(spans: readonly { readonly header: Header; readonly to: number }[]): void {
  const sorted = spans.toSorted((left, right) => left.header.start - right.header.start)
  for (const [index, { header }] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && header.start < before.to)
      throw damaged(`the entries "${shorten(before.header.name)}" and "${shorten(header.name)}" overlap`)
  }
}

function unpack({ name, method, checksum, size }: Header, data: Buffer): Uint8Array {
  if (method !== STORED && method !== DEFLATED)
    throw new ArchiveRefused(
      `"${shorten(name)}" is compressed with method ${method}. Create the zip file again with the standard compression, Deflate.`,
    )
  const bytes = method === STORED ? data : inflate(name, data, size)
  if (bytes.length !== size) throw damaged(`"${shorten(name)}" does not have the declared size`)
  if (crc32(bytes) !== checksum) throw damaged(`"${shorten(name)}" has a wrong checksum`)
  return bytes
}

function inflate(name: string, data: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLong) throw damaged(`"${shorten(name)}" does not have the declared size`)
    throw damaged(`"${shorten(name)}" cannot be unpacked`)
  }
}

function damaged(why: string): ArchiveRefused {
  return new ArchiveRefused(`The zip file is damaged: ${why}. Create it again, or download it again.`)
}
