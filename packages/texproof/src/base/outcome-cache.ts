import { createIdleCache } from './idle-cache.ts'
import type { TaskOutcome } from './open-parsers.ts'

/** Cached outcomes of tasks by key. */
export interface OutcomeCache<Result> {
  /** Returns the cached outcome, or waits for the running task with this key, or starts it. */
  find(key: string, start: () => Promise<TaskOutcome<Result>>): Promise<TaskOutcome<Result>>
}

/** A failure is cached like a result, but for a limited time: a busy machine can also slow down a task. */
const FAILURE_KEPT_MS = 10 * 60_000
const FAILURE_SIZE = 200

/** An outcome and its expiry. */
interface Kept<Result> {
  readonly outcome: TaskOutcome<Result>
  readonly until: number
}

/**
 * Caches the outcomes of tasks on immutable content. Outcomes that do not depend on the content (a full queue, an
 * aborted task) are not cached.
 *
 * @param options `maxSize` limits the sum of `sizeOf`, in characters or bytes.
 */
export function createOutcomeCache<Result>(options: {
  readonly maxSize: number
  readonly sizeOf: (result: Result) => number
}): OutcomeCache<Result> {
  const kept = createIdleCache<Kept<Result>>({
    maxSize: options.maxSize,
    sizeOf: ({ outcome }, key) =>
      key.length + (outcome.kind === 'done' ? 1 + options.sizeOf(outcome.value) : FAILURE_SIZE),
  })
  const running = new Map<string, Promise<TaskOutcome<Result>>>()

  function findKept(key: string): TaskOutcome<Result> | undefined {
    const known = kept.get(key)
    return known !== undefined && known.until > Date.now() ? known.outcome : undefined
  }

  async function run(key: string, start: () => Promise<TaskOutcome<Result>>): Promise<TaskOutcome<Result>> {
    try {
      const outcome = await start()
      const isAboutContent = outcome.kind !== 'busy' && outcome.kind !== 'aborted'
      const until = outcome.kind === 'done' ? Infinity : Date.now() + FAILURE_KEPT_MS
      if (isAboutContent) kept.set(key, { outcome, until })
      return outcome
    } finally {
      running.delete(key)
    }
  }

  return {
    async find(key, start) {
      const known = findKept(key) ?? running.get(key)
      if (known !== undefined) return known
      const started = run(key, start)
      running.set(key, started)
      return started
    },
  }
}
