import type { Context } from 'hono'
import { html } from 'hono/html'

import { localPath } from '../../../accounts/session/local-path.ts'
import { repositoryPath } from '../../../domain/page-urls.ts'
import type { Repository } from '../../../domain/types.ts'
import type { Html } from '../../ui/html.ts'
import { sendPage } from '../page.ts'
import { storageFailureWords, type StorageFailure } from '../../../base/storage-failure.ts'
import type { Suggestion } from './suggest-instead.ts'
import type { ForeignForm } from '../../session/errors.ts'
import { previousPath } from '../../session/previous-path.ts'
import { viewerOf } from '../../session/viewer.ts'

/**
 * 404. Without a reason, the text is the same for missing and hidden pages, without suggestions. An address with a slash at
 * the end, which users type, redirects to the one without: no page has such an address.
 */
export async function showNotFound(
  c: Context,
  { title = 'Page not found', reason = null, suggestions = [], repository = null }: NotFoundWords = {},
): Promise<Response> {
  const { pathname, search } = new URL(c.req.url)
  const shorter = pathname.endsWith('/') && isReading(c) ? localPath(pathname.slice(0, -1) + search) : '/'
  // Requests of git have exact addresses.
  if (shorter !== '/' && !/^\/[^/]+\/[^/]+\.git\//.test(shorter)) return c.redirect(shorter, 301)
  const isSignedIn = viewerOf(c) !== null
  const main = html`<section class="error-page">
    <h1>${title}</h1>
    <p ${reason === null ? '' : 'data-reason'}>
      ${reason ?? (isSignedIn ? 'This page does not exist, or it is private.' : 'This page does not exist, or it is private. Sign in to see private pages.')}
    </p>
    ${
      suggestions.length === 0
        ? ''
        : html`<p>Did you mean:</p>
            <ul>
              ${suggestions.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}
            </ul>`
    }
    <p class="actions">
      ${repository === null ? '' : html`<a href="${repository.href}">${repository.label}</a>`}
      ${isSignedIn || reason !== null ? '' : html`<a href="/login">Sign in</a>`}
      <a href="/search">Search</a> <a href="/">${isSignedIn ? 'Your repositories' : 'Public repositories'}</a>
    </p>
  </section>`
  return sendPage(c, { title, main, status: 404 })
}

/** Details for users who may see the repository. */
export interface NotFoundWords {
  readonly title?: string
  readonly reason?: string | null
  readonly suggestions?: readonly Suggestion[]
  /** The repository of the missing page. */
  readonly repository?: Suggestion | null
}

/** 404 for a form whose page was opened before its repository got another address. */
export function showMovedRepository(c: Context, repository: Repository): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Repository renamed</h1>
    <p>${describeMove(repository)} Nothing was changed: open the page there, and send the form again.</p>
  </section>`
  return sendPage(c, { title: 'Repository renamed', main, status: 404 })
}

/** Message with the new address, for users who may read the repository. */
export function describeMove(repository: Repository): Html {
  const path = repositoryPath(repository)
  return html`This repository is now <a href="${path}">${path.slice(1)}</a>.`
}

/** 401 for an invalid token. */
export function showBadCredential(c: Context): Promise<Response> {
  c.header('www-authenticate', 'Basic realm="Texproof", charset="UTF-8"')
  const main = html`<section class="error-page">
    <h1>Invalid token</h1>
    <p>The access token is invalid, expired or revoked. <a href="/settings/tokens">Create a new one</a>.</p>
  </section>`
  return sendPage(c, { title: 'Invalid token', main, status: 401 })
}

/** 403 for a form that is not from a page of this host, or whose page is older than the session. */
export function showForeignForm(c: Context, { isOwn }: Pick<ForeignForm, 'isOwn'>): Promise<Response> {
  if (isOwn) return showOldForm(c)
  const main = html`<section class="error-page">
    <h1>Form expired</h1>
    <p>This form did not come from this host, or the page was open for too long. Nothing was changed.</p>
    <p>Go back, reload the page and send the form again.</p>
  </section>`
  return sendPage(c, { title: 'Form expired', main, status: 403 })
}

/** The session has ended since the page was opened, or is another one. */
function showOldForm(c: Context): Promise<Response> {
  const page = previousPath(c)
  const isSignedIn = viewerOf(c) !== null
  const main = html`<section class="error-page">
    <h1>Form expired</h1>
    <p>
      Your session has ended since you opened the page${isSignedIn ? '' : ', or your browser does not accept cookies'}.
      Nothing was changed.
    </p>
    <p>
      ${isSignedIn ? html`<a href="${page}">Open the page again</a>` : html`<a href="/login?next=${encodeURIComponent(page)}">Sign in</a>`},
      then send the form again.
    </p>
  </section>`
  return sendPage(c, { title: 'Form expired', main, status: 403 })
}

/** 413 for a form that exceeds a limit. */
export function showFormTooLarge(c: Context, { limit }: { readonly limit: string }): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Request too large</h1>
    <p>The request exceeds the limit of ${limit}. Nothing was changed.</p>
    <p>Go back and choose smaller or fewer files, or a shorter text.</p>
  </section>`
  return sendPage(c, { title: 'Request too large', main, status: 413 })
}

/** 503 while too many passwords are being checked. */
export function showSignInBusy(c: Context): Promise<Response> {
  c.header('retry-after', '5')
  const main = html`<section class="error-page">
    <h1>Sign-in temporarily unavailable</h1>
    <p>Too many sign-in attempts right now. Wait 5 s, go back and send the form again.</p>
  </section>`
  return sendPage(c, { title: 'Sign-in temporarily unavailable', main, status: 503 })
}

/** Whether a request reads a page: the response may reload itself. After a form, an empty one would replace it. */
export function isReading({ req }: Context): boolean {
  return req.method === 'GET' || req.method === 'HEAD'
}

/** 503 while another process locks the database: pages reload themselves, forms have to be sent again. */
export function showStoreBusy(c: Context): Promise<Response> {
  return showUnavailable(c, {
    title: 'Database is busy',
    words: 'Another process is using the database.',
    afterForm: 'Nothing was changed: go back and send the form again.',
    retryAfterS: 5,
  })
}

/** 503 while the database server cannot be used: whether it committed a change when the connection was lost is unknown. */
export function showStoreOut(c: Context): Promise<Response> {
  return showUnavailable(c, {
    title: 'Database not available',
    words: 'The database of this server is not responding.',
    afterForm: 'Wait 5 s, go back, check whether your change was saved, and send the form again if it was not.',
    readerHelp: 'If this continues, contact the administrator.',
    retryAfterS: 5,
  })
}

/** 503 while the bucket with the PDFs is not available: pages reload themselves, forms have to be sent again. */
export function showBucketUnavailable(c: Context): Promise<Response> {
  return showUnavailable(c, {
    title: 'PDF not available',
    words: 'The PDF storage is not responding. Sources and history are available.',
    afterForm: 'Wait 30 s, go back and send the form again.',
    retryAfterS: 30,
  })
}

/** 503 while too many requests for one repository wait for git: pages reload themselves, forms have to be sent again. */
export function showRepositoryBusy(c: Context): Promise<Response> {
  return showUnavailable(c, {
    title: 'Repository is busy',
    words: 'Too many requests for this repository at once.',
    afterForm: 'Nothing was changed: go back and send the form again.',
    retryAfterS: 5,
  })
}

interface Unavailable {
  readonly title: string
  /** Why the request could not be answered. */
  readonly words: string
  /** What to do after sending a form. */
  readonly afterForm: string
  /** What readers of a page can do if it continues. */
  readonly readerHelp?: string
  readonly retryAfterS: number
}

function showUnavailable(c: Context, unavailable: Unavailable): Promise<Response> {
  const { title, words, afterForm, readerHelp, retryAfterS } = unavailable
  c.header('retry-after', String(retryAfterS))
  const main = html`<section class="error-page">
    <h1>${title}</h1>
    <p>${words} ${isReading(c) ? `This page reloads in ${retryAfterS} s.` : afterForm}</p>
    ${isReading(c) && readerHelp !== undefined ? html`<p>${readerHelp}</p>` : ''}
  </section>`
  return sendPage(c, { title, main, status: 503, refreshAfter: isReading(c) ? retryAfterS : undefined })
}

/** 429 for a client that exceeds a limit. */
export function showTooManyRequests(c: Context, { retryAfterS }: { readonly retryAfterS: number }): Promise<Response> {
  c.header('retry-after', String(retryAfterS))
  const main = html`<section class="error-page">
    <h1>Too many requests</h1>
    <p>
      You or your network sent too many requests. Try again in ${retryAfterS}
      s${viewerOf(c) === null ? ', or sign in: signed-in users have higher limits' : ''}.
    </p>
  </section>`
  return sendPage(c, { title: 'Too many requests', main, status: 429 })
}

/** 507 for a full or read-only disk. Reading, signing in and deleting still work. */
export function showStorageFailure(c: Context, failure: StorageFailure): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Disk error</h1>
    <p>${storageFailureWords[failure]}</p>
  </section>`
  return sendPage(c, { title: 'Disk error', main, status: 507 })
}

/** 500. `contact` = the administrator's address for reports. */
export function showInternalError(
  c: Context,
  {
    requestId,
    contact,
    damage = null,
  }: {
    readonly requestId: string
    readonly contact: string | null
    /** A damaged or missing file. Administrators see its path. */
    readonly damage?: { readonly message: string; readonly remedy: string } | null
  },
): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Internal error</h1>
    ${damage === null ? html`<p>The server could not complete the request. Pushed commits are safe.</p>` : describeDamage(c, damage)}
    <p class="quiet">
      Request <code>${requestId}</code>. The administrator can find it in the server log.
      ${contact === null ? '' : `Contact ${contact}.`}
    </p>
  </section>`
  return sendPage(c, { title: 'Internal error', main, status: 500 })
}

function describeDamage(c: Context, { message, remedy }: { readonly message: string; readonly remedy: string }) {
  return viewerOf(c)?.isAdmin === true
    ? html`<p>A file of this repository is damaged or missing: ${message}. ${remedy}</p>`
    : html`<p>A file of this repository is damaged or missing. Report it to the administrator.</p>`
}
