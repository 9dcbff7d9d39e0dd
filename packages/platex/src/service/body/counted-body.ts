import type { BodyBudget } from './body-budget.ts'

/** Also the size below which a body is not worth counting. */
const PIECE_BYTES = 256 * 1024

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
  const account = budget.open()
  account.take(bytes.length)
  const pieces = piecesOf(bytes)
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => {
        const { value, done } = pieces.next()
        if (!done) return controller.enqueue(value)
        account.close()
        controller.close()
      },
      cancel: () => account.close(),
    },
    { highWaterMark: 0 },
  )
}

/** Copies of the parts of `bytes`, in order. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>, undefined> {
  for (let offset = 0; offset < bytes.length; offset += PIECE_BYTES) yield bytes.slice(offset, offset + PIECE_BYTES)
}
