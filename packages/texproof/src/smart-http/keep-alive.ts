import { setTimeout as delay } from 'node:timers/promises'

/** Yields again and again, each time after a pause, until the work is over. A failure of the work is not its concern. */
export async function* keepAliveUntil(work: Promise<unknown>, everyMs: number): AsyncGenerator<undefined> {
  const over = work.then(
    () => true,
    () => true,
  )
  for (;;) {
    const pause = new AbortController()
    // Rejects only when the work is over first.
    const elapsed = delay(everyMs, false, { signal: pause.signal }).catch(() => false)
    const isOver = await Promise.race([over, elapsed])
    pause.abort()
    if (isOver) return
    yield undefined
  }
}
