/**
 * Slows guessing down. Every attempt counts as failed until it is told to have succeeded, so a thousand attempts at
 * once gain nothing over a thousand in turn. After some failures a key waits, each time twice as long. What is kept
 * may be lost at a restart: nobody who guesses can cause one.
 */
import { LRUCache } from 'lru-cache'

/** How much a key may fail. */
export interface ThrottleRule {
  /** Failures before the first wait. */
  readonly allowed: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

/** Counts failures by key. */
export interface Throttle {
  /** Milliseconds to wait before another attempt; 0 = now, and the attempt is counted. */
  attempt(key: string): number
  /** Takes back one attempt that was no failure. */
  forgive(key: string): void
  /** Forgets every failure of the key. */
  forget(key: string): void
}

interface Failures {
  readonly count: number
  readonly blockedUntil: number
}

const keptKeys = 100_000
const keptMs = 60 * 60_000

/** Makes a throttle; `now` is a clock in milliseconds. */
export function createThrottle(rule: ThrottleRule, now: () => number = Date.now): Throttle {
  // Not `max`, which takes the room of all keys at once.
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
