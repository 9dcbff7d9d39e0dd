import { RequestFault } from '../wire/request-fault.ts'

const MIN_BUDGET_BYTES = 256 * 1024 * 1024
/** Time in which no body loses its memory to another: 64 MB at 9 Mbit/s. */
const UNDISTURBED_MS = 60_000

/** Limits the memory of all bodies that are being received, or of all that are being sent. */
export interface BodyBudget {
  /**
   * Opens the account of one body. `onReclaim` must end the body and close the account: it is called when the body is
   * older than a minute and another needs the memory, so that clients that read slowly cannot refuse service to others.
   */
  open(onReclaim?: () => void): BodyAccount
}

export interface BodyAccount {
  /** @throws RequestFault 503 if all bodies together exceed the budget. */
  readonly take: (bytes: number) => void
  /** Releases the memory of the body. */
  readonly close: () => void
}

interface Reclaimable {
  readonly openedAt: number
  readonly end: () => void
  bytes: number
}

/**
 * Two hundred clients that each send an allowed 40 MB body slowly, or read a result slowly, would hold 8 GB. This budget
 * limits the bytes held in memory to four of the largest bodies.
 */
export function createBodyBudget(maxBodyBytes: number, direction: 'requests' | 'results'): BodyBudget {
  const budgetBytes = Math.max(MIN_BUDGET_BYTES, 4 * maxBodyBytes)
  let heldBytes = 0
  /** The oldest first. */
  const reclaimable = new Set<Reclaimable>()
  const makeRoom = (bytes: number): void => {
    const chosen: Reclaimable[] = []
    let excess = heldBytes + bytes - budgetBytes
    for (const body of reclaimable) {
      if (excess <= 0 || performance.now() - body.openedAt < UNDISTURBED_MS) break
      chosen.push(body)
      excess -= body.bytes
    }
    if (excess > 0) throw tooManyBodies(direction)
    for (const body of chosen) body.end()
  }
  return {
    open: (onReclaim) => {
      const body: Reclaimable = { openedAt: performance.now(), end: onReclaim ?? (() => {}), bytes: 0 }
      if (onReclaim !== undefined) reclaimable.add(body)
      return {
        take: (bytes) => {
          makeRoom(bytes)
          heldBytes += bytes
          body.bytes += bytes
        },
        close: () => {
          heldBytes -= body.bytes
          body.bytes = 0
          reclaimable.delete(body)
        },
      }
    },
  }
}

function tooManyBodies(direction: 'requests' | 'results'): RequestFault {
  const reason = direction === 'requests' ? 'requests are arriving' : 'results are being sent'
  return new RequestFault(`Too many large ${reason} at once. Try again shortly.`, {
    status: 503,
    code: 'too_many_compiles',
    headers: { 'Retry-After': '1', Connection: 'close' },
  })
}
