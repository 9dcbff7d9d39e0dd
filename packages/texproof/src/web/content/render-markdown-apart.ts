import type { MarkdownJob } from './markdown-worker.ts'
import type { MarkdownPlace } from './render-markdown.ts'
import { runApart } from './run-apart.ts'

const render = runApart<MarkdownJob, string>(new URL('markdown-worker.ts', import.meta.url))

/** Renders a README in a thread of its own; null when it takes too long. */
export function renderMarkdownApart(source: string, place: MarkdownPlace): Promise<string | null> {
  return render({ source, place })
}
