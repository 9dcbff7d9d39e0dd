/**
 * Slows down password guessing. Every attempt counts as a failure until it is reported as successful, so concurrent
 * attempts have no advantage. After some failures, a key has to wait, each time twice as long. While a key does not have to
 * wait, its failures are forgotten one by one, `allowed` in an hour: the typing errors of everyone behind one address would
 * otherwise add up for as long as there is a sign-in every hour.
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
  attempt(key: string): Promise<number>
  /** Takes back one attempt that was not a failure. */
  forgive(key: string): Promise<void>
  /** Removes all failures of the key. */
  forget(key: string): Promise<void>
}

/** The failures of a key. */
export interface Failures {
  readonly count: number
  /** Epoch milliseconds; 0 = not blocked. */
  readonly blockedUntil: number
  /** Epoch milliseconds: failures before it are forgotten already. */
  readonly forgottenUntil: number
}

/** As many failures as the rule allows are forgotten in this time, and all of them this long after the last one. */
export const failuresKeptMs = 60 * 60_000

const keptKeys = 100_000

/** The failures of a key after another attempt at `now`, which must not be blocked. */
export function addFailure(known: Failures | null, rule: ThrottleRule, now: number): Failures {
  const { count: remaining, forgottenUntil } = forgetSome(known, rule, now)
  const count = remaining + 1
  const over = count - rule.allowed
  const nextWaitMs = over < 0 ? 0 : Math.min(rule.firstWaitMs * 2 ** Math.min(over, 30), rule.longestWaitMs)
  // Not `now` without a wait: attempts of several servers are counted in another order than their clocks show.
  return { count, blockedUntil: nextWaitMs === 0 ? 0 : now + nextWaitMs, forgottenUntil }
}

/** Nothing is forgotten while the key waits, so that waiting attempts have no advantage either. */
function forgetSome(
  known: Failures | null,
  { allowed }: ThrottleRule,
  now: number,
): Pick<Failures, 'count' | 'forgottenUntil'> {
  if (known === null) return { count: 0, forgottenUntil: now }
  const eachMs = failuresKeptMs / allowed
  const from = Math.max(known.forgottenUntil, known.blockedUntil)
  const forgotten = Math.max(0, Math.floor((now - from) / eachMs))
  if (forgotten === 0) return known
  if (forgotten >= known.count) return { count: 0, forgottenUntil: now }
  return { count: known.count - forgotten, forgottenUntil: from + forgotten * eachMs }
}

/**
 * Creates a throttle that counts in memory: an attacker cannot cause a restart. `now` is a clock in milliseconds.
 * Several servers on one database count in it instead, see `store.throttles`.
 */
export function createThrottle(rule: ThrottleRule, now: () => number = Date.now): Throttle {
  // Not `max`, which allocates memory for all keys at once.
  const failures = new LRUCache<string, Failures>({ maxSize: keptKeys, sizeCalculation: () => 1, ttl: failuresKeptMs })
  return {
    async attempt(key) {
      const known = failures.get(key) ?? null
      const waitMs = (known?.blockedUntil ?? 0) - now()
      if (waitMs > 0) return waitMs
      failures.set(key, addFailure(known, rule, now()))
      return 0
    },
    async forgive(key) {
      const known = failures.get(key)
      if (known === undefined) return
      if (known.count <= 1) failures.delete(key)
      else failures.set(key, { ...known, count: known.count - 1, blockedUntil: 0 })
    },
    async forget(key) {
      failures.delete(key)
    },
  }
}
