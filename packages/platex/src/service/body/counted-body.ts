import type { BodyBudget } from './body-budget.ts'

/** Also the size below which a body is not worth counting. */
const PIECE_BYTES = 256 * 1024

/** The largest result in this time is a connection of 1 Mbit/s. */
const MAX_SENDING_MS = 15 * 60_000

/**
 * Counts the bytes of a result in `budget` until the returned function is called. A client that takes longer than fifteen
 * minutes to read them, or than a minute while others need the memory, loses them: `onLate` ends its response.
 *
 * @throws RequestFault 503 if the results being sent exceed the budget.
 */
export function countResult(bytes: number, budget: BodyBudget, onLate: () => void): () => void {
  if (bytes <= PIECE_BYTES) return () => {}
  const end = (): void => {
    release()
    onLate()
  }
  const account = budget.open(end)
  const timer = setTimeout(end, MAX_SENDING_MS).unref()
  const release = (): void => {
    clearTimeout(timer)
    account.close()
  }
  try {
    account.take(bytes)
  } catch (error) {
    release()
    throw error
  }
  return release
}

/** The error of a response whose client reads too slowly. */
export function tooSlow(): Error {
  return new Error('The client reads the result too slowly')
}

/**
 * The body of a response, counted in `budget` until its last piece is read. The pieces are copies, so that the last one
 * does not keep all others in memory.
 *
 * @throws RequestFault 503 if the bodies being sent exceed the budget.
 */
export function countedBody(
  bytes: Uint8Array,
  budget: BodyBudget,
): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> {
  if (bytes.length <= PIECE_BYTES) return bytes.slice()
  let release = (): void => {}
  const pieces = piecesOf(bytes)
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => {
        release = countResult(bytes.length, budget, () => controller.error(tooSlow()))
      },
      pull: (controller) => {
        const { value, done } = pieces.next()
        if (!done) return controller.enqueue(value)
        release()
        controller.close()
      },
      cancel: () => release(),
    },
    { highWaterMark: 0 },
  )
}

/** Copies of the parts of `bytes`, in order. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, undefined> {
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) yield bytes.slice(offset, offset + PIECE_BYTES)
}
