import type { Context } from 'hono'

/**
 * How many archives or large files are on their way at a time: each is a process that lives for as long as a client
 * takes to read. One visitor may take a few places and never all of them.
 */
export interface StreamPlaces {
  /** Takes a place; call the answer to give it up. null = there is none just now. */
  take(visitor: string): (() => void) | null
}

const RETRY_AFTER_S = 10

/** What whoever finds no place is told. */
export function refuseForNow(c: Context, what: string): Response {
  c.header('retry-after', String(RETRY_AFTER_S))
  return c.text(`Too many ${what}. Ask again in ${RETRY_AFTER_S} seconds.\n`, 503)
}

/** Makes so many places in all, and so many for one visitor. */
export function createStreamPlaces({
  total,
  perVisitor,
}: {
  readonly total: number
  readonly perVisitor: number
}): StreamPlaces {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(visitor) {
      const own = taken.get(visitor) ?? 0
      if (all >= total || own >= perVisitor) return null
      all += 1
      taken.set(visitor, own + 1)
      return () => {
        all -= 1
        const left = (taken.get(visitor) ?? 1) - 1
        if (left === 0) taken.delete(visitor)
        else taken.set(visitor, left)
      }
    },
  }
}
