import { constants, deflateRawSync } from 'node:zlib'

const BLOCK_BYTES = 1024 * 1024
const ADLER_MODULUS = 65_521

/** A zlib stream that inflates to `length` zero bytes, created without allocating them. */
export function deflatedZeros(length: number): Uint8Array {
  const block = deflateRawSync(Buffer.alloc(BLOCK_BYTES), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Array.from({ length: Math.floor(length / BLOCK_BYTES) }, () => block)
  const rest = deflateRawSync(Buffer.alloc(length % BLOCK_BYTES), { level: 9 })
  const checksum = Buffer.alloc(4)
  // Adler-32 of zeros: the first sum stays 1, the second counts the bytes.
  checksum.writeUInt16BE(length % ADLER_MODULUS, 0)
  checksum.writeUInt16BE(1, 2)
  return Buffer.concat([Buffer.from([0x78, 0x01]), ...blocks, rest, checksum])
}
