import { setTimeout as delay } from 'node:timers/promises'

import { createLimiter } from './limiter.ts'

/** Resolves when it is this caller's turn. @throws the signal's reason. */
export type Pace = (signal: AbortSignal) => Promise<void>

/**
 * Creates a function that starts callers one after the other, with a pause in between: starting a process blocks the
 * event loop for some milliseconds, and two hundred concurrent pushes would delay other responses by seconds.
 */
export function createPace(gapMs: number): Pace {
  const starts = createLimiter({ atOnce: 1 })
  return async (signal) => {
    const leave = await starts.enter('', { signal })
    // First the start itself, then the pause. If the start took longer, the timer is due immediately, and only the next
    // turn of the event loop comes after everything that waited.
    void delay(gapMs).then(() => setImmediate(leave))
  }
}
