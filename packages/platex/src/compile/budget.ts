/** Time limit of one compile, and steps that run undisturbed. Shared by all steps of the compile. */
export interface Budget {
  /** The limit set by the caller, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Milliseconds left, never below zero. */
  remainingMs(): number
  /**
   * Runs work that is not the document's. Only its time beyond two minutes in total counts. It uses the given clock.
   */
  uncounted<T>(work: (clock: Budget) => Promise<T>): Promise<T>
  /** Records that the state of the machine, not the document, has ended a step. */
  noteDisturbance(): void
  /** True if another compile of the same files may give a better result. */
  isDisturbed(): boolean
}

const MAX_UNCOUNTED_MS = 120_000

/** Starts the clock; a signal that is already aborted stops the compile at its first step. */
export function startBudget(timeoutMs: number, signal?: AbortSignal): Budget {
  let endsAt = performance.now() + timeoutMs
  let uncountedLeftMs = MAX_UNCOUNTED_MS
  let isDisturbed = false
  const remainingMs = (): number => Math.max(0, endsAt - performance.now())
  return {
    timeoutMs,
    signal,
    remainingMs,
    async uncounted(work) {
      const startedAt = performance.now()
      try {
        return await work(startBudget(remainingMs() + uncountedLeftMs, signal))
      } finally {
        const uncountedMs = Math.min(performance.now() - startedAt, uncountedLeftMs)
        uncountedLeftMs -= uncountedMs
        endsAt += uncountedMs
      }
    },
    noteDisturbance: () => void (isDisturbed = true),
    isDisturbed: () => isDisturbed,
  }
}
