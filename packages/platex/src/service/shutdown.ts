import { setTimeout as sleep } from 'node:timers/promises'

import type { CompileLimiter } from './compile-limiter.ts'

/** Longer than the longest allowed compile. */
const DEFAULT_DRAIN_MS = 125_000

export interface DrainOptions {
  /** Time in milliseconds after which running compiles are cancelled. @default 125_000 */
  readonly timeoutMs?: number
}

/** Graceful shutdown of a service: rejects new compiles, then waits for running ones. */
export interface Shutdown {
  /** True after the first call of `drain`. */
  isDraining(): boolean
  /** Fires when the shutdown begins: what serves no client ends. */
  readonly drainSignal: AbortSignal
  /** Fires when the time of running compiles is up. */
  readonly killSignal: AbortSignal
  /** Rejects new compiles, cancels running ones that take too long, and resolves when all have ended. */
  drain(options?: DrainOptions): Promise<void>
}

export function createShutdown(limiter: CompileLimiter): Shutdown {
  const begin = new AbortController()
  const kill = new AbortController()
  return {
    isDraining: () => begin.signal.aborted,
    drainSignal: begin.signal,
    killSignal: kill.signal,
    drain: async ({ timeoutMs = DEFAULT_DRAIN_MS } = {}) => {
      begin.abort(new Error('the compile service is shutting down'))
      const idle = limiter.whenIdle()
      const patience = new AbortController()
      // Cancelled if the last compile ends first; the sleep rejects only then.
      const outOfPatience = sleep(timeoutMs, true, { signal: patience.signal }).catch(() => false)
      const mustKill = await Promise.race([idle.then(() => false), outOfPatience])
      patience.abort()
      if (mustKill) kill.abort(new Error('the compile service is shutting down'))
      await idle
    },
  }
}
