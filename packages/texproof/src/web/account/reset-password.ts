import type { Context } from 'hono'
import { html } from 'hono/html'

import { findReset, resetPassword } from '../../accounts/credentials/reset-password.ts'
import type { Deps } from '../../operations/deps.ts'
import { startSession } from './start-session.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { formField, passwordRule } from '../ui/form/form-field.ts'
import { formToken, readField } from '../session/form.ts'

/** `GET /reset?code=`: the form for a valid link; otherwise how to get a new one. */
export async function showReset(c: Context, { store }: Deps): Promise<Response> {
  const code = c.req.query('code') ?? ''
  const user = await findReset(store, code)
  if (code === '') return c.redirect('/forgot')
  if (user === null) return sendExpiredLink(c)
  return sendReset(c, { code, login: user.login, problems: noProblems })
}

/** `POST /reset`: sets the new password and signs in with it, followed by the second factor if there is one. */
export async function postReset(c: Context, { store }: Deps): Promise<Response> {
  const code = readField(c, 'code')
  const user = await findReset(store, code)
  const outcome = await resetPassword(store, { code, password: readField(c, 'password') })
  if (outcome.kind === 'invalid-password' && user !== null)
    return sendReset(c, { code, login: user.login, problems: { password: passwordRule } })
  if (outcome.kind !== 'reset') return sendExpiredLink(c)
  return startSession(c, { store }, { user: outcome.user, next: '/', isRemembered: false })
}

async function sendReset(
  c: Context,
  { code, login, problems }: { readonly code: string; readonly login: string; readonly problems: FormProblems },
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>New password for ${login}</h1>
    ${formProblems(problems)}
    <form method="post" action="/reset">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      ${formField({
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 10 characters. All sessions will be signed out.',
        problems,
      })}
      <p><button class="button">Set password</button></p>
    </form>
  </section>`
  c.header('referrer-policy', 'no-referrer')
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'New password', main, status: isRefused(problems) ? 422 : 200 })
}

/** Response to an invalid or expired link. */
async function sendExpiredLink(c: Context): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Link expired</h1>
    <p>This link was used or has expired.</p>
    <p><a href="/forgot">Request a new link</a> · <a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Link expired', main, status: 404 })
}
