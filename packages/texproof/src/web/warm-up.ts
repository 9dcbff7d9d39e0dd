import { renderMarkdownApart } from './content/render-markdown-apart.ts'

/**
 * Starts the thread that renders READMEs, for which the first reader of a repository would wait otherwise. A source is
 * shown without its colours where they are not ready, so their thread can wait until somebody reads one.
 */
export async function warmUp(): Promise<void> {
  await renderMarkdownApart('', { folder: '', blobPrefix: '', rawPrefix: '' })
}
