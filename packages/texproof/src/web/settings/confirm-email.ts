/** `/settings/profile/email?code=`: the link of the email that verifies an address. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { findVerification, verifyEmail } from '../../accounts/email/email-verification.ts'
import type { Deps } from '../../operations/deps.ts'
import { sendPage } from '../shell/page.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'
import { redirectWithNotice } from '../session/notice.ts'

/** The form, if the link belongs to the viewer; otherwise what to do. Changes nothing. */
export async function showEmailVerification(c: Context, { store }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const code = c.req.query('code')
  if (code === undefined) return c.redirect('/settings/profile', 303)
  const email = await findVerification(store, { user, code })
  if (email === null) return sendExpiredLink(c)
  const main = html`<section class="account-form">
    <h1>Confirm your email address</h1>
    <p>Email for the account <b>${user.login}</b> will go to <b>${email}</b>.</p>
    <form method="post" action="/settings/profile/email/confirm">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      <p><button class="button">Confirm address</button></p>
    </form>
    <p><a href="/settings/profile">Not now</a></p>
  </section>`
  c.header('referrer-policy', 'no-referrer')
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Confirm your email address', main })
}

/** `POST …/confirm`: verifies the address. */
export async function postEmailVerification(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const asked = { user, code: readField(c, 'code'), address: clientOf(c).address }
  const { kind } = await verifyEmail(deps, asked)
  return kind === 'changed' ? redirectWithNotice(c, '/settings/profile', 'saved') : sendExpiredLink(c)
}

async function sendExpiredLink(c: Context): Promise<Response> {
  const { login } = requireViewer(c).user
  const main = html`<section class="account-form">
    <h1>Link expired</h1>
    <p>
      This link was used, has expired, was replaced by a newer one, or belongs to another account. You are signed in as
      <b>${login}</b>. No address was changed.
    </p>
    <p><a href="/settings/profile">Request a new link</a></p>
  </section>`
  return sendPage(c, { title: 'Link expired', main, status: 404 })
}
