/**
 * READMEs rendered beside the event loop, under a time limit.
 *
 * No Markdown renderer is linear on every input: some kilobytes of `<b>` keep one busy for a second, and this thread
 * serves everybody. So one worker renders, one text after the other; a text that takes too long costs the worker its
 * life and is shown as plain text.
 */
import { Worker } from 'node:worker_threads'

import type { MarkdownJob } from './markdown-worker.ts'
import type { MarkdownPlace } from './render-markdown.ts'

/** Generous: an ordinary README takes some ten milliseconds, starting the worker some hundred. */
const TIME_LIMIT_MS = 3_000

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** Renders a README; null when it takes too long. */
export function renderMarkdownApart(source: string, place: MarkdownPlace): Promise<string | null> {
  const result = last.then(() => renderOne({ source, place }))
  last = result
  return result
}

async function renderOne(job: MarkdownJob): Promise<string | null> {
  worker ??= startWorker()
  const current = worker
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const timer = setTimeout(() => resolve(null), TIME_LIMIT_MS)
  const fail = (): void => resolve(null)
  current.once('message', resolve).once('error', fail)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  current.postMessage(job)
  const rendered = await promise
  clearTimeout(timer)
  current.off('message', resolve).off('error', fail)
  if (rendered !== null) return rendered
  worker = null
  await current.terminate()
  return null
}

/** Does not keep the process alive. */
function startWorker(): Worker {
  const started = new Worker(new URL('markdown-worker.ts', import.meta.url))
  started.unref()
  return started
}
