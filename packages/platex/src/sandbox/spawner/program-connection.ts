/**
 * Connections to programs, read into buffers that are used again.
 *
 * Node.js reads a socket into a new buffer of 64 KB for each piece. These count as memory of JavaScript, so an output of
 * 50 MB alone caused several collections of the whole heap. Here a piece is read into a block that all connections share,
 * and only its bytes are copied; large outputs have blocks of their own, and are not copied.
 */
import { createConnection, type Socket } from 'node:net'
import type { Readable } from 'node:stream'

/** Takes a piece of output, which is valid until `release` is called. */
export type OutputConsumer = (piece: Uint8Array, release: () => void) => void

const SHARED_BYTES = 64 * 1024
/** A Unix socket holds 208 KB by default. */
const BLOCK_BYTES = 256 * 1024
const MAX_FREE_BLOCKS = 8

const sharedBlock = Buffer.allocUnsafeSlow(SHARED_BYTES)
const freeBlocks: Buffer[] = []
const attachers = new WeakMap<Readable, (consume: OutputConsumer) => void>()

/** Connects to a Unix socket. The connection is an ordinary stream until `consumeOutput` is called. */
export function connectProgram(path: string): Socket {
  let consume: OutputConsumer | null = null
  let block: Buffer = sharedBlock
  const take = (size: number): boolean => {
    if (consume === null) return socket.push(Buffer.from(block.subarray(0, size)))
    const full = block
    block = freeBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES)
    // The next piece of any connection overwrites the shared block.
    if (full === sharedBlock) consume(Buffer.from(full.subarray(0, size)), () => {})
    else consume(full.subarray(0, size), () => giveBack(full))
    return false
  }
  const socket = createConnection({ path, onread: { buffer: () => block, callback: take } })
  attachers.set(socket, (consumer) => {
    consume = consumer
    // What was read before, and the event `end`.
    socket.on('data', (piece: Buffer) => consumer(piece, () => {}))
  })
  socket.once('close', () => {
    if (block !== sharedBlock) giveBack(block)
    block = sharedBlock
  })
  return socket
}

/**
 * Passes the output of a program to `consume` from now on. After each piece, reading stops until `output.resume()`.
 * Returns false, and does nothing, if the program was started without a connection.
 */
export function consumeOutput(output: Readable, consume: OutputConsumer): boolean {
  const attach = attachers.get(output)
  attach?.(consume)
  return attach !== undefined
}

function giveBack(block: Buffer): void {
  if (freeBlocks.length < MAX_FREE_BLOCKS) freeBlocks.push(block)
}
