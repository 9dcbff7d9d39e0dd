/** The time limit of one compile, shared by all of its steps. */
export interface Budget {
  /** The limit set by the caller, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Milliseconds left, never below zero. */
  remainingMs(): number
}

/** Starts the clock; a signal that is already aborted stops the compile at its first step. */
export function startBudget(timeoutMs: number, signal?: AbortSignal): Budget {
  const endsAt = performance.now() + timeoutMs
  return { timeoutMs, signal, remainingMs: () => Math.max(0, endsAt - performance.now()) }
}
