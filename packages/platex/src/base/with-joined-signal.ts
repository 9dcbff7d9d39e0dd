/**
 * Runs `work` with one signal that fires when the first of several signals fires.
 *
 * `AbortSignal.any` leaks about a kilobyte for each signal that is joined to one with the lifetime of a service. This
 * function removes its listeners when the work is done.
 */
export async function withJoinedSignal<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const undo: (() => void)[] = []
  for (const signal of signals) {
    if (signal === undefined) continue
    const onAbort = (): void => controller.abort(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    undo.push(() => signal.removeEventListener('abort', onAbort))
  }
  try {
    return await work(controller.signal)
  } finally {
    for (const remove of undo) remove()
  }
}
