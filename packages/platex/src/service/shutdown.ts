import { setTimeout as sleep } from 'node:timers/promises'

import type { CompileLimiter } from './compile-limiter.ts'

/** Longer than the longest compile that the wire allows. */
const DEFAULT_DRAIN_MS = 125_000

export interface DrainOptions {
  /** Milliseconds that running compiles get before they are cancelled. @default 125_000 */
  readonly timeoutMs?: number
}

/** The end of a service: no new compiles, then none at all. */
export interface Shutdown {
  /** True from the first call of `drain` on. */
  isDraining(): boolean
  /** Fires when running compiles have had their time. */
  readonly killSignal: AbortSignal
  /** Refuses new compiles and resolves when the last one is gone, cancelling those that take too long. */
  drain(options?: DrainOptions): Promise<void>
}

export function createShutdown(limiter: CompileLimiter): Shutdown {
  const kill = new AbortController()
  let isDraining = false
  return {
    isDraining: () => isDraining,
    killSignal: kill.signal,
    drain: async ({ timeoutMs = DEFAULT_DRAIN_MS } = {}) => {
      isDraining = true
      const idle = limiter.whenIdle()
      const patience = new AbortController()
      // Cancelled when the last compile ends first; only then does the sleep reject.
      const outOfPatience = sleep(timeoutMs, true, { signal: patience.signal }).catch(() => false)
      const mustKill = await Promise.race([idle.then(() => false), outOfPatience])
      patience.abort()
      if (mustKill) kill.abort(new Error('the compile service is shutting down'))
      await idle
    },
  }
}
