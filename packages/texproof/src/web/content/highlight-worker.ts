/** Runs in a thread of its own: colours one source at a time. Started by `highlight-apart.ts` alone. */
import { parentPort } from 'node:worker_threads'

import type { Language } from './find-language.ts'
import { highlightLines } from './highlight-lines.ts'

export interface HighlightJob {
  readonly source: string
  readonly language: Language
}

parentPort?.on('message', ({ source, language }: HighlightJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  parentPort?.postMessage(highlightLines(source, language))
})
