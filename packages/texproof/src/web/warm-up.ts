import { highlightApart } from './content/highlight-apart.ts'
import { renderMarkdownApart } from './content/render-markdown-apart.ts'

/** Starts the threads that render and colour, for which the first reader would wait otherwise. */
export async function warmUp(): Promise<void> {
  await Promise.all([
    renderMarkdownApart('', { folder: '', blobPrefix: '', rawPrefix: '' }),
    highlightApart({ objectId: '', language: 'latex', readText: () => '' }),
  ])
}
