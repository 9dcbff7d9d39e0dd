/**
 * Lists the entries of a tar archive. Contents are parts of the archive, not copies, and an entry that is longer than the
 * archive is refused: no declared size uses memory.
 */
import {
  noRecords,
  readPaxRecords,
  readTarHeader,
  readText,
  TAR_BLOCK_BYTES,
  type PaxRecords,
  type TarHeader,
} from './read-tar-header.ts'
import { damagedTar, shorten, TarError } from './tar-error.ts'

/** An entry of a tar archive. */
export interface TarEntry {
  /** Name in the archive, decoded; `/`-separated. */
  readonly name: string
  readonly kind: 'file' | 'folder' | 'link' | 'hard-link' | 'device'
  /** A part of the archive, not a copy. */
  readonly content: Uint8Array
}

/** Maximum bytes of all long names and pax records. */
const MAX_EXTENSION_BYTES = 8 * 1024 ** 2

/** Kinds of entries by type flag; others are devices or extensions. */
const KINDS: ReadonlyMap<string, TarEntry['kind']> = new Map([
  ['0', 'file'],
  ['\0', 'file'],
  // A contiguous file.
  ['7', 'file'],
  ['1', 'hard-link'],
  ['2', 'link'],
  ['5', 'folder'],
])

/** Whether the bytes begin like a tar archive. */
export function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'
}

/**
 * Lists at most `maxEntries + 1` entries of a tar archive; the extra one means that there are more than `maxEntries`.
 *
 * @throws TarError
 */
export function readTar(tar: Uint8Array, maxEntries: number): readonly TarEntry[] {
  const entries: TarEntry[] = []
  /** Values that extensions declare for the next entry. */
  let records = noRecords
  let extensionBytes = 0
  let start = 0
  while (entries.length <= maxEntries) {
    const header = readTarHeader(tar.subarray(start, start + TAR_BLOCK_BYTES))
    start += TAR_BLOCK_BYTES
    if (header === null) {
      checkEnd(tar.subarray(start))
      break
    }
    const isExtension = /[xgLK]/.test(header.type)
    const entry = isExtension ? header : applyRecords(header, records)
    const content = takeContent(tar, start, entry)
    start += Math.ceil(content.length / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES
    extensionBytes += isExtension ? content.length : 0
    if (extensionBytes > MAX_EXTENSION_BYTES) throw refuseExtensions()
    if (!isExtension) entries.push(describeEntry(entry, content))
    records = isExtension ? readExtension(header, content, records) : noRecords
  }
  return entries
}

/** @throws TarError for a sparse file, whose content has gaps. */
function applyRecords(header: TarHeader, { path, size, isSparse }: PaxRecords): TarHeader {
  const name = path ?? header.name
  if (isSparse || header.type === 'S')
    throw new TarError(
      `"${shorten(name)}" is stored as a sparse file. Create the archive again without the option --sparse.`,
    )
  // Links, devices and folders have no content, whatever size they declare.
  return { ...header, name, size: /[1-6]/.test(header.type) ? 0 : (size ?? header.size) }
}

function takeContent(tar: Uint8Array, start: number, { name, size }: TarHeader): Uint8Array {
  const paddedSize = Math.ceil(size / TAR_BLOCK_BYTES) * TAR_BLOCK_BYTES
  if (paddedSize > tar.length - start) throw damagedTar(`it ends before the end of "${shorten(name)}"`)
  return tar.subarray(start, start + size)
}

function describeEntry({ name, type }: TarHeader, content: Uint8Array): TarEntry {
  const kind = KINDS.get(type) ?? 'device'
  return {
    name,
    // Old programs mark a folder only by its name.
    kind: kind === 'file' && name.endsWith('/') ? 'folder' : kind,
    content,
  }
}

/** Reads what an extension declares about the next entry. */
function readExtension({ type }: TarHeader, content: Uint8Array, records: PaxRecords): PaxRecords {
  switch (type) {
    case 'x':
      return readPaxRecords(content, records)
    case 'L':
      return { ...records, path: readText(content) }
    case 'g':
      checkGlobalRecords(readPaxRecords(content, noRecords))
      return records
    default:
      return records // The target of a link, which is not imported.
  }
}

function refuseExtensions(): TarError {
  return new TarError(
    `The tar file has more than ${MAX_EXTENSION_BYTES / 1024 ** 2} MB of attributes. Create it again without extended attributes.`,
  )
}

/** @throws TarError for records that give every file the same name or size. */
function checkGlobalRecords({ path, size, isSparse }: PaxRecords): void {
  if (path !== null || size !== null || isSparse)
    throw damagedTar('a global header declares the name or the size of all files')
}

/** @throws TarError for content after the end, which some programs read. */
function checkEnd(rest: Uint8Array): void {
  if (rest.length < TAR_BLOCK_BYTES) throw damagedTar('its end is missing')
  if (rest.some((byte) => byte !== 0)) throw damagedTar('it continues after its end')
}
