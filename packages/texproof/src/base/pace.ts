import { setTimeout as delay } from 'node:timers/promises'

import { createLimiter } from './limiter.ts'

/** Resolves when it is this caller's turn. @throws the signal's reason. */
export type Pace = (signal: AbortSignal) => Promise<void>

/**
 * Makes a function that lets callers start one after the other, with a pause between: starting a process blocks the
 * event loop for some milliseconds, and two hundred pushes at once would delay every other response for seconds.
 */
export function createPace(gapMs: number): Pace {
  const starts = createLimiter({ atOnce: 1 })
  return async (signal) => {
    const leave = await starts.enter('', { signal })
    // The start itself comes first, then the pause. Where it took longer than that, the timer is due at once, and only
    // the next turn of the event loop is sure to come after everything that waited for it.
    void delay(gapMs).then(() => setImmediate(leave))
  }
}
