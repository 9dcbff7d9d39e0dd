import * as Y from 'yjs'

/**
 * The server refuses a message of more than 20,000 parts. Each keystroke is a part of at least 9 bytes, so that hours of typing
 * without a network need several messages. A single change may be larger, such as a pasted text, which is one part.
 */
const MAX_MERGED_BYTES = 64 * 1024

/** Changes on their way to the server: the changes of a message stay until the server has stored them. */
export interface ChangeQueue {
  add(update: Uint8Array): void
  /** The next message: the oldest changes that were not sent over this connection; null = none. */
  take(): Uint8Array | null
  /** Messages of this connection. */
  countSent(): number
  /** Whether everything is on its way to the server, or stored. */
  isSent(): boolean
  /** `count` = messages of this connection that the server has stored. */
  acknowledge(count: number): void
  /** The next connection sends everything again that is not stored. */
  restart(): void
  /** Whether the server has stored everything. */
  isEmpty(): boolean
  /** Everything that is not stored, as messages in their order. */
  unstored(): readonly Uint8Array[]
  /** Forgets everything. */
  clear(): void
}

export function createChangeQueue(): ChangeQueue {
  let waiting: Uint8Array[] = []
  let sent: Uint8Array[] = []
  let storedCount = 0
  return {
    add: (update) => waiting.push(update),
    take() {
      const [next, ...later] = mergeToMessages(waiting)
      if (next === undefined) return null
      waiting = later
      sent.push(next)
      return next
    },
    countSent: () => storedCount + sent.length,
    isSent: () => waiting.length === 0,
    acknowledge(count) {
      sent = sent.slice(count - storedCount)
      storedCount = count
    },
    restart() {
      waiting = [...sent, ...waiting]
      sent = []
      storedCount = 0
    },
    isEmpty: () => waiting.length + sent.length === 0,
    unstored() {
      // Merging hundreds of updates is slow: each is merged only a few times.
      waiting = mergeToMessages(waiting)
      return [...sent, ...waiting]
    },
    clear() {
      waiting = []
      sent = []
    },
  }
}

/** Merges neighbors: a change depends only on earlier ones. */
function mergeToMessages(updates: readonly Uint8Array[]): Uint8Array[] {
  const messages: Uint8Array[][] = []
  let bytes = Infinity
  for (const update of updates) {
    bytes += update.length
    if (bytes <= MAX_MERGED_BYTES) messages.at(-1)?.push(update)
    else {
      messages.push([update])
      bytes = update.length
    }
  }
  return messages.map((merged) => Y.mergeUpdates(merged))
}
