import { readFile } from 'node:fs/promises'

import { raw } from 'hono/html'

import type { Html } from '../ui/html.ts'

/** One of the documents that the product carries with it, as Markdown. */
export function readDocs(name: string): Promise<string> {
  return readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
}

/** Such a document as it is shown; `{{base}}` and `{{host}}` stand for this host. */
export async function docsText(markdown: string, baseUrl: string): Promise<Html> {
  const source = markdown
    // A README's rooted links lead into its tree; these lead into this host.
    .replaceAll('](/', ']({{base}}/')
    .replaceAll('{{base}}', baseUrl)
    .replaceAll('{{host}}', new URL(baseUrl).host)
  // Strangers' texts are rendered in a thread of their own: this one does without the renderer until it is asked.
  const { renderMarkdown } = await import('../content/markdown/render-markdown.ts')
  return raw(renderMarkdown({ source, place: { folder: '', blobPrefix: '/docs/', rawPrefix: '/docs/' } }))
}
