import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a zip archive that a test makes, valid unless a field says otherwise. */
export interface ZipEntry {
  /** Encoded as UTF-8 unless it is given as bytes. */
  readonly name: string | Uint8Array
  readonly data?: string | Uint8Array
  /** Unix file mode; absent = made by DOS. */
  readonly mode?: number
  readonly flags?: number
  readonly method?: number
  /** The size that the headers declare. */
  readonly declaredSize?: number
  /** The size that the extra field of zip64 declares, in place of the one in the headers. */
  readonly zip64Size?: bigint
  readonly checksum?: number
  /** Name in the local header. */
  readonly localName?: string
  /** The entry shares the local header and the data of the entry before it. */
  readonly isRepeated?: boolean
}

/** Makes a zip archive. */
export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let [offset, lastOffset] = [0, 0]
  for (const entry of entries) {
    const { name, data = '', mode, flags = 0, method = 8, isRepeated = false, zip64Size } = entry
    const [rawName, bytes] = [Buffer.from(name), Buffer.from(data)]
    const localName = Buffer.from(entry.localName ?? rawName)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(flags, 2)
    shared.writeUInt16LE(method, 4)
    shared.writeUInt32LE(entry.checksum ?? crc32(bytes), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(zip64Size === undefined ? (entry.declaredSize ?? bytes.length) : 0xffffffff, 18)
    shared.writeUInt16LE(rawName.length, 22)
    if (!isRepeated) {
      const local = Buffer.concat([Buffer.from('PK\u{3}\u{4}'), shared, localName, packed])
      local.writeUInt16LE(localName.length, 26)
      locals.push(local)
      lastOffset = offset
      offset += local.length
    }
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(mode === undefined ? 0 : (mode << 16) >>> 0, 6)
    tail.writeUInt32LE(lastOffset, 10)
    const madeBy = Buffer.from([20, mode === undefined ? 0 : 3])
    const extra = zip64Size === undefined ? Buffer.alloc(0) : encodeZip64(zip64Size)
    const central = Buffer.concat([Buffer.from('PK\u{1}\u{2}'), madeBy, shared, tail, rawName, extra])
    central.writeUInt16LE(extra.length, 30)
    centrals.push(central)
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\u{5}\u{6}', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

function encodeZip64(size: bigint): Buffer {
  const extra = Buffer.from([1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  extra.writeBigUInt64LE(size, 4)
  return extra
}
