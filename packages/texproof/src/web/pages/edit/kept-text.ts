/**
 * A text that was typed for an hour does not go with a session that has ended meanwhile: what a form carried is given
 * back in a new one. The page says nothing but what the browser has just sent, so it is the same whether there is such
 * a repository or not.
 */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { unifyLines } from '../../../domain/source-text.ts'
import { ForeignForm, formToken, waitingFields } from '../../access/session.ts'
import { SignInNeeded, viewerOf } from '../../access/viewer.ts'
import { NotFound } from '../../answer/not-found.ts'
import { textArea } from '../../components/text-area.ts'
import { sendPage } from '../../components/page.ts'

const TEXT_FORMS = /^\/[^/]+\/[^/]+\/(?:edit|new)\//

/** The page that keeps the text of a form which could not be taken; null for every other error, and for no text. */
export async function keepText(c: Context, error: Error): Promise<Response | null> {
  if (c.req.method !== 'POST' || !TEXT_FORMS.test(c.req.path)) return null
  const isOwn = error instanceof ForeignForm && error.isOwn
  if (!isOwn && !(error instanceof SignInNeeded) && !(error instanceof NotFound)) return null
  const fields = await waitingFields(c, [])
  const text = fields.find(([name]) => name === 'text')?.[1] ?? ''
  if (text === '') return null
  const isSignedIn = viewerOf(c) !== null
  const next = encodeURIComponent(c.req.path)
  const why = isSignedIn ? (error instanceof NotFound ? absence(error) : stale) : signedOut
  const main = html`<section class="edit kept-text" aria-labelledby="kept">
    <h1 id="kept">${why.title}</h1>
    <p>Nothing was committed. ${why.words} What you typed is below, as it was.</p>
    ${isSignedIn ? '' : html`<p><a class="drawn-button" href="/login?next=${next}" target="_blank">Sign in, in a new tab</a></p>`}
    <form method="post" action="${c.req.path}" enctype="multipart/form-data" data-edit-form data-unsaved>
      ${formToken(c)}
      ${fields.map(([name, value]) => (name === 'text' ? '' : html`<input type="hidden" name="${name}" value="${value}" />`))}
      <p class="field text-field">
        <label for="text">Text</label>
        ${textArea(unifyLines(text), html`id="text" name="text" rows="24" autocapitalize="none"`)}
      </p>
      <p class="actions"><button class="button">Try again</button></p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: why.title, main, isWide: true, status: why.status, scripts: ['edit-file'] })
}

const signedOut = {
  title: 'You are signed out',
  words: 'Sign in in a new tab, come back to this one and try again.',
  status: 401,
} as const

const stale = {
  title: 'Not sent yet',
  words: 'The page was open for longer than your session. Try again: this page is a new one.',
  status: 403,
} as const

function absence({ reason }: NotFound) {
  const words = reason ?? 'This page does not exist any more, or it is private.'
  return { title: 'Nothing here', words, status: 404 } as const
}
