/** Longest time for which a cached result is used when no notification arrives. */
const maxAgeMs = 500

/** A number for the read cache that changes with every known commit, and at least twice a second. */
export interface ChangeCounter {
  /** Called after every commit of this process, and for every notification of another. */
  readonly add: () => void
  readonly version: () => number
}

/** Creates the counter of one instance. */
export function createChangeCounter(now: () => number = () => performance.now()): ChangeCounter {
  let version = 0
  let changedAt = now()
  const add = (): void => {
    version += 1
    changedAt = now()
  }
  return {
    add,
    version() {
      if (now() - changedAt >= maxAgeMs) add()
      return version
    },
  }
}
