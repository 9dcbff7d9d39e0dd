/**
 * Slows down password guessing. Every attempt counts as a failure until it is reported as successful, so concurrent
 * attempts have no advantage. After some failures, a key has to wait, each time twice as long. The counts are in memory
 * only: an attacker cannot cause a restart.
 */
import { LRUCache } from 'lru-cache'

/** How often a key may fail. */
export interface ThrottleRule {
  /** Failures before the first wait. */
  readonly allowed: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

/** Counts failures by key. */
export interface Throttle {
  /** Milliseconds to wait before another attempt; 0 = allowed, and the attempt is counted. */
  attempt(key: string): number
  /** Takes back one attempt that was not a failure. */
  forgive(key: string): void
  /** Removes all failures of the key. */
  forget(key: string): void
}

interface Failures {
  readonly count: number
  readonly blockedUntil: number
}

const keptKeys = 100_000
const keptMs = 60 * 60_000

/** Creates a throttle; `now` is a clock in milliseconds. */
export function createThrottle(rule: ThrottleRule, now: () => number = Date.now): Throttle {
  // Not `max`, which allocates memory for all keys at once.
  const failures = new LRUCache<string, Failures>({ maxSize: keptKeys, sizeCalculation: () => 1, ttl: keptMs })
  return {
    attempt(key) {
      const known = failures.get(key) ?? { count: 0, blockedUntil: 0 }
      const waitMs = known.blockedUntil - now()
      if (waitMs > 0) return waitMs
      const count = known.count + 1
      const over = count - rule.allowed
      const nextWaitMs = over < 0 ? 0 : Math.min(rule.firstWaitMs * 2 ** Math.min(over, 30), rule.longestWaitMs)
      failures.set(key, { count, blockedUntil: now() + nextWaitMs })
      return 0
    },
    forgive(key) {
      const known = failures.get(key)
      if (known === undefined) return
      if (known.count <= 1) failures.delete(key)
      else failures.set(key, { count: known.count - 1, blockedUntil: 0 })
    },
    forget(key) {
      failures.delete(key)
    },
  }
}
