import { LRUCache } from 'lru-cache'

import type { TaskOutcome } from './open-parsers.ts'

/** Outcomes of tasks by what they were asked about. */
export interface OutcomeCache<Result> {
  /** Gives the kept outcome, else waits for the same task where it is running, else starts it. */
  find(key: string, start: () => Promise<TaskOutcome<Result>>): Promise<TaskOutcome<Result>>
}

/** A failure is kept like a result, but not for ever: a busy machine can also make a task too slow. */
const FAILURE_KEPT_MS = 10 * 60_000
const FAILURE_SIZE = 200
/** Outcomes without a request for this long are dropped. */
const IDLE_LIMIT_MS = 2 * 60_000

/**
 * Keeps what tasks made of content that never changes, so that no content costs twice. What says nothing about the
 * content (a full queue, an aborted task) is not kept.
 *
 * @param options `maxSize` bounds the sum of `sizeOf`, in characters or bytes.
 */
export function createOutcomeCache<Result>(options: {
  readonly maxSize: number
  readonly sizeOf: (result: Result) => number
}): OutcomeCache<Result> {
  const kept = new LRUCache<string, TaskOutcome<Result>>({
    maxSize: options.maxSize,
    sizeCalculation: (outcome, key) =>
      key.length + (outcome.kind === 'done' ? 1 + options.sizeOf(outcome.value) : FAILURE_SIZE),
  })
  const running = new Map<string, Promise<TaskOutcome<Result>>>()
  let idle: NodeJS.Timeout | undefined

  function startIdleTimer(): void {
    clearTimeout(idle)
    idle = setTimeout(() => kept.clear(), IDLE_LIMIT_MS).unref()
  }

  async function run(key: string, start: () => Promise<TaskOutcome<Result>>): Promise<TaskOutcome<Result>> {
    try {
      const outcome = await start()
      const isAboutContent = outcome.kind !== 'busy' && outcome.kind !== 'aborted'
      if (isAboutContent) kept.set(key, outcome, outcome.kind === 'done' ? {} : { ttl: FAILURE_KEPT_MS })
      return outcome
    } finally {
      running.delete(key)
    }
  }

  return {
    async find(key, start) {
      startIdleTimer()
      const known = kept.get(key) ?? running.get(key)
      if (known !== undefined) return known
      const started = run(key, start)
      running.set(key, started)
      return started
    },
  }
}
