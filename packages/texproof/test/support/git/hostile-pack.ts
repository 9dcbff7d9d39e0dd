/** Packs that git does not create: small, with objects that unpack to many times their size. */
import { createHash } from 'node:crypto'
import { constants, createDeflate, deflateSync } from 'node:zlib'

import { encodePktLine, flushPkt } from '../../../src/git/protocol/pkt-line.ts'

/** An object of a pack. */
export interface PackedObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'ref-delta'
  /** Unpacked size in bytes; for a delta, of the delta itself. */
  readonly size: number
  /** Hex; the base of a delta. */
  readonly baseId: string | null
  readonly deflated: Uint8Array
}

const TYPE_CODES = { commit: 1, tree: 2, blob: 3, 'ref-delta': 7 } as const
const MAX_COPY_BYTES = 0xff_ff_ff

/** A whole push: it creates `refs/heads/main` with a commit and these objects. */
export function encodeHostilePush(objects: readonly PackedObject[]): Uint8Array {
  const tree = packObject('tree', new Uint8Array())
  const person = 'Alice <alice@example.org> 1700000000 +0000'
  const text = `tree ${objectId('tree', new Uint8Array())}\nauthor ${person}\ncommitter ${person}\n\nHostile\n`
  const commit = packObject('commit', Buffer.from(text))
  const id = objectId('commit', Buffer.from(text))
  const command = `${'0'.repeat(40)} ${id} refs/heads/main\0report-status side-band-64k\n`
  return Buffer.concat([encodePktLine(command), flushPkt, encodePack([commit, tree, ...objects])])
}

/** A blob of zeros that is never in memory as a whole. */
export async function packZeros(byteCount: number): Promise<PackedObject> {
  const deflate = createDeflate({ level: constants.Z_BEST_SPEED })
  const chunks: Buffer[] = []
  deflate.on('data', (chunk: Buffer) => chunks.push(chunk))
  const piece = Buffer.alloc(1024 * 1024)
  for (let left = byteCount; left > 0; left -= piece.length) {
    const isRoom = deflate.write(left < piece.length ? piece.subarray(0, left) : piece)
    if (!isRoom) await new Promise((resolve) => deflate.once('drain', resolve))
  }
  const end = new Promise((resolve) => deflate.once('end', resolve))
  deflate.end()
  await end
  return { type: 'blob', size: byteCount, baseId: null, deflated: Buffer.concat(chunks) }
}

/** A blob. */
export function packBlob(bytes: Uint8Array): PackedObject {
  return packObject('blob', bytes)
}

/** A delta that repeats its base up to a number of bytes, with a suffix that makes it unique. */
export function packRepeats(
  base: { readonly id: string; readonly size: number },
  size: number,
  mark: string,
): PackedObject {
  const instructions: number[] = []
  const copied = size - mark.length
  for (let left = copied; left > 0;) {
    const length = Math.min(left, base.size, MAX_COPY_BYTES)
    // Copies from offset 0, so only the three bytes of the length follow.
    instructions.push(0x80 | 0x70, length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff)
    left -= length
  }
  const delta = Buffer.from([
    ...encodeSize(base.size),
    ...encodeSize(size),
    ...instructions,
    mark.length,
    ...Buffer.from(mark),
  ])
  return { type: 'ref-delta', size: delta.length, baseId: base.id, deflated: deflateSync(delta) }
}

/** The id of an object, hex. */
export function objectId(type: 'commit' | 'tree' | 'blob', bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

function packObject(type: 'commit' | 'tree' | 'blob', bytes: Uint8Array): PackedObject {
  return { type, size: bytes.length, baseId: null, deflated: deflateSync(bytes) }
}

function encodePack(objects: readonly PackedObject[]): Uint8Array {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length, 8)
  const body = Buffer.concat([head, ...objects.flatMap(encodeObject)])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function encodeObject({ type, size, baseId, deflated }: PackedObject): readonly Uint8Array[] {
  const head = [(TYPE_CODES[type] << 4) | (size & 0x0f)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1] = (head.at(-1) ?? 0) | 0x80
    head.push(rest % 128)
  }
  return [Buffer.from(head), Buffer.from(baseId ?? '', 'hex'), deflated]
}

/** Seven bits per byte, the lowest first. */
function encodeSize(size: number): readonly number[] {
  const bytes: number[] = []
  for (let rest = size; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 0x80)
  }
}
