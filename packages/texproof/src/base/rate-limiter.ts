/**
 * Limits the requests of each client per minute, and the concurrent requests of each client and of all clients.
 *
 * A client within its rate waits briefly, so that a page opened in ten tabs loads ten times; others get a
 * `Retry-After`. The limit of all clients reserves a share of the machine for requests of other limiters.
 */
import { LRUCache } from 'lru-cache'

import { createLimiter, TooManyWaiting } from './limiter.ts'

/** The limits. */
export interface RateLimiterRule {
  /** Requests of one client per minute; all of them may come at once. */
  readonly perMinute: number
  /** Concurrent requests of one client. */
  readonly atOncePerKey: number
  /** Concurrent requests of all clients. */
  readonly atOnce: number
  /** How many of `atOnce` are only for clients without a running request. @default 0 */
  readonly forNewKeys?: number
  /** How long a request waits; 0 = not at all. */
  readonly waitMs: number
}

/** Whether a request is admitted; call `leave` when it is over. */
export type Admission =
  | { readonly kind: 'admitted'; readonly leave: () => void }
  | { readonly kind: 'refused'; readonly retryAfterS: number }

export interface RateLimiter {
  /** Requests a slot for a client, identified by `key`. */
  enter(key: string): Promise<Admission>
}

const MAX_KEYS = 100_000
const MINUTE_MS = 60_000
/** `Retry-After` of a client when all slots are taken. */
const BUSY_RETRY_S = 5

/** Creates a request limiter; `now` is a clock in milliseconds. */
export function createRateLimiter(rule: RateLimiterRule, now: () => number = () => performance.now()): RateLimiter {
  const { perMinute, atOnce, atOncePerKey, forNewKeys = 0, waitMs } = rule
  const tokens = createTokens(perMinute, now)
  const limiter = createLimiter({ atOnce, atOncePerKey, forNewKeys, maxWaiting: waitMs === 0 ? 0 : 4 * atOnce })
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

/** A token bucket for each key, which fills up within a minute. */
function createTokens(perMinute: number, now: () => number) {
  // Not `max`, which allocates memory for all keys at once. After a minute without requests, a bucket is full.
  const buckets = new LRUCache<string, { readonly left: number; readonly at: number }>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
  })
  /** 0 = admitted, else the seconds until a token is available. */
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
