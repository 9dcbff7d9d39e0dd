import type { Context } from 'hono'
import { html } from 'hono/html'

import { sendPage } from '../components/page.ts'

/**
 * 404. Without a reason the words are the same for what does not exist and for what the reader must not know of.
 */
export function showNotFound(c: Context, reason: string | null): Response | Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Nothing here</h1>
    <p>${reason ?? 'This page does not exist, or it is private.'}</p>
    <p><a href="/">Public papers</a></p>
  </section>`
  return sendPage(c, { title: 'Nothing here', main, status: 404 })
}

/** 401 for a token that opens nothing. */
export function showBadCredential(c: Context): Response | Promise<Response> {
  c.header('www-authenticate', 'Basic realm="Texproof", charset="UTF-8"')
  const main = html`<section class="error-page">
    <h1>Unknown token</h1>
    <p>The access token of this request is unknown or has expired.</p>
  </section>`
  return sendPage(c, { title: 'Unknown token', main, status: 401 })
}

/** 403 for a form that no page of this host gave out, or whose page is too old. */
export function showForeignForm(c: Context): Response | Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Not sent</h1>
    <p>This form was not sent from a page of this host, or the page was open for too long. Nothing was changed.</p>
    <p>Go back, load the page again and send it once more.</p>
  </section>`
  return sendPage(c, { title: 'Not sent', main, status: 403 })
}

/** 413 for a form that carries more than any of ours. */
export function showFormTooLarge(c: Context): Response | Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Too large</h1>
    <p>What you sent has more than 2 MB. Nothing was changed.</p>
    <p>Go back and choose a smaller file or a shorter text.</p>
  </section>`
  return sendPage(c, { title: 'Too large', main, status: 413 })
}

/** 503 while too many passwords are being checked. */
export function showBusy(c: Context): Response | Promise<Response> {
  c.header('retry-after', '5')
  const main = html`<section class="error-page">
    <h1>Busy</h1>
    <p>Too many people sign in at this moment. Try again in 5 s.</p>
  </section>`
  return sendPage(c, { title: 'Busy', main, status: 503 })
}

/** 500: ours, never the reader's. */
export function showFault(c: Context, requestId: string): Response | Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Our fault</h1>
    <p>Something went wrong in this server. Nothing that you pushed is lost.</p>
    <p class="quiet">Request <code>${requestId}</code>: the administrator finds it in the log.</p>
  </section>`
  return sendPage(c, { title: 'Our fault', main, status: 500 })
}
