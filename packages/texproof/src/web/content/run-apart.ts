/**
 * Work on strangers' texts beside the event loop, under a time limit.
 *
 * Neither Markdown renderers nor highlighters are linear on every input: some kilobytes can keep one busy for a second,
 * and this thread serves everybody. So each kind of work has one worker, which does one text after the other; a text
 * that takes too long costs the worker its life and has no result.
 */
import { Worker } from 'node:worker_threads'

/** Generous: an ordinary text takes some ten milliseconds, starting the worker some hundred. */
const TIME_LIMIT_MS = 3_000

/** A thread that nobody needs gives its memory back. */
const IDLE_LIMIT_MS = 5 * 60_000

/** Makes a function that hands a job to the worker of `script`; null when it takes too long or fails. */
export function runApart<Job, Result>(script: URL): (job: Job) => Promise<Result | null> {
  let worker: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  async function rest(): Promise<void> {
    const resting = worker
    worker = null
    await resting?.terminate()
  }

  async function runOne(job: Job): Promise<Result | null> {
    clearTimeout(idle)
    worker ??= startWorker(script)
    const current = worker
    const { promise, resolve } = Promise.withResolvers<Result | null>()
    const timer = setTimeout(() => resolve(null), TIME_LIMIT_MS)
    const fail = (): void => resolve(null)
    current.once('message', resolve).once('error', fail)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
    current.postMessage(job)
    const result = await promise
    clearTimeout(timer)
    current.off('message', resolve).off('error', fail)
    if (result === null) await rest()
    else idle = setTimeout(() => void rest(), IDLE_LIMIT_MS).unref()
    return result
  }

  return (job) => {
    const result = last.then(() => runOne(job))
    last = result
    return result
  }
}

/** What a text may make a worker hold; more costs it its life, like taking too long. */
const MEMORY_LIMIT_MB = 128

/** Does not keep the process alive. */
function startWorker(script: URL): Worker {
  const started = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB } })
  started.unref()
  return started
}
