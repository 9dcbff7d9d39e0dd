/** One queued piece of work. */
export interface QueuedWork {
  readonly requester: string
}

/** A bounded queue that serves the requester with the least recent use first. */
export interface FairQueue<Work extends QueuedWork> {
  /** False when the queue, or the requester's share of it, is full. */
  add(work: Work): boolean
  /** The work to start now; null if none may start. Counts as running until `finished`. */
  take(): Work | null
  finished(requester: string, usedMs: number): void
  /** False if it is no longer queued. */
  remove(work: Work): boolean
  /** Empties the queue. */
  drain(): readonly Work[]
}

export interface FairQueueLimits {
  readonly maxQueued: number
  readonly maxQueuedPerRequester: number
  readonly maxRunningPerRequester: number
  /** @default performance.now */
  readonly clock?: () => number
}

/** Half-life of recorded use: a short burst does not count for long. */
const HALF_LIFE_MS = 10_000
/** Requesters with less recent use than this are forgotten. */
const NEGLIGIBLE_MS = 1

interface Requester<Work> {
  readonly waiting: Work[]
  running: number
  usedMs: number
  usedAt: number
}

export function createFairQueue<Work extends QueuedWork>(limits: FairQueueLimits): FairQueue<Work> {
  const { maxQueued, maxQueuedPerRequester, maxRunningPerRequester, clock = () => performance.now() } = limits
  const requesters = new Map<string, Requester<Work>>()
  let queued = 0

  function recentUse({ usedMs, usedAt }: Requester<Work>): number {
    return usedMs * 0.5 ** ((clock() - usedAt) / HALF_LIFE_MS)
  }

  function find(name: string): Requester<Work> {
    const known = requesters.get(name)
    if (known !== undefined) return known
    const made: Requester<Work> = { waiting: [], running: 0, usedMs: 0, usedAt: clock() }
    requesters.set(name, made)
    return made
  }

  function forgetIdle(): void {
    for (const [name, requester] of requesters) {
      const isIdle = requester.running === 0 && requester.waiting.length === 0
      if (isIdle && recentUse(requester) < NEGLIGIBLE_MS) requesters.delete(name)
    }
  }

  return {
    add(work) {
      if (queued >= maxQueued) return false
      const { waiting } = find(work.requester)
      if (waiting.length >= maxQueuedPerRequester) return false
      waiting.push(work)
      queued += 1
      return true
    },
    take() {
      const ready = [...requesters.values()].filter(
        ({ waiting, running }) => waiting.length > 0 && running < maxRunningPerRequester,
      )
      const next = ready.toSorted((a, b) => a.running - b.running || recentUse(a) - recentUse(b))[0]
      const work = next?.waiting.shift()
      if (next === undefined || work === undefined) return null
      queued -= 1
      next.running += 1
      return work
    },
    finished(name, usedMs) {
      const requester = find(name)
      requester.usedMs = recentUse(requester) + usedMs
      requester.usedAt = clock()
      requester.running -= 1
      forgetIdle()
    },
    remove(work) {
      const waiting = requesters.get(work.requester)?.waiting ?? []
      const at = waiting.indexOf(work)
      if (at === -1) return false
      waiting.splice(at, 1)
      queued -= 1
      return true
    },
    drain() {
      const all = [...requesters.values()].flatMap(({ waiting }) => waiting.splice(0))
      queued = 0
      return all
    },
  }
}
