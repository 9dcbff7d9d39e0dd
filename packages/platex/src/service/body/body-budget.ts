import { RequestFault } from '../wire/request-fault.ts'

const MIN_BUDGET_BYTES = 256 * 1024 * 1024

/** Memory that request bodies may hold together while they arrive. */
export interface BodyBudget {
  /** Opens an account for one body. */
  open(): BodyAccount
}

export interface BodyAccount {
  /** @throws RequestFault 503 when all bodies together are over the budget. */
  readonly take: (bytes: number) => void
  /** Gives everything back. */
  readonly close: () => void
}

/**
 * Two hundred callers that each send a legal 40 MB body slowly would hold 8 GB before the first compile: this many
 * bytes, and no more, may wait in memory.
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
