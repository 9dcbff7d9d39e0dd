/**
 * Coalesces equal concurrent work.
 *
 * Walking a history takes a core for up to seconds. The work is cancelled, or leaves its queue, when the last client
 * that waits for it has disconnected; its result is then dropped, because it may be incomplete.
 */
import { ClientDisconnected, clientSignal } from './client-signal.ts'
import { createLimiter, type LimiterRule } from './limiter.ts'

/** Work to share. */
export interface SharedWork<Result> {
  /** Equal for equal work. */
  readonly key: string
  /** The key of the limiter. */
  readonly group: string
  /** Ends early when the signal aborts. */
  readonly work: (signal: AbortSignal) => Promise<Result>
}

interface RunningWork {
  readonly result: Promise<unknown>
  readonly end: AbortController
  waitingCount: number
}

/**
 * Creates a function that runs work within limits, or waits for equal work that is running already.
 *
 * @throws TooManyWaiting
 * @throws ClientDisconnected
 */
export function createCoalescer(rule: LimiterRule): <Result>(shared: SharedWork<Result>) => Promise<Result> {
  const limiter = createLimiter(rule)
  const running = new Map<string, RunningWork>()

  function start<Result>({ key, group, work }: SharedWork<Result>): RunningWork {
    const end = new AbortController()
    const { signal } = end
    const result = limiter
      .run(group, () => work(signal), { signal })
      .then((found) => {
        if (signal.aborted) throw new ClientDisconnected()
        return found
      })
    const started: RunningWork = { result, end, waitingCount: 0 }
    const forget = (): void => {
      // Equal work may start again while the cancelled process exits.
      if (running.get(key) === started) running.delete(key)
    }
    signal.addEventListener('abort', forget, { once: true })
    result.then(forget, forget)
    running.set(key, started)
    return started
  }

  return async <Result>(shared: SharedWork<Result>) => {
    const client = clientSignal()
    if (client?.aborted === true) throw new ClientDisconnected()
    const work = running.get(shared.key) ?? start(shared)
    // Equal keys mean equal work, so the result has the expected type.
    return (await waitFor(work, client)) as Result
  }
}

/** Waits with the other clients until this one disconnects; the last one to disconnect cancels the work. */
async function waitFor(work: RunningWork, client: AbortSignal | null): Promise<unknown> {
  const gone = Promise.withResolvers<never>()
  const leave = (): void => {
    work.waitingCount -= 1
    if (work.waitingCount === 0) work.end.abort()
    gone.reject(new ClientDisconnected())
  }
  work.waitingCount += 1
  client?.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work.result, gone.promise])
  } finally {
    client?.removeEventListener('abort', leave)
  }
}
