/**
 * Walks of git, each shared by all who ask the same while it runs.
 *
 * A walk costs a core for up to seconds. It is ended, or leaves its line, once the last of those who wait for it has
 * gone; what it found by then is worth nothing, since nobody can tell it from the whole.
 */
import { ReaderGone, readerSignal } from './for-reader.ts'
import { takeTurns, type TurnLimits } from './take-turns.ts'

/** What to walk for. */
export interface WalkRequest<Answer> {
  /** Equal for equal questions. */
  readonly key: string
  /** Walks of one repository wait for each other. */
  readonly gitDir: string
  /** Ends early when the signal fires. */
  readonly work: (signal: AbortSignal) => Promise<Answer>
}

/** How a walk starts git. */
export interface WalkOptions {
  /** Value of PATH. */
  readonly searchPath: string
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal
}

interface Walk {
  readonly answer: Promise<unknown>
  readonly end: AbortController
  waiting: number
}

/**
 * Makes a function that walks in turn, or waits for the same walk where it is under way.
 *
 * @throws TooManyWaiting
 * @throws ReaderGone
 */
export function shareWalks(limits: TurnLimits): <Answer>(request: WalkRequest<Answer>) => Promise<Answer> {
  const inTurn = takeTurns(limits)
  const underWay = new Map<string, Walk>()

  function start<Answer>({ key, gitDir, work }: WalkRequest<Answer>): Walk {
    const end = new AbortController()
    const { signal } = end
    const answer = inTurn(gitDir, () => work(signal), signal).then((found) => {
      if (signal.aborted) throw new ReaderGone()
      return found
    })
    const walk: Walk = { answer, end, waiting: 0 }
    const forget = (): void => {
      // The same may be asked anew while the ended walk still dies.
      if (underWay.get(key) === walk) underWay.delete(key)
    }
    signal.addEventListener('abort', forget, { once: true })
    answer.then(forget, forget)
    underWay.set(key, walk)
    return walk
  }

  return async <Answer>(request: WalkRequest<Answer>) => {
    const reader = readerSignal()
    if (reader?.aborted === true) throw new ReaderGone()
    const walk = underWay.get(request.key) ?? start(request)
    // Equal keys are equal questions, so the answer is of the kind that was asked for.
    return (await waitFor(walk, reader)) as Answer
  }
}

/** Waits with the others, until the reader goes; the last to go ends the walk. */
async function waitFor(walk: Walk, reader: AbortSignal | null): Promise<unknown> {
  const gone = Promise.withResolvers<never>()
  const leave = (): void => {
    walk.waiting -= 1
    if (walk.waiting === 0) walk.end.abort()
    gone.reject(new ReaderGone())
  }
  walk.waiting += 1
  reader?.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([walk.answer, gone.promise])
  } finally {
    reader?.removeEventListener('abort', leave)
  }
}
