/** An entry of a tar archive that a test makes, valid unless a field says otherwise. */
export interface TarFile {
  /** Encoded as UTF-8 unless it is given as bytes; at most 100 bytes. */
  readonly name: string | Uint8Array
  readonly data?: string | Uint8Array
  /** The type flag. @default '0', a file */
  readonly type?: string
  /** The bytes of the size field. @default the size of `data` in octal */
  readonly sizeField?: Uint8Array
}

/** Makes a tar archive, with its end. */
export function makeTar(entries: readonly TarFile[]): Buffer {
  return Buffer.concat([...entries.flatMap(encodeEntry), Buffer.alloc(1_024)])
}

/** The content of a pax header. */
export function paxRecords(records: Readonly<Record<string, string>>): string {
  return Object.entries(records).map(encodeRecord).join('')
}

function encodeRecord([key, value]: readonly [string, string]): string {
  const rest = ` ${key}=${value}\n`
  const length = (digits: number): number => digits + Buffer.byteLength(rest)
  let total = length(1)
  while (length(String(total).length) !== total) total = length(String(total).length)
  return `${total}${rest}`
}

function encodeEntry({ name, data = '', type = '0', sizeField }: TarFile): readonly Buffer[] {
  const content = Buffer.from(data)
  const header = Buffer.alloc(512)
  Buffer.from(name).copy(header)
  header.write('0000644\0', 100, 'latin1')
  Buffer.from(sizeField ?? Buffer.from(`${content.length.toString(8).padStart(11, '0')}\0`)).copy(header, 124)
  header.write('        ', 148, 'latin1')
  header.write(type, 156, 'latin1')
  header.write('ustar\u{0}00', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return [header, content, Buffer.alloc(-content.length & 511)]
}
