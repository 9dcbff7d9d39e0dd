import { RequestFault } from '../wire/request-fault.ts'

const MIN_BUDGET_BYTES = 256 * 1024 * 1024

/** Limits the memory of all bodies that are being received, or of all that are being sent. */
export interface BodyBudget {
  /** Opens the account of one body. */
  open(): BodyAccount
}

export interface BodyAccount {
  /** @throws RequestFault 503 if all bodies together exceed the budget. */
  readonly take: (bytes: number) => void
  /** Releases the memory of the body. */
  readonly close: () => void
}

/**
 * Two hundred clients that each send an allowed 40 MB body slowly, or read a result slowly, would hold 8 GB. This budget
 * limits the bytes held in memory to four of the largest bodies.
 */
export function createBodyBudget(maxBodyBytes: number, direction: 'requests' | 'results'): BodyBudget {
  const budgetBytes = Math.max(MIN_BUDGET_BYTES, 4 * maxBodyBytes)
  let heldBytes = 0
  return {
    open: () => {
      let accountBytes = 0
      return {
        take: (bytes) => {
          if (heldBytes + bytes > budgetBytes) throw tooManyBodies(direction)
          heldBytes += bytes
          accountBytes += bytes
        },
        close: () => {
          heldBytes -= accountBytes
          accountBytes = 0
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
