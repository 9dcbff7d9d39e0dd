import { RemoteCompileError } from '../base/errors.ts'

const FIRST_BACKOFF_MS = 200
const MAX_RETRY_AFTER_MS = 10_000

/**
 * Repeats `attempt` after retryable remote errors, up to `retry` times.
 *
 * The delay is 200·2ⁿ ms ± 20 %, or `Retry-After` up to 10 s. An abort ends the delay.
 *
 * @throws the error of the last attempt; the reason of the signal if cancelled.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: { readonly retry: number; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  for (let done = 0; ; done += 1) {
    try {
      return await attempt()
    } catch (error) {
      const isWorthRepeating = error instanceof RemoteCompileError && error.retryable && done < options.retry
      if (!isWorthRepeating) throw error
      await sleep(delayMs(error, done), options.signal)
    }
  }
}

function delayMs(error: RemoteCompileError, done: number): number {
  if (error.retryAfterMs !== null) return Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS)
  return FIRST_BACKOFF_MS * 2 ** Math.min(done, 10) * (0.8 + 0.4 * Math.random())
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
