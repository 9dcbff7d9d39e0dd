import { parseReceivePackCommands, type PushCommands } from './parse-receive-pack-commands.ts'
import { readPktLine } from './pkt-line.ts'

/** Ref updates in one push at most. */
export const maxRefUpdates = 5_000

/** The outcome of reading the head of a push: its commands and the whole request again, or why it cannot be taken. */
export type PushRead =
  | { readonly kind: 'commands'; readonly commands: PushCommands; readonly body: ReadableStream<Uint8Array> }
  /** The request ended early or is no push. */
  | { readonly kind: 'malformed' }
  /** More than `maxRefUpdates` refs, or more text than they can need. */
  | { readonly kind: 'too-many-updates' }

/**
 * Reads the commands from the front of a receive-pack request and gives the request back whole, to be handed to git.
 *
 * Holds at most 2 MiB and one chunk. When the answer is not `commands`, the rest of the request is unlocked and left to
 * the caller to drain or cancel.
 */
export async function readPushCommands(request: ReadableStream<Uint8Array>): Promise<PushRead> {
  const reader = request.getReader()
  const head = await readThroughFlush(reader)
  const read = head.kind === 'bytes' ? parseReceivePackCommands(head.bytes) : head
  if (head.kind === 'bytes' && read.kind === 'commands' && read.commands.updates.length <= maxRefUpdates) {
    return { kind: 'commands', commands: read.commands, body: replay(head.bytes, reader) }
  }
  reader.releaseLock()
  return { kind: read.kind === 'commands' || read.kind === 'too-many-updates' ? 'too-many-updates' : 'malformed' }
}

type HeadRead =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'malformed' | 'too-many-updates' }

/** Collects chunks until the first flush is among them; looks at each packet once, whatever the size of the chunks. */
async function readThroughFlush(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<HeadRead> {
  let room = Buffer.alloc(16 * 1024)
  let length = 0
  let offset = 0
  while (offset <= maxHeadBytes) {
    const packet = readPktLine(room.subarray(0, length), offset)
    if (packet.kind === 'flush') return { kind: 'bytes', bytes: room.subarray(0, length) }
    if (packet.kind === 'data') {
      offset = packet.end
      continue
    }
    if (packet.kind !== 'incomplete') return { kind: 'malformed' }
    const { done, value } = await reader.read()
    if (done) return { kind: 'malformed' }
    if (length + value.length > room.length) {
      // Doubling keeps a body of one-byte chunks linear.
      room = Buffer.concat([room.subarray(0, length)], Math.max(2 * room.length, length + value.length))
    }
    room.set(value, length)
    length += value.length
  }
  return { kind: 'too-many-updates' }
}

function replay(head: Uint8Array, reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

// 5,000 commands with SHA-256 ids and the longest names come to 1.9 MB.
const maxHeadBytes = 2 * 1024 * 1024
