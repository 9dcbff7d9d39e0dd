/**
 * Lets programs start one after the other, with a pause between: starting one holds up this whole process for some
 * milliseconds, and two hundred pushes at once would hold up every other answer for seconds.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface StartPace {
  /** Resolves when it is this caller's turn to start a program. @throws the signal's reason. */
  turn(signal: AbortSignal): Promise<void>
}

/** Makes a pace with so many milliseconds between two starts; a single one waits for nothing. */
export function createStartPace(gapMs: number): StartPace {
  let free: Promise<void> = Promise.resolve()
  return {
    async turn(signal) {
      const mine = free
      const next = Promise.withResolvers<void>()
      free = next.promise
      try {
        await mine
        signal.throwIfAborted()
        // The start itself comes first, then the pause. Where it took longer than that, the timer is due at once, and
        // only the next round of events is sure to come after everybody else's.
        void delay(gapMs).then(() => setImmediate(next.resolve))
      } catch (error) {
        next.resolve()
        throw error
      }
    },
  }
}
