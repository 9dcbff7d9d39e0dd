/**
 * Keeps typed text when a session has ended in the meantime: the text of the refused form is returned in a new form.
 * The page contains only what the browser sent, so it is the same whether or not the repository exists.
 */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { User } from '../../../domain/types.ts'
import type { Deps } from '../../../operations/deps.ts'
import { unifyLines } from '../../../domain/text/source-text.ts'
import { ForeignForm } from '../../session/errors.ts'
import { formToken, parseForm, fieldsExcept, readField } from '../../session/form.ts'
import { SignInNeeded } from '../../session/errors.ts'
import { viewerOf } from '../../session/viewer.ts'
import { findStoreBusy, isStoreOut } from '../../../store/sqlite/store-errors.ts'
import { findStorageFailure, storageFailureWords } from '../../../base/storage-failure.ts'
import { TooManyWaiting } from '../../../base/limiter.ts'
import { NotFound } from '../../session/errors.ts'
import { textArea } from '../../ui/form/text-area.ts'
import type { Html } from '../../ui/html.ts'
import { sendPage } from '../page.ts'
import { MovedRepository, movedAddress } from '../repository/find-viewed-repository.ts'
import { describeMove } from './error-pages.ts'

const TEXT_FORMS = /^\/[^/]+\/[^/]+\/(?:edit|new)\//

/** Why a text was not committed. */
interface Why {
  readonly title: string
  readonly words: string | Html
  readonly status: 401 | 403 | 404 | 500 | 503 | 507
}

/**
 * The page that keeps the text of a refused form; null for a form without text, and for errors that need none.
 * `requestId` is set for unexpected errors, as in the log.
 */
export async function keepTypedText(
  c: Context,
  error: Error,
  deps: Pick<Deps, 'parsers'>,
  requestId: string | null = null,
): Promise<Response | null> {
  if (c.req.method !== 'POST' || !TEXT_FORMS.test(c.req.path)) return null
  const viewer = viewerOf(c)
  const refusal = requestId === null ? explainError(error, viewer !== null) : fault(requestId)
  if (refusal === null) return null
  // A guard may have refused the request before its form was parsed; an invalid form has no text to keep.
  await parseForm(c, deps).catch(() => {})
  // The text of the page counts from here on, not the one that others edit.
  const fields = fieldsExcept(c, ['live', 'text', 'user'])
  const text = readField(c, 'text')
  if (text === '') return null
  const typedBy = readField(c, 'user')
  // The next attempt is made by the viewer, whom its button names.
  const isByOther = viewer !== null && typedBy !== '' && typedBy !== viewer.id
  const why = isByOther ? replaced(viewer) : refusal
  // Because it is sent decoded, a path may start like the address of another host.
  const { pathname } = new URL(c.req.url)
  const action = error instanceof MovedRepository ? movedAddress(pathname, error.repository) : pathname
  const main = html`<section class="edit kept-text" aria-labelledby="kept">
    <h1 id="kept">${why.title}</h1>
    <p>Nothing was committed. ${why.words} Your text is below.</p>
    ${why.status === 401 ? html`<p><a class="drawn-button" href="/login?next=${encodeURIComponent(action)}" target="_blank">Sign in in a new tab</a></p>` : ''}
    <form method="post" action="${action}" enctype="multipart/form-data" data-edit-form data-unsaved>
      ${formToken(c)} <input type="hidden" name="user" value="${viewer?.id ?? typedBy}" />
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <p class="field text-field">
        <label for="text">Text</label>
        ${textArea(unifyLines(text), html`id="text" name="text" rows="24" autocapitalize="none"`)}
      </p>
      <p class="actions"><button class="button">${isByOther ? `Commit as ${viewer.login}` : 'Try again'}</button></p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  if (why.status === 503) c.header('retry-after', '5')
  return sendPage(c, { title: why.title, main, isWide: true, status: why.status, scripts: ['editor'] })
}

/** Signed-out users get the same text for private and for missing repositories. */
function explainError(error: Error, isSignedIn: boolean): Why | null {
  const isStale = error instanceof ForeignForm && error.isOwn
  if (error instanceof SignInNeeded || ((isStale || error instanceof NotFound) && !isSignedIn)) return signedOut
  if (isStale) return stale
  if (error instanceof NotFound) return absence(error)
  if (error instanceof MovedRepository)
    return { title: 'Repository renamed', words: describeMove(error.repository), status: 404 }
  const failure = findStorageFailure(error)
  if (failure !== null) return { title: 'Disk error', words: storageFailureWords[failure], status: 507 }
  if (isStoreOut(error)) return databaseOut
  return error instanceof TooManyWaiting || findStoreBusy(error) !== null ? busy : null
}

const signedOut: Why = {
  title: 'You are signed out',
  words: 'Sign in in a new tab, come back to this one and try again.',
  status: 401,
}

const stale: Why = {
  title: 'Session expired',
  words: 'The page was open for longer than your session. Try again.',
  status: 403,
}

/** Two users share a browser: a text is committed as the user who typed it, or as one who agrees. */
function replaced({ login }: User): Why {
  return {
    title: 'Another user is signed in',
    words: `This text was typed by another user, and you are signed in as ${login}. Commit it as ${login}, or sign in as the other user in a new tab, come back to this one and try again.`,
    status: 403,
  }
}

const busy: Why = {
  title: 'Busy',
  words: 'This host is busy. Try again in 5 s.',
  status: 503,
}

const databaseOut: Why = {
  title: 'Database not available',
  words: 'The database of this server is not responding. Try again in 5 s.',
  status: 503,
}

function absence({ reason, title }: NotFound): Why {
  return {
    title: title ?? 'Page not found',
    words: reason ?? 'This page no longer exists, or it is private.',
    status: 404,
  }
}

function fault(requestId: string): Why {
  const words = `The server could not complete the request. The administrator can find it in the server log: request ${requestId}.`
  return { title: 'Internal error', words, status: 500 }
}
