/**
 * Who waits for an answer, known wherever on the way to it git is started.
 *
 * A page asks git several things through several hands, and none of them has a use for the connection of the reader but
 * the one that starts a process. So the page is run for its reader as a whole, instead of each hand passing on a signal
 * that one of them would forget.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const readers = new AsyncLocalStorage<AbortSignal>()

/** Nobody waits for the answer any more. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'
  readonly code = 'READER_GONE'

  constructor() {
    super('the reader has gone away')
  }
}

/** Does work for a reader who has gone when the signal fires; what git walks for nobody else is then ended. */
export function forReader<Result>(signal: AbortSignal, work: () => Result): Result {
  return readers.run(signal, work)
}

/** Fires when the reader who is served here has gone; null for work that nobody in particular waits for. */
export function readerSignal(): AbortSignal | null {
  return readers.getStore() ?? null
}
