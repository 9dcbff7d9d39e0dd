import * as Y from 'yjs'

/** Changes on their way to the server: those of each message stay until the server has stored them. */
export interface ChangeQueue {
  add(update: Uint8Array): void
  /** The changes that were not sent over this connection, as one message; null = none. */
  take(): Uint8Array | null
  /** `count` = messages of this connection that the server has stored. */
  acknowledge(count: number): void
  /** The next connection sends everything again that is not stored. */
  restart(): void
  /** Whether the server has stored everything. */
  isEmpty(): boolean
  /** Everything that is not stored. */
  merged(): Uint8Array
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
      if (waiting.length === 0) return null
      const update = Y.mergeUpdates(waiting)
      waiting = []
      sent.push(update)
      return update
    },
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
    merged() {
      // Merging hundreds of updates is slow: each is merged only once.
      if (waiting.length > 1) waiting = [Y.mergeUpdates(waiting)]
      return Y.mergeUpdates([...sent, ...waiting])
    },
    clear() {
      waiting = []
      sent = []
    },
  }
}
