/** Thrown by `withDeadline` on a timeout; its class distinguishes it from the caller's abort. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

/**
 * Runs `work` with a signal that fires when the caller aborts or at the deadline. Settles then even if `work` ignores
 * the signal, as a custom `fetch` may.
 *
 * @throws DeadlineExceeded after `deadlineMs`; the reason of the signal if the caller aborts.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  const { deadlineMs, signal } = options
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stopped = Promise.withResolvers<never>()
  const stop = (reason: unknown): void => {
    stopped.reject(reason)
    controller.abort(reason)
  }
  const onAbort = (): void => stop(signal?.reason)
  const timer = setTimeout(() => stop(new DeadlineExceeded(`no answer within ${deadlineMs} ms`)), deadlineMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(controller.signal), stopped.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
