/**
 * Limits what each client may ask for: so many requests a minute, and so many at a time, each and together.
 *
 * A client that stays within its minute waits a moment for its turn, so that a page opened in ten tabs comes ten times; one
 * that does not is told when to come back. The limit of all clients together keeps a share of the machine for requests
 * that another limiter counts.
 */
import { LRUCache } from 'lru-cache'

/** What clients may ask for. */
export interface LimiterRule {
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

export interface Limiter {
  /** Asks for a turn for a client, named by `key`. */
  enter(key: string): Promise<Admission>
}

interface Waiting {
  readonly key: string
  readonly admit: () => void
}

const MAX_KEYS = 100_000
const MINUTE_MS = 60_000
/** What a client is told that found every turn taken. */
const BUSY_RETRY_S = 5

/** Makes a limiter; `now` is a clock in milliseconds. */
export function createLimiter(rule: LimiterRule, now: () => number = () => performance.now()): Limiter {
  const tokens = createTokens(rule.perMinute, now)
  const inside = new Map<string, number>()
  let insideCount = 0
  let waiting: readonly Waiting[] = []
  const maxWaiting = 4 * rule.atOnce

  function isRoomFor(key: string): boolean {
    return insideCount < rule.atOnce && (inside.get(key) ?? 0) < rule.atOncePerKey
  }

  function begin(key: string): Admission {
    insideCount += 1
    inside.set(key, (inside.get(key) ?? 0) + 1)
    let hasLeft = false
    const leave = (): void => {
      if (hasLeft) return
      hasLeft = true
      insideCount -= 1
      const left = (inside.get(key) ?? 1) - 1
      if (left === 0) inside.delete(key)
      else inside.set(key, left)
      waiting.find((each) => isRoomFor(each.key))?.admit()
    }
    return { kind: 'admitted', leave }
  }

  function wait(key: string): Promise<Admission> {
    return new Promise((resolve) => {
      const end = (admission: () => Admission): void => {
        clearTimeout(timer)
        waiting = waiting.filter((each) => each !== entry)
        resolve(admission())
      }
      const entry: Waiting = { key, admit: () => end(() => begin(key)) }
      const timer = setTimeout(() => end(() => ({ kind: 'refused', retryAfterS: BUSY_RETRY_S })), rule.waitMs)
      waiting = [...waiting, entry]
    })
  }

  return {
    async enter(key) {
      const retryAfterS = tokens.take(key)
      if (retryAfterS > 0) return { kind: 'refused', retryAfterS }
      if (isRoomFor(key)) return begin(key)
      if (rule.waitMs === 0 || waiting.length >= maxWaiting) return { kind: 'refused', retryAfterS: BUSY_RETRY_S }
      return wait(key)
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
