/** Runs in a thread of its own: renders one README at a time. Started by `render-markdown-apart.ts` alone. */
import { parentPort } from 'node:worker_threads'

import { renderMarkdown, type MarkdownPlace } from './render-markdown.ts'

export interface MarkdownJob {
  readonly source: string
  readonly place: MarkdownPlace
}

parentPort?.on('message', ({ source, place }: MarkdownJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(renderMarkdown(source, place))
})
