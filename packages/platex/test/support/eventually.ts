import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

interface Patience {
  /** Milliseconds. Long, because a passing test does not wait for it. @default 120_000 */
  readonly within?: number
  /** Milliseconds between two calls. @default 20 at first, and up to 100 after a second */
  readonly every?: number
}

/** Intervals of the calls: more frequent ones would delay a compile that waits for a processor. */
const CALL_INTERVAL_MS = { first: 20, last: 100 } as const

interface PatienceUntil<Value> extends Patience {
  /** True for the expected value. */
  readonly until: (value: Value) => boolean
}

/**
 * Calls `ask` until it returns the expected value, by default any truthy one, and returns that.
 *
 * @throws Error with the expectation and the last value on timeout; exceptions of `ask` are not caught.
 */
export function eventually<Value>(ask: () => Value | Promise<Value>, patience: PatienceUntil<Value>): Promise<Value>
export function eventually<Value>(ask: () => Value | Promise<Value>, patience?: Patience): Promise<NonNullable<Value>>
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  { within = 120_000, every, until = Boolean }: Partial<PatienceUntil<Value>> = {},
): Promise<Value> {
  const startedAt = performance.now()
  const endAt = startedAt + within
  for (;;) {
    const value = await ask()
    if (until(value)) return value
    if (performance.now() > endAt) {
      const awaited = [ask, ...(until === Boolean ? [] : [until])].map(sourceOf).join(' until ')
      throw new Error(`still not after ${within} ms: ${awaited}\nlast value: ${inspect(value)}`)
    }
    await sleep(every ?? nextIntervalMs(performance.now() - startedAt))
  }
}

function nextIntervalMs(waitedMs: number): number {
  const { first, last } = CALL_INTERVAL_MS
  return Math.min(Math.max(waitedMs / 10, first), last)
}

function sourceOf(asked: unknown): string {
  return String(asked).replaceAll(/\s+/g, ' ')
}
