import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

interface Patience {
  /** Milliseconds. A test that holds up loses nothing by waiting long on a busy machine. @default 120_000 */
  readonly within?: number
  /** Milliseconds between two looks. @default 20 */
  readonly every?: number
}

interface PatienceUntil<Value> extends Patience {
  /** Whether a value is the one awaited. */
  readonly until: (value: Value) => boolean
}

/**
 * Asks again and again until the value is the one awaited, by default any that is not falsy, and returns it.
 *
 * @throws Error that names what was awaited, and the last value, when the time is over; what `ask` throws is not awaited.
 */
export function eventually<Value>(ask: () => Value | Promise<Value>, patience: PatienceUntil<Value>): Promise<Value>
export function eventually<Value>(ask: () => Value | Promise<Value>, patience?: Patience): Promise<NonNullable<Value>>
export async function eventually<Value>(
  ask: () => Value | Promise<Value>,
  { within = 120_000, every = 20, until = Boolean }: Partial<PatienceUntil<Value>> = {},
): Promise<Value> {
  const endAt = performance.now() + within
  for (;;) {
    const value = await ask()
    if (until(value)) return value
    if (performance.now() > endAt) {
      const awaited = [ask, ...(until === Boolean ? [] : [until])].map(sourceOf).join(' until ')
      throw new Error(`still not after ${within} ms: ${awaited}\nlast value: ${inspect(value)}`)
    }
    await sleep(every)
  }
}

function sourceOf(asked: unknown): string {
  return String(asked).replaceAll(/\s+/g, ' ')
}
