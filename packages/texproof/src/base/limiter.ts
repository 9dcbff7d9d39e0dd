/**
 * Limits how much work runs at once, in total and per key. Waiting work is served round-robin by key, and in order of
 * arrival within a key, so that a thousand requests for one key do not delay the others.
 */

/** The queue of a limiter is full, or the time to wait is over. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
  readonly code = 'TOO_MANY_WAITING'

  constructor() {
    super('too many requests are waiting')
  }
}

/** Limits of a limiter; an absent limit is infinite. */
export interface LimiterRule {
  readonly atOnce?: number
  readonly atOncePerKey?: number
  /** How many of `atOnce` are only for keys without running work, so that a few busy keys leave room for others. */
  readonly forNewKeys?: number
  readonly maxWaiting?: number
  readonly maxWaitingPerKey?: number
}

export interface EnterOptions {
  /** Leaves the queue when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Replaces the limit of the rule if it is lower. */
  readonly atOncePerKey?: number
  /** Longest time in the queue. */
  readonly waitMs?: number
}

export interface Limiter {
  /**
   * Resolves when the work may start; call the result when it is over.
   *
   * @throws TooManyWaiting, or the signal's reason.
   */
  enter(key: string, options?: EnterOptions): Promise<() => void>
  /** Runs work between `enter` and its end. */
  run<Result>(key: string, work: () => Promise<Result>, options?: EnterOptions): Promise<Result>
}

interface Waiting {
  readonly limit: number
  readonly admit: (leave: () => void) => void
}

const unlimited = Number.POSITIVE_INFINITY

/** Creates a limiter. */
export function createLimiter(rule: LimiterRule): Limiter {
  const { atOnce = unlimited, atOncePerKey = unlimited, maxWaiting = unlimited, maxWaitingPerKey = unlimited } = rule
  const { forNewKeys = 0 } = rule
  const running = new Map<string, number>()
  let runningCount = 0
  /** Queues by key, in the order of their next turn. */
  const queues = new Map<string, Waiting[]>()
  let waitingCount = 0

  function hasRoom(key: string, limit: number): boolean {
    const held = running.get(key) ?? 0
    return runningCount < (held === 0 ? atOnce : atOnce - forNewKeys) && held < limit
  }

  function begin(key: string): () => void {
    runningCount += 1
    running.set(key, (running.get(key) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      runningCount -= 1
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
      admitNext()
    }
  }

  function admitNext(): void {
    for (const [key, [next]] of queues) {
      if (next === undefined || !hasRoom(key, next.limit)) continue
      const queue = removeWaiting(key, next)
      // To the end of all queues: the next turn belongs to another key.
      if (queues.delete(key)) queues.set(key, queue)
      next.admit(begin(key))
      return
    }
  }

  function removeWaiting(key: string, waiting: Waiting): Waiting[] {
    const queue = queues.get(key) ?? []
    queue.splice(queue.indexOf(waiting), 1)
    waitingCount -= 1
    if (queue.length === 0) queues.delete(key)
    return queue
  }

  async function wait(key: string, limit: number, { signal, waitMs }: EnterOptions): Promise<() => void> {
    const queue = queues.get(key) ?? []
    if (waitingCount >= maxWaiting || queue.length >= maxWaitingPerKey) throw new TooManyWaiting()
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const waiting: Waiting = { limit, admit: resolve }
    queues.set(key, queue)
    queue.push(waiting)
    waitingCount += 1
    const giveUp = (reason: unknown): void => {
      // Admitted in the same turn of the event loop: the caller starts and leaves.
      if (queues.get(key)?.includes(waiting) !== true) return
      removeWaiting(key, waiting)
      reject(reason)
    }
    const onAbort = (): void => giveUp(signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const timer = waitMs === undefined ? undefined : setTimeout(() => giveUp(new TooManyWaiting()), waitMs)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  async function enter(key: string, options: EnterOptions = {}): Promise<() => void> {
    options.signal?.throwIfAborted()
    const limit = Math.min(atOncePerKey, options.atOncePerKey ?? unlimited)
    return hasRoom(key, limit) ? begin(key) : wait(key, limit, options)
  }

  return {
    enter,
    async run(key, work, options) {
      const leave = await enter(key, options)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
