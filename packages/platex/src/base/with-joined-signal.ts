/**
 * Runs `work` under one signal that fires with the first of several.
 *
 * `AbortSignal.any` would do, but it keeps about a kilobyte for every signal ever joined to one that lives as long as a
 * service; here nothing is left once the work is done.
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
