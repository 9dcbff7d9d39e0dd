/**
 * The time by which retention periods end: trash, deleted branches, old builds. It follows the clock of the machine, but a
 * clock that jumps ahead by years deletes nothing early: per start it gains at most an hour, and while the server runs it
 * advances at most twice as fast as real time. Behind a server that was stopped for long it lags, which only keeps data longer.
 */
import type { HostSettings } from './host-settings.ts'

/** Reads it. */
export interface RetentionClock {
  /** Epoch milliseconds, at most those of the machine. */
  now(): Promise<number>
}

const key = 'retention.clock'
const GAIN_PER_START_MS = 3_600_000

/** The clock of one process. `wall` is in epoch milliseconds, `elapsed` never jumps. */
export function createRetentionClock(
  settings: Pick<HostSettings, 'find' | 'set'>,
  { wall = Date.now, elapsed = () => performance.now() }: { wall?: () => number; elapsed?: () => number } = {},
): RetentionClock {
  let readAt: number | null = null
  return {
    async now() {
      const stored = await settings.find(key)
      const gainMs = readAt === null ? GAIN_PER_START_MS : 2 * (elapsed() - readAt)
      readAt = elapsed()
      const now = stored === null ? wall() : Math.min(wall(), Math.round(Number(stored) + gainMs))
      await settings.set(key, String(now))
      return now
    },
  }
}
