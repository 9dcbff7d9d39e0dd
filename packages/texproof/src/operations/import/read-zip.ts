/**
 * Reads the directory of a zip archive, and unpacks its files one by one.
 *
 * Every size is known and checked before a byte is unpacked, and `unpack` never yields more than the declared size.
 * Archives that different programs would read differently are refused: overlapping entries, and entries whose two
 * headers disagree.
 */
import { crc32, inflateRawSync } from 'node:zlib'

import { decodeEntryName, shorten } from '@texproof/platex/tar'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'

import { ArchiveRefused, importLimits, type ArchiveEntry } from './archive-limits.ts'

const STORED = 0
const DEFLATED = 8

/** An entry and the position of its compressed data. */
interface Located {
  readonly name: string
  readonly entry: Entry
  readonly from: number
  readonly to: number
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
export async function readZip(archive: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const entries = await locateEntries(bytes)
  checkOverlap(entries)
  return entries.map((located) => ({
    name: located.name,
    kind: readKind(located),
    size: located.entry.uncompressedSize,
    unpack: () => unpack(located, bytes.subarray(located.from, located.to)),
  }))
}

async function locateEntries(bytes: Buffer): Promise<readonly Located[]> {
  try {
    const zip = await fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false })
    if (zip.entryCount > importLimits.entries)
      throw new ArchiveRefused(
        `The archive has more than ${importLimits.entries.toLocaleString('en')} entries. Remove files that the document does not need.`,
      )
    const entries: Located[] = []
    for await (const entry of zip.eachEntry()) entries.push(await locateEntry(zip, entry))
    return entries
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error
    throw damaged('its list of files cannot be read')
  }
}

async function locateEntry(zip: ZipFile, entry: Entry): Promise<Located> {
  // The upper byte names the system that made the archive; 0 = DOS and Windows.
  const isDos = entry.versionMadeBy >> 8 === 0
  const name = decodeEntryName(entry.fileNameRaw, isDos ? 'cp437' : 'latin1').replaceAll('\\', '/')
  if (entry.isEncrypted())
    throw new ArchiveRefused(`"${shorten(name)}" is encrypted. Create the archive again without a password.`)
  const local = await zip.readLocalFileHeaderPromise(entry)
  if (!local.fileName.equals(entry.fileNameRaw)) throw damaged(`the entry "${shorten(name)}" has two names`)
  return { name, entry, from: local.fileDataStart, to: local.fileDataStart + entry.compressedSize }
}

function readKind({ name, entry }: Located): ArchiveEntry['kind'] {
  const isUnix = entry.versionMadeBy >> 8 === 3
  const type = isUnix ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0
  if (type === 0o120000) return 'link'
  if (name.endsWith('/') || type === 0o040000) return 'folder'
  return type === 0 || type === 0o100000 ? 'file' : 'device'
}

/** A zip bomb can list the same compressed bytes thousands of times. */
function checkOverlap(entries: readonly Located[]): void {
  const sorted = entries.toSorted((left, right) => left.from - right.from)
  for (const [index, { name, entry }] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && entry.relativeOffsetOfLocalHeader < before.to)
      throw damaged(`the entries "${shorten(before.name)}" and "${shorten(name)}" overlap`)
  }
}

function unpack({ name, entry }: Located, data: Buffer): Uint8Array {
  const { compressionMethod: method, crc32: checksum, uncompressedSize: size } = entry
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
