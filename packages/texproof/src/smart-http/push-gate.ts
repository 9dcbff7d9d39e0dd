/**
 * How many pushes of one user git takes at a time. The others wait their turn before a byte of them is read, so that
 * one eager script cannot fill the machine with processes; nobody waits for somebody else's.
 */
export interface PushGate {
  /** Resolves when it is this push's turn; call the answer when it is over. @throws the signal's reason. */
  enter(userId: string, signal: AbortSignal, limit?: number): Promise<() => void>
}

/** Makes a gate that lets `perUser` pushes of each user through at a time, in the order in which they came. */
export function createPushGate(perUser: number): PushGate {
  const inside = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  function leave(userId: string): void {
    const next = waiting.get(userId)?.shift()
    if (next !== undefined) {
      next()
      return
    }
    const left = (inside.get(userId) ?? 1) - 1
    if (left === 0) inside.delete(userId)
    else inside.set(userId, left)
    waiting.delete(userId)
  }

  async function waitForTurn(userId: string, signal: AbortSignal): Promise<void> {
    const line = waiting.get(userId) ?? []
    waiting.set(userId, line)
    const turn = Promise.withResolvers<void>()
    const giveUp = (): void => {
      const at = line.indexOf(turn.resolve)
      if (at !== -1) line.splice(at, 1)
      turn.reject(signal.reason)
    }
    line.push(turn.resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  return {
    async enter(userId, signal, limit = perUser) {
      signal.throwIfAborted()
      const count = inside.get(userId) ?? 0
      // Whoever leaves hands the place on, so the count stays as it is for those who waited.
      if (count >= Math.min(limit, perUser)) await waitForTurn(userId, signal)
      else inside.set(userId, count + 1)
      return () => leave(userId)
    },
  }
}
