/**
 * The last use of each token, kept in memory and written once a minute: recording must not slow down requests, and
 * every commit clears the read cache (`read-cache.ts`). Lists of tokens include pending notes. A crash loses the notes
 * of a minute, which are only displayed.
 */

/** The last use and the last refusal of a token. Times are epoch milliseconds; null = nothing new. */
export interface TokenNote {
  readonly used: TokenAction | null
  readonly refused: TokenAction | null
}

/** An action of a token: `GET /user/repos`, `git push alice/tides`. */
export interface TokenAction {
  readonly at: number
  readonly route: string
}

/** Notes that are not written yet. */
export interface TokenNotes {
  noteUse(id: number, route: string): void
  noteRefusal(id: number, route: string): void
  find(id: number): TokenNote | null
  /** Writes pending notes. No more may follow. */
  close(): Promise<void>
}

const everyMs = 60_000

/** Collects notes and passes them to `write` once a minute. After a failure, they are kept for the next minute. */
export function createTokenNotes(
  write: (notes: ReadonlyMap<number, TokenNote>) => Promise<void>,
  intervalMs = everyMs,
): TokenNotes {
  const notes = new Map<number, TokenNote>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const flush = async (): Promise<void> => {
    const batch = new Map(notes)
    timer = null
    if (batch.size === 0) return
    try {
      await write(batch)
      for (const [id, note] of batch) if (notes.get(id) === note) notes.delete(id)
    } catch {
      // The database is locked: the notes are kept, and the next one starts the timer again.
    }
  }
  const note = (id: number, change: Partial<TokenNote>): void => {
    notes.set(id, { ...(notes.get(id) ?? { used: null, refused: null }), ...change })
    timer ??= setTimeout(() => {
      writing = flush()
    }, intervalMs).unref()
  }

  return {
    noteUse: (id, route) => note(id, { used: { at: Date.now(), route } }),
    noteRefusal: (id, route) => note(id, { refused: { at: Date.now(), route } }),
    find: (id) => notes.get(id) ?? null,
    async close() {
      if (timer !== null) clearTimeout(timer)
      await writing
      await flush()
    },
  }
}
