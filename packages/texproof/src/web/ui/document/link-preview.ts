import { html } from 'hono/html'

import type { Html } from '../html.ts'

/** What other sites show of a PDF page that somebody links to. */
export interface LinkPreview {
  readonly title: string
  readonly description: string
  /** Absolute. */
  readonly url: string
  /** Absolute address of a picture of the first page; null without one. */
  readonly pictureUrl: string | null
}

/** For the head of the page; the words are the same as on it. */
export function linkPreview({ title, description, url, pictureUrl }: LinkPreview): Html {
  return html`<meta property="og:type" content="article" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta name="description" content="${description}" />
    ${pictureUrl === null ? '' : html`<meta property="og:image" content="${pictureUrl}" /><meta property="og:image:alt" content="First page of ${title}" />`}`
}
