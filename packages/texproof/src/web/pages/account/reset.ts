import type { Context } from 'hono'
import { html } from 'hono/html'

import { findReset, resetPassword } from '../../../accounts/reset-password.ts'
import type { Deps } from '../../../deps.ts'
import { admit } from '../../admit.ts'
import { sendPage } from '../../components/page.ts'
import { formField, formProblem } from '../../components/sign-form.ts'
import { formToken, readField } from '../../session.ts'

/** `GET /reset?code=`: the form of a link that works; how to come by one, for everybody else. */
export async function showReset(c: Context, { store }: Deps): Promise<Response> {
  const code = c.req.query('code') ?? ''
  const user = await findReset(store, code)
  if (user === null) return sendHelp(c, code === '' ? null : 'This link has been used or is too old.')
  return sendReset(c, { code, login: user.login, problem: null })
}

/** `POST /reset`: the new password, and signed in with it; a second step stays to be done. */
export async function postReset(c: Context, { store }: Deps): Promise<Response> {
  const code = await readField(c, 'code')
  const user = await findReset(store, code)
  const outcome = await resetPassword(store, { code, password: await readField(c, 'password') })
  if (outcome.kind === 'invalid-password' && user !== null)
    return sendReset(c, { code, login: user.login, problem: 'A password has at least 10 characters.' })
  if (outcome.kind !== 'reset') return sendHelp(c, 'This link has been used or is too old.')
  return admit(c, { store }, { user: outcome.user, next: '/', isRemembered: false })
}

async function sendReset(
  c: Context,
  { code, login, problem }: { readonly code: string; readonly login: string; readonly problem: string | null },
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>New password for ${login}</h1>
    ${formProblem(problem)}
    <form method="post" action="/reset">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      ${formField({
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 10 characters. Every browser that is signed in will be signed out.',
      })}
      <p><button class="button">Set password</button></p>
    </form>
  </section>`
  c.header('referrer-policy', 'no-referrer')
  return sendPage(c, { title: 'New password', main, status: problem === null ? 200 : 422 })
}

async function sendHelp(c: Context, problem: string | null): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Forgot your password</h1>
    ${problem === null ? '' : html`<p>${problem}</p>`}
    <p>Ask the administrator of this host for a link that sets a new one. On the server, it is made by:</p>
    <pre class="type-this" tabindex="0"><code>texproof user reset-link NAME</code></pre>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Forgot your password', main, status: problem === null ? 200 : 404 })
}
