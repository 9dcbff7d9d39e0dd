import { RequestFault } from '../wire/request-fault.ts'

const MIN_BUDGET_BYTES = 256 * 1024 * 1024

/** Limits the memory of all request bodies that are being received. */
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
 * Two hundred clients that each send an allowed 40 MB body slowly would hold 8 GB before the first compile. This budget
 * limits the bytes held in memory.
 */
export function createBodyBudget(maxRequestBodyBytes: number): BodyBudget {
  const budgetBytes = Math.max(MIN_BUDGET_BYTES, 4 * maxRequestBodyBytes)
  let heldBytes = 0
  return {
    open: () => {
      let accountBytes = 0
      return {
        take: (bytes) => {
          if (heldBytes + bytes > budgetBytes) throw tooManyBodies()
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

function tooManyBodies(): RequestFault {
  return new RequestFault('Too many large requests are arriving at once. Try again shortly.', {
    status: 503,
    code: 'too_many_compiles',
    headers: { 'Retry-After': '1', Connection: 'close' },
  })
}
