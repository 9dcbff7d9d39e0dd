import { readFile } from 'node:fs/promises'

import { raw } from 'hono/html'

import type { Html } from '../ui/html.ts'

/** A document shipped with the product, as Markdown. */
export function readDocs(name: string): Promise<string> {
  return readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
}

/** Renders such a document. `{{base}}` and `{{host}}` are placeholders for this host. */
export async function docsText(markdown: string, baseUrl: string): Promise<Html> {
  const source = markdown
    // In a README, links with a leading slash lead into its tree; here they lead to pages of this host.
    .replaceAll('](/', ']({{base}}/')
    .replaceAll('{{base}}', baseUrl)
    .replaceAll('{{host}}', new URL(baseUrl).host)
  // Loaded on first use: pages of users are rendered in threads, so only this page needs the renderer here.
  const { renderMarkdown } = await import('../content/markdown/render-markdown.ts')
  const text = renderMarkdown({ source, place: { folder: '', blobPrefix: '/docs/', rawPrefix: '/docs/' } })
  // The path of an endpoint and the name at the beginning of a cell wrap after a separator.
  return raw(text.replaceAll(/(?<=<(?:h3|td)[^>]*><code>)[^<]+/g, (code) => code.replaceAll(/[/_]/g, '$&<wbr>')))
}
