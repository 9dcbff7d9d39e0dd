/**
 * Limits concurrent compiles: a compile gets a slot immediately or is rejected.
 *
 * There is deliberately no queue: a rejected client can retry at another instance, while a queued one would spend its
 * timeout waiting.
 */

const REMEMBERED_DURATIONS = 32
const MAX_RETRY_AFTER_SECONDS = 5

export interface CompileLimiter {
  readonly maxConcurrent: number
  /** Number of slots in use. */
  running(): number
  isFull(): boolean
  /** Takes a slot; null if all are in use. Call the returned function to release it; further calls have no effect. */
  enter(): (() => void) | null
  /** Seconds until a slot is probably free: the median duration of recent compiles, 1 to 5. */
  retryAfterSeconds(): number
  /** Resolves when no slot is in use. */
  whenIdle(): Promise<void>
}

export function createCompileLimiter(maxConcurrent: number): CompileLimiter {
  const durationsMs: number[] = []
  const idleWaiters: (() => void)[] = []
  let running = 0

  function leave(startedAt: number): void {
    running -= 1
    durationsMs.push(performance.now() - startedAt)
    if (durationsMs.length > REMEMBERED_DURATIONS) durationsMs.shift()
    if (running === 0) for (const resolve of idleWaiters.splice(0)) resolve()
  }

  return {
    maxConcurrent,
    running: () => running,
    isFull: () => running >= maxConcurrent,
    enter: () => {
      if (running >= maxConcurrent) return null
      running += 1
      const startedAt = performance.now()
      let isHeld = true
      return () => {
        if (isHeld) leave(startedAt)
        isHeld = false
      }
    },
    retryAfterSeconds: () => Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(median(durationsMs) / 1000))),
    whenIdle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))),
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
