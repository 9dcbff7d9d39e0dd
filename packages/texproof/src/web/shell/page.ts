import { randomBytes } from 'node:crypto'

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { html } from 'hono/html'

import { editorStyleSheet, firstFonts, listEditorModules, mark, styleSheet } from '../assets/assets.ts'
import type { ScriptName } from '../assets/assets.ts'
import { formToken } from '../session/form.ts'
import { takeNotice } from '../session/notice.ts'
import { viewerOf } from '../session/viewer.ts'
import { avatar } from '../ui/avatar.ts'
import type { Html } from '../ui/html.ts'
import { scriptElements } from '../ui/script-elements.ts'
import { icon } from '../ui/icon.ts'
import { symbol } from '../ui/symbol.ts'
import { headLength } from './response/head-length.ts'
import { packPage } from './response/pack-page.ts'
import { pagePolicy } from './response/security-headers.ts'

export interface Page {
  /** Title without the name of the product. */
  readonly title: string
  readonly main: Html
  /** Seconds between reloads, only while the page changes. */
  readonly refreshAfter?: number | undefined
  readonly status?: 200 | 401 | 403 | 404 | 409 | 410 | 413 | 422 | 429 | 500 | 503 | 507
  /** Full width, for code and PDFs. */
  readonly isWide?: boolean
  /** A viewer that fills the window and scrolls inside. Only with script. */
  readonly isViewer?: boolean
  /** Additional elements for the head of the page: canonical address, robots, link previews. */
  readonly head?: Html | ''
  /** Scripts of this page, in addition to the common one. */
  readonly scripts?: readonly ScriptName[]
  /** True for readers of share links: only the wordmark surrounds the page. */
  readonly isBare?: boolean
  /** Value of the search box. */
  readonly query?: string
}

/** Notice about the outcome of the form whose response led to this page. */
function noticeOf(c: Context): Html | '' {
  const notice = takeNotice(c)
  return notice === null ? '' : html`<p class="banner banner-good" role="status">${notice}</p>`
}

const CARET = symbol('‸')

/** Statuses of refused forms; their pages say so first. */
const REFUSALS: ReadonlySet<number> = new Set([401, 409, 422, 429])

const PAGE_HEADERS = { 'content-type': 'text/html; charset=UTF-8' }

/** Characters from which a page is encoded here: to encode it while it writes, Node reserves three bytes for each. */
const LONG_PAGE = 16_384

/** Sends a whole page: shell, title, skip link. */
export async function sendPage(c: Context, page: Page): Promise<Response> {
  const head = page.scripts?.includes('editor') === true ? editorHead(c) : ''
  const markup = await renderPage(c, { ...page, head: html`${page.head ?? ''} ${head}` })
  // A template makes a `String` object, which the server would not send directly but through a stream.
  const text = String(markup)
  const status = page.status ?? 200
  const packed = await packPage(c, text)
  if (packed !== null)
    return c.body(packed, status, { ...PAGE_HEADERS, ...headLength(c, packed), 'content-encoding': 'gzip' })
  const body = text.length < LONG_PAGE ? text : Buffer.from(text)
  return c.body(body, status, { ...PAGE_HEADERS, ...headLength(c, body) })
}

/** Head elements of the editor: its modules, and permission for the styles that it adds while it runs. */
function editorHead(c: Context): Html {
  const nonce = randomBytes(16).toString('base64')
  c.header('content-security-policy', pagePolicy(nonce))
  return html`<meta property="csp-nonce" nonce="${nonce}" />
    <link rel="stylesheet" href="${editorStyleSheet.path}" />
    ${listEditorModules().map((path) => html`<link rel="modulepreload" href="${path}" />`)}`
}

function renderPage(c: Context, page: Page): Html {
  const {
    title,
    main,
    refreshAfter,
    isWide = false,
    isViewer = false,
    head = '',
    scripts = [],
    query = '',
    isBare = false,
    status = 200,
  } = page
  return html`<!doctype html>
    <html lang="en" ${chosenTheme(c)} ${getCookie(c, 'texproof-keys') === 'off' ? html`data-keys="off"` : ''}>
      <head>
        <meta charset="utf-8" />
        <title>${REFUSALS.has(status) ? 'Error: ' : ''}${title} · Texproof</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="${styleSheet.path}" />
        ${refreshAfter === undefined ? '' : html`<meta http-equiv="refresh" content="${refreshAfter}" />`} ${head}
        <link rel="icon" href="${mark.path}" type="image/svg+xml" />
        ${firstFonts.map(({ path }) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin />`)}
        ${scriptElements(['page', ...scripts])}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="site">
          <a class="wordmark" href="/" data-key="g h" title="Home">${markDrawing()}<span>Texproof</span></a>
          ${isBare ? '' : html`${searchBox(query)} ${accountLinks(c)}`}
        </header>
        <main id="content" class="${isViewer ? 'wide viewer-page' : isWide ? 'wide' : 'measure'}">
          ${status === 200 ? noticeOf(c) : ''}${main}
        </main>
        <footer class="site">
          <p><span class="caret" aria-hidden="true">${CARET}</span> Push a paper, get a proof.</p>
          <nav aria-label="About">
            <a href="/docs">Docs</a> <a href="/docs/api">API</a> <a href="/docs/compile">Compile API</a>
            <button type="button" class="plain-button" data-show-keys hidden>Shortcuts</button>
          </nav>
        </footer>
      </body>
    </html>`
}

function searchBox(query: string): Html {
  return html`<form class="search" action="/search" role="search">
      <label class="visually-hidden" for="search">Search</label>
      ${icon('search')}
      <input id="search" name="q" type="search" value="${query}" placeholder="Search" data-key="/" />
    </form>
    <span class="search-link"><a href="/search" aria-label="Search">${icon('search')}</a></span>`
}

/** The chosen theme, light or dark; otherwise the theme of the system. */
function chosenTheme(c: Context): Html | '' {
  const theme = getCookie(c, 'texproof-theme')
  return theme === 'light' || theme === 'dark' ? html`data-theme="${theme}"` : ''
}

/** The menu of the signed-in user, or the sign-in link. */
function accountLinks(c: Context): Html {
  const user = viewerOf(c)
  if (user === null) return html`<nav class="account" aria-label="Account"><a href="/login">Sign in</a></nav>`
  return html`<nav class="account" aria-label="Account">
    <a class="new" href="/new" data-key="g n" title="New repository">${icon('plus')} <span>New</span></a>
    <details class="picker" data-menu>
      <summary>${avatar(user, 24)} <span class="name">${user.login}</span></summary>
      <div class="menu menu-end">
        <ul>
          <li><a href="/${user.login}">Your repositories</a></li>
          <li><a href="/settings/profile">Settings</a></li>
          <li><a href="/settings/tokens">Access tokens</a></li>
          ${user.isAdmin ? html`<li><a href="/admin/status">Administration</a></li>` : ''}
        </ul>
        <form method="post" action="/logout">${formToken(c)}<button class="plain-button">Sign out</button></form>
      </div>
    </details>
  </nav>`
}

/** The logo in the text color. */
function markDrawing(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
    <path class="mark-page" d="M6 2.5h14.5L26 8v21.5H6z" />
    <path class="mark-fold" d="M20 3v5.5h5.5" />
    <path class="mark-caret" d="M9.5 24.5 16 13l6.5 11.5" />
  </svg>`
}
