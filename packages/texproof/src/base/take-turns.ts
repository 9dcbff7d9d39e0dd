/** More wait for the same thing than is sensible: the one who came last is sent away, and may come again. */
export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'
  readonly code = 'TOO_MANY_WAITING'

  constructor() {
    super('too many wait for this already')
  }
}

/** How much is done at the same time, and how much may wait for one key. */
export interface TurnLimits {
  readonly atOnce: number
  readonly waitingPerKey: number
}

/**
 * Makes a function that runs work, at most so much at once. Of what waits each key has its turn after the other, within
 * a key in the order in which it came: who asks about one thing a thousand times delays nobody else. Whose signal fires
 * leaves the line.
 *
 * @throws TooManyWaiting
 * @throws the signal's reason
 */
export function takeTurns({
  atOnce,
  waitingPerKey,
}: TurnLimits): <Result>(key: string, work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result> {
  const lines = new Map<string, (() => void)[]>()
  let free = atOnce

  async function wait(key: string, signal?: AbortSignal): Promise<void> {
    const line = lines.get(key) ?? []
    if (line.length >= waitingPerKey) throw new TooManyWaiting()
    lines.set(key, line)
    const turn = Promise.withResolvers<void>()
    line.push(turn.resolve)
    const giveUp = (): void => {
      const at = line.indexOf(turn.resolve)
      // Who has the turn already takes it, and gives it back.
      if (at === -1) return
      line.splice(at, 1)
      if (line.length === 0) lines.delete(key)
      turn.reject(signal?.reason)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    await turn.promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  function leave(): void {
    const [key, line] = lines.entries().next().value ?? []
    if (key === undefined || line === undefined) {
      free += 1
      return
    }
    // To the end of all lines, so that the next turn is another's.
    lines.delete(key)
    const next = line.shift()
    if (line.length > 0) lines.set(key, line)
    next?.()
  }

  return async (key, work, signal) => {
    signal?.throwIfAborted()
    if (free > 0) free -= 1
    else await wait(key, signal)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
