/** Reads the headers of tar archives: of ustar, GNU tar and pax. */
import { decodeEntryName } from './decode-entry-name.ts'
import { damagedTar, shorten } from './tar-error.ts'

/** Size of headers; contents are padded to a multiple of it. */
export const TAR_BLOCK_BYTES = 512

/** The header of one entry. */
export interface TarHeader {
  readonly name: string
  /** The type flag: one character. */
  readonly type: string
  /** Size declared in the header, not compared with the archive. */
  readonly size: number
}

/** Values that pax records and long names declare for the next entry; null = as in its header. */
export interface PaxRecords {
  readonly path: string | null
  readonly size: number | null
  readonly isSparse: boolean
}

export const noRecords: PaxRecords = { path: null, size: null, isSparse: false }

const NEW_LINE = 0x0a

/**
 * Reads the header in a block; null = the block ends the archive.
 *
 * @throws TarError
 */
export function readTarHeader(block: Uint8Array): TarHeader | null {
  if (block.length < TAR_BLOCK_BYTES) throw damagedTar('its end is missing')
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  if (bytes.every((byte) => byte === 0)) return null
  if (readOctal(bytes.subarray(148, 156)) !== sumBytes(bytes)) throw damagedTar('a header has a wrong checksum')
  const ownName = readText(bytes.subarray(0, 100))
  // GNU tar has other fields in place of the prefix.
  const prefix = bytes.toString('latin1', 257, 263) === 'ustar\0' ? readText(bytes.subarray(345, 500)) : ''
  const name = prefix === '' ? ownName : `${prefix}/${ownName}`
  const size = readSize(bytes.subarray(124, 136))
  if (size === null) throw damagedTar(`"${shorten(name)}" has an invalid size`)
  return { name, type: String.fromCodePoint(bytes[156] ?? 0), size }
}

/** Reads text that ends at a zero byte or with its field. */
export function readText(field: Uint8Array): string {
  const end = field.indexOf(0)
  return decodeEntryName(end === -1 ? field : field.subarray(0, end), 'latin1')
}

/**
 * Reads the records of a pax header, `length key=value\n`, over the records of earlier headers.
 *
 * @throws TarError
 */
export function readPaxRecords(content: Uint8Array, earlier: PaxRecords): PaxRecords {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  let records = earlier
  for (let start = 0; start < bytes.length;) {
    const digits = /^[1-9]\d{0,6}(?= )/.exec(bytes.toString('latin1', start, start + 8))?.[0]
    const record = bytes.subarray(start, start + Number(digits ?? 0))
    const equals = record.indexOf('=')
    if (digits === undefined || equals === -1 || record.length !== Number(digits) || record.at(-1) !== NEW_LINE)
      throw damagedTar('an attribute of a file cannot be read')
    const key = record.toString('latin1', digits.length + 1, equals)
    records = addRecord(records, key, record.subarray(equals + 1, -1))
    start += record.length
  }
  return records
}

function addRecord(records: PaxRecords, key: string, value: Buffer): PaxRecords {
  if (key === 'path') return { ...records, path: decodeEntryName(value, 'latin1') }
  // The name of a sparse file, whose path is only a placeholder.
  if (key === 'GNU.sparse.name') return { ...records, path: decodeEntryName(value, 'latin1'), isSparse: true }
  if (key.startsWith('GNU.sparse.')) return { ...records, isSparse: true }
  if (key !== 'size') return records
  const size = value.toString('latin1')
  if (!/^\d{1,15}$/.test(size)) throw damagedTar('an attribute of a file has an invalid size')
  return { ...records, size: Number(size) }
}

/** Reads a number in octal or, if it is large, in base 256; null = it is invalid. */
function readSize(field: Buffer): number | null {
  const [first = 0, ...rest] = field
  if (first < 0x80) return readOctal(field)
  // 0xff begins a negative number.
  if (first !== 0x80) return null
  const size = rest.reduce((value, byte) => value * 256 + byte, 0)
  return Number.isSafeInteger(size) ? size : null
}

function readOctal(field: Buffer): number | null {
  const digits = /^ *([0-7]*)[ \0]*$/.exec(field.toString('latin1'))?.[1]
  return digits === undefined ? null : Number.parseInt(`0${digits}`, 8)
}

/** The checksum of a header; its own field counts as spaces. */
function sumBytes(block: Buffer): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0)
}
