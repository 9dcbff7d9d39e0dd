import { setTimeout as delay } from 'node:timers/promises'

/** Yields after every interval until the work has ended, whatever its outcome. */
export async function* keepAliveUntil(work: Promise<unknown>, everyMs: number): AsyncGenerator<undefined> {
  const over = work.then(
    () => true,
    () => true,
  )
  for (;;) {
    const pause = new AbortController()
    // Rejects only if the work ends first.
    const elapsed = delay(everyMs, false, { signal: pause.signal }).catch(() => false)
    const isOver = await Promise.race([over, elapsed])
    pause.abort()
    if (isOver) return
    yield undefined
  }
}
