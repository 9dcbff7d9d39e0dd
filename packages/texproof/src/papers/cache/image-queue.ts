/**
 * Draws images of untrusted content when they are first requested, each once.
 *
 * An image can take many seconds. One image of an owner is drawn at a time, and each requester has few requests in the queue of
 * its owners, so that nobody delays the images of others. Failures are kept for a while: a repeated request costs nothing.
 */
import { LRUCache } from 'lru-cache'

import { ClientDisconnected, clientSignal } from '../../base/client-signal.ts'
import { createCoalescer } from '../../base/coalesce.ts'
import { createLimiter, type LimiterRule } from '../../base/limiter.ts'

/** A busy machine can be the reason of a failure. */
const FAILURE_KEPT_MS = 10 * 60_000
const MAX_FAILURES = 1_000

/** An image to draw unless it was drawn before. */
export interface WantedImage<Found> {
  /** File of the image; equal for equal images. */
  readonly path: string
  /** User id of the owner of the content. */
  readonly ownerId: string
  /** The user or network that requests the image. */
  readonly requesterId: string
  /** Null if it was not drawn before. */
  readonly findStored: () => Promise<Found | null>
  /** Draws and stores it. */
  readonly draw: (signal: AbortSignal) => Promise<Found>
}

export interface ImageQueue<Found> {
  /** The image, or its failure, if it is known. */
  findKept(image: Pick<WantedImage<Found>, 'path' | 'findStored'>): Promise<Found | null>
  /**
   * Draws the image unless it is known. It is not drawn if all clients leave before its turn.
   *
   * @throws TooManyWaiting
   * @throws ClientDisconnected
   */
  find(image: WantedImage<Found>): Promise<Found>
  /** Stops drawing. */
  close(): Promise<void>
}

/** Creates a queue with limits for each requester and each owner. */
export function createImageQueue<Found extends { readonly kind: 'drawn' | 'failed' }>(rules: {
  readonly requester: LimiterRule
  readonly owner: LimiterRule
}): ImageQueue<Found> {
  const failures = new LRUCache<string, Found>({ max: MAX_FAILURES, ttl: FAILURE_KEPT_MS })
  const requesters = createLimiter(rules.requester)
  const shareByOwner = createCoalescer(rules.owner)
  const running = new Set<Promise<unknown>>()
  const stop = new AbortController()

  async function findKept({
    path,
    findStored,
  }: Pick<WantedImage<Found>, 'path' | 'findStored'>): Promise<Found | null> {
    return failures.get(path) ?? findStored()
  }

  /** Continues when its clients leave: they often request the image again. */
  async function draw(image: WantedImage<Found>): Promise<Found> {
    // It may have been drawn for clients that have left.
    const kept = await findKept(image)
    if (kept !== null) return kept
    const found = await image.draw(stop.signal)
    if (found.kind === 'failed') failures.set(image.path, found)
    return found
  }

  async function drawAndTrack(image: WantedImage<Found>): Promise<Found> {
    const drawing = draw(image)
    running.add(drawing)
    try {
      return await drawing
    } finally {
      running.delete(drawing)
    }
  }

  async function takeTurn(requesterId: string): Promise<() => void> {
    const signal = clientSignal() ?? undefined
    try {
      return await requesters.enter(requesterId, { signal })
    } catch (error) {
      throw signal?.aborted === true ? new ClientDisconnected() : error
    }
  }

  return {
    findKept,

    async find(image) {
      const leave = await takeTurn(image.requesterId)
      try {
        const kept = await findKept(image)
        if (kept !== null) return kept
        return await shareByOwner({ key: image.path, group: image.ownerId, work: () => drawAndTrack(image) })
      } finally {
        leave()
      }
    },

    async close() {
      stop.abort()
      await Promise.allSettled(running)
    },
  }
}
