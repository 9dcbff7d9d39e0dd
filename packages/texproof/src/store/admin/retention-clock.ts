/**
 * The clock for retention periods: trash, deleted branches, old builds. It follows the clock of the machine, but if
 * that jumps ahead by years, nothing is deleted early: the retention clock gains at most an hour per start, and
 * advances at most twice as fast as real time while the server runs. After a long stop it lags behind, which only keeps
 * data longer.
 */
import type { HostSettings } from './host-settings.ts'

/** Reads the clock. */
export interface RetentionClock {
  /** Epoch milliseconds, at most the time of the machine. */
  now(): Promise<number>
}

const key = 'retention.clock'
const GAIN_PER_START_MS = 3_600_000

/** Creates the clock of one process. `wall` is in epoch milliseconds, `elapsed` is monotonic. */
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
