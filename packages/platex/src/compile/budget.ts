/** What the machine grants one compile: time, and undisturbed steps. Shared by all of its steps. */
export interface Budget {
  /** The limit set by the caller, in milliseconds. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** Milliseconds left, never below zero. */
  remainingMs(): number
  /** Does what is not the document's work; only its time beyond two minutes in all counts. The work keeps to the clock it gets. */
  uncounted<T>(work: (clock: Budget) => Promise<T>): Promise<T>
  /** Notes that the state of the machine, rather than the document, has ended a step. */
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
