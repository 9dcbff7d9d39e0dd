/**
 * Limits the requests of each client per minute, and the requests of each client and of all clients at a time.
 *
 * A client within its rate waits briefly, so that a page opened in ten tabs loads ten times; any other gets a
 * `Retry-After`. The limit of all clients together leaves a share of the machine to requests of other limiters.
 */
import { LRUCache } from 'lru-cache'

import { createLimiter, TooManyWaiting } from './limiter.ts'

/** What clients may ask for. */
export interface RateLimiterRule {
  /** Requests of one client; a minute's worth may come at once. */
  readonly perMinute: number
  /** Requests of one client at a time. */
  readonly atOncePerKey: number
  /** Requests of all clients at a time. */
  readonly atOnce: number
  /** How long a request waits for its turn; 0 = not at all. */
  readonly waitMs: number
}

/** Whether a request may go on; call `leave` when it is over. */
export type Admission =
  | { readonly kind: 'admitted'; readonly leave: () => void }
  | { readonly kind: 'refused'; readonly retryAfterS: number }

export interface RateLimiter {
  /** Asks for a turn for a client, named by `key`. */
  enter(key: string): Promise<Admission>
}

const MAX_KEYS = 100_000
const MINUTE_MS = 60_000
/** What a client is told that found every turn taken. */
const BUSY_RETRY_S = 5

/** Creates a limiter of requests; `now` is a clock in milliseconds. */
export function createRateLimiter(rule: RateLimiterRule, now: () => number = () => performance.now()): RateLimiter {
  const { perMinute, atOnce, atOncePerKey, waitMs } = rule
  const tokens = createTokens(perMinute, now)
  const limiter = createLimiter({ atOnce, atOncePerKey, maxWaiting: waitMs === 0 ? 0 : 4 * atOnce })
  return {
    async enter(key) {
      const retryAfterS = tokens.take(key)
      if (retryAfterS > 0) return { kind: 'refused', retryAfterS }
      try {
        return { kind: 'admitted', leave: await limiter.enter(key, { waitMs }) }
      } catch (error) {
        if (error instanceof TooManyWaiting) return { kind: 'refused', retryAfterS: BUSY_RETRY_S }
        throw error
      }
    },
  }
}

/** A bucket of tokens for each key, which fills up again within a minute. */
function createTokens(perMinute: number, now: () => number) {
  // Not `max`, which takes the room of all keys at once. A bucket that was left alone for a minute is full.
  const buckets = new LRUCache<string, { readonly left: number; readonly at: number }>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
  })
  /** 0 = taken, else the seconds until there is one. */
  function take(key: string): number {
    const bucket = buckets.get(key) ?? { left: perMinute, at: now() }
    const left = Math.min(perMinute, bucket.left + ((now() - bucket.at) * perMinute) / MINUTE_MS)
    const isThere = left >= 1
    buckets.set(key, { left: isThere ? left - 1 : left, at: now() })
    const missingMs = Math.round(((1 - left) * MINUTE_MS) / perMinute)
    return isThere ? 0 : Math.max(1, Math.ceil(missingMs / 1000))
  }
  return { take }
}
