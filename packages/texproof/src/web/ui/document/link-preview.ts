import { html } from 'hono/html'

import type { Html } from '../html.ts'

/** The preview of a PDF page on other sites. */
export interface LinkPreview {
  readonly title: string
  readonly description: string
  /** Absolute. */
  readonly url: string
  /** Absolute address of an image of the first page; null without one. */
  readonly pictureUrl: string | null
}

/** Meta elements for the head of the page, with its description. */
export function linkPreview({ title, description, url, pictureUrl }: LinkPreview): Html {
  return html`<meta property="og:type" content="article" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta name="description" content="${description}" />
    ${pictureUrl === null ? '' : html`<meta property="og:image" content="${pictureUrl}" /><meta property="og:image:alt" content="First page of ${title}" />`}`
}
