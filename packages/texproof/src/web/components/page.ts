import type { Context } from 'hono'
import { html } from 'hono/html'

import { firstFonts, mark, styleSheet } from '../assets.ts'
import type { Html } from './html.ts'

export interface Page {
  /** Without the product's name. */
  readonly title: string
  readonly main: Html
  /** Seconds until the page asks again by itself: only while something on it changes. */
  readonly refreshAfter?: number | undefined
  readonly status?: 200 | 401 | 404 | 500
  /** Code and PDFs take the whole width. */
  readonly isWide?: boolean
}

/** Answers with a whole page: shell, title, skip link. */
export function sendPage(c: Context, page: Page): Response | Promise<Response> {
  return c.html(renderPage(page), page.status ?? 200)
}

function renderPage({ title, main, refreshAfter, isWide = false }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} · Texproof</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${refreshAfter === undefined ? '' : html`<meta http-equiv="refresh" content="${refreshAfter}" />`}
        <link rel="icon" href="${mark.path}" type="image/svg+xml" />
        ${firstFonts.map(({ path }) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin />`)}
        <link rel="stylesheet" href="${styleSheet.path}" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="site">
          <a class="wordmark" href="/">${markDrawing()}<span>Texproof</span></a>
        </header>
        <main id="content" class="${isWide ? 'wide' : 'measure'}">${main}</main>
        <footer class="site">
          <p><span class="caret" aria-hidden="true">‸</span> Push a paper, get a proof.</p>
        </footer>
      </body>
    </html>`
}

/** The mark in the colours of the text around it. */
function markDrawing(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <path class="mark-page" d="M6 2.5h14.5L26 8v21.5H6z" />
    <path class="mark-fold" d="M20 3v5.5h5.5" />
    <path class="mark-caret" d="M9.5 24.5 16 13l6.5 11.5" />
  </svg>`
}
