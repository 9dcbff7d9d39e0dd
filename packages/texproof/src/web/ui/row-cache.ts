import { createIdleCache } from '../../base/idle-cache.ts'
import type { Commit } from '../../git/types.ts'

/** Rows of a table that name ages. */
export interface DrawnRows {
  readonly rows: string
  /** The youngest age in them, epoch milliseconds; Infinity = do not cache. */
  readonly newestAt: number
}

/** Returns the rows for a view; `view` is everything they depend on but the time. */
export type RowCache = (view: readonly unknown[], draw: () => DrawnRows | Promise<DrawnRows>) => Promise<string>

/** Bounds the rows of all views, in characters. */
const MAX_SIZE = 8 * 1024 * 1024

/** Younger ages are shown in seconds, so their rows are not cached. */
const SETTLED_AFTER_MS = 120_000

/** Creates a cache of rows that are the same for every viewer, while "3 min ago" stays true. */
export function createRowCache(): RowCache {
  const drawn = createIdleCache<string>({ maxSize: MAX_SIZE, sizeOf: (rows, key) => 1 + rows.length + key.length })
  return async (view, draw) => {
    const now = Date.now()
    const key = JSON.stringify([view, Math.floor(now / 60_000)])
    const known = drawn.get(key)
    if (known !== undefined) return known
    const { rows, newestAt } = await draw()
    if (newestAt < now - SETTLED_AFTER_MS) drawn.set(key, rows)
    return rows
  }
}

/** The time of the newest of these commits. */
export function newestOf(commits: Iterable<Commit>): number {
  return Math.max(...Array.from(commits, ({ committer }) => committer.at))
}
