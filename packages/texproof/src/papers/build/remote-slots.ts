/**
 * Slots of remote workers: requests for a job that wait for one, and builds that were given away. Workers may end at any
 * time, so the number of slots changes all the time.
 */
import type { BuildJob } from '../../domain/build/worker-protocol.ts'
import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { BuildEnd } from './build-queue.ts'

/** A slot that was claimed for a build. */
export interface ClaimedSlot {
  /** Name under which the worker holds leases. */
  readonly worker: string
  /** Sends the job to the worker and resolves when the build ends; null if the worker is gone. */
  give(job: BuildJob, lease: BuildLease, signal: AbortSignal): Promise<BuildEnd> | null
  /** Frees the slot, if it was not used. */
  close(): void
}

export interface RemoteSlots {
  /** Offers a slot until it gets a job; null once `signal` aborts or the host closes. */
  offer(worker: string, signal: AbortSignal): Promise<BuildJob | null>
  /** Null if no worker waits. */
  claim(): ClaimedSlot | null
  /** Waits for a worker. @throws the reason of the signal. */
  claimNext(signal: AbortSignal): Promise<ClaimedSlot>
  /** Slots of workers that wait or run builds of this process. */
  count(): number
  /** Leases of the builds that were given away. */
  listLeases(): readonly BuildLease[]
  /** Reports the end of a build; does nothing if this process did not give it away. */
  end(lease: BuildLease, end: BuildEnd): void
  /** Answers every waiting worker that there is no job, and those that come later. */
  close(): void
}

interface Offer {
  readonly worker: string
  readonly signal: AbortSignal
  readonly answer: (job: BuildJob | null) => void
}

interface GivenAway {
  readonly lease: BuildLease
  readonly end: (end: BuildEnd) => void
}

/** Creates the slots; `onSlot` is called for every new one. */
export function createRemoteSlots(onSlot: () => void): RemoteSlots {
  const offers = new Set<Offer>()
  const givenAway = new Map<string, GivenAway>()
  const claimants = new Set<(slot: ClaimedSlot) => void>()
  let claimedCount = 0
  let isClosed = false

  function add(offer: Offer): void {
    if (offer.signal.aborted || isClosed) return offer.answer(null)
    offers.add(offer)
    const [claimant] = claimants
    if (claimant === undefined) return onSlot()
    claimants.delete(claimant)
    const slot = claim()
    if (slot !== null) claimant(slot)
  }

  function claim(): ClaimedSlot | null {
    const [offer] = offers
    if (offer === undefined) return null
    offers.delete(offer)
    claimedCount += 1
    let isOpen = true
    const leave = (): boolean => {
      const wasOpen = isOpen
      if (isOpen) claimedCount -= 1
      isOpen = false
      return wasOpen
    }
    return {
      worker: offer.worker,
      give(job, lease, signal) {
        if (!leave() || offer.signal.aborted) return null
        offer.answer(job)
        return whenEnded(lease, signal)
      },
      close() {
        if (leave()) add(offer)
      },
    }
  }

  async function whenEnded(lease: BuildLease, signal: AbortSignal): Promise<BuildEnd> {
    const { promise, resolve, reject } = Promise.withResolvers<BuildEnd>()
    const key = keyOf(lease)
    givenAway.set(key, { lease, end: resolve })
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
      givenAway.delete(key)
    }
  }

  return {
    offer: (worker, signal) =>
      new Promise((resolve) => {
        const offer: Offer = { worker, signal, answer: resolve }
        signal.addEventListener('abort', () => {
          offers.delete(offer)
          resolve(null)
        })
        add(offer)
      }),
    claim,
    async claimNext(signal) {
      const { promise, resolve, reject } = Promise.withResolvers<ClaimedSlot>()
      claimants.add(resolve)
      signal.addEventListener('abort', () => {
        claimants.delete(resolve)
        reject(signal.reason)
      })
      return promise
    },
    count: () => offers.size + claimedCount + givenAway.size,
    listLeases: () => [...givenAway.values()].map(({ lease }) => lease),
    end: (lease, end) => givenAway.get(keyOf(lease))?.end(end),
    close() {
      isClosed = true
      for (const { answer } of offers) answer(null)
      offers.clear()
    },
  }
}

function keyOf({ buildId, attempt }: BuildLease): string {
  return `${buildId} ${attempt}`
}
