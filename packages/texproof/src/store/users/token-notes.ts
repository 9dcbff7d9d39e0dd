/**
 * What tokens did last, kept in memory and written together once a minute: a note must cost a request nothing, and
 * every commit empties the cache of answers (`read-cache.ts`). Lists of tokens include what is not written yet. A
 * crash loses a minute of notes, which are for people to read and decide nothing.
 */

/** What a token did last, and what it was refused last. Times are epoch milliseconds; null = nothing new. */
export interface TokenNote {
  readonly used: TokenAction | null
  readonly refused: TokenAction | null
}

/** Something done with a token, in words: `GET /user/repos`, `git push alice/tides`. */
export interface TokenAction {
  readonly at: number
  readonly route: string
}

/** Notes that wait to be written. */
export interface TokenNotes {
  noteUse(id: number, route: string): void
  noteRefusal(id: number, route: string): void
  find(id: number): TokenNote | null
  /** Writes what waits, now, and takes no more after it. */
  close(): Promise<void>
}

const everyMs = 60_000

/** Keeps notes and hands them to `write` once a minute; what cannot be written waits for the next minute. */
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
      // The database is locked: the notes are still here, and the next one sets the clock again.
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
