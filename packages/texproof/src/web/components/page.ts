import type { Context } from 'hono'
import { html } from 'hono/html'

import { firstFonts, mark, styleSheet } from '../assets.ts'
import { formToken } from '../session.ts'
import { viewerOf } from '../viewer.ts'
import type { Html } from './html.ts'

export interface Page {
  /** Without the product's name. */
  readonly title: string
  readonly main: Html
  /** Seconds until the page asks again by itself: only while something on it changes. */
  readonly refreshAfter?: number | undefined
  readonly status?: 200 | 401 | 403 | 404 | 422 | 429 | 500 | 503
  /** Code and PDFs take the whole width. */
  readonly isWide?: boolean
}

/** Answers with a whole page: shell, title, skip link. */
export function sendPage(c: Context, page: Page): Response | Promise<Response> {
  return c.html(renderPage(c, page), page.status ?? 200)
}

function renderPage(c: Context, { title, main, refreshAfter, isWide = false }: Page): Html {
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
          ${accountLinks(c)}
        </header>
        <main id="content" class="${isWide ? 'wide' : 'measure'}">${main}</main>
        <footer class="site">
          <p><span class="caret" aria-hidden="true">‸</span> Push a paper, get a proof.</p>
        </footer>
      </body>
    </html>`
}

/** Who is signed in and the way out, or the way in. */
function accountLinks(c: Context): Html {
  const user = viewerOf(c)
  if (user === null) return html`<nav class="account" aria-label="Account"><a href="/login">Sign in</a></nav>`
  return html`<nav class="account" aria-label="Account">
    <a href="/${user.login}">${user.login}</a>
    <form method="post" action="/logout">${formToken(c)}<button class="plain-button">Sign out</button></form>
  </nav>`
}

/** The mark in the colours of the text around it. */
function markDrawing(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <path class="mark-page" d="M6 2.5h14.5L26 8v21.5H6z" />
    <path class="mark-fold" d="M20 3v5.5h5.5" />
    <path class="mark-caret" d="M9.5 24.5 16 13l6.5 11.5" />
  </svg>`
}
