import type { Context } from 'hono'
import { html } from 'hono/html'

import { askForReset } from '../../accounts/credentials/forgot-password.ts'
import type { ForgotThrottles } from '../../accounts/credentials/forgot-password.ts'
import type { Deps } from '../../operations/deps.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { formField } from '../ui/form/form-field.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { clientOf } from '../session/client.ts'

/** `GET /forgot`: the form if this host sends email, otherwise whom to contact. */
export async function showForgot(c: Context, { mail }: Deps): Promise<Response> {
  if (!mail.isConfigured) return sendWithoutMail(c)
  return sendForgot(c, { name: '', problems: noProblems })
}

/** `POST /forgot`: the same response for every name. */
export async function postForgot(c: Context, deps: Deps, throttles: ForgotThrottles): Promise<Response> {
  const { config, store, mail, log } = deps
  if (!mail.isConfigured) throw new NotFound()
  const onFault = (error: unknown): void => log.error({ err: error, component: 'mail' }, 'send a password reset email')
  const name = readField(c, 'name')
  const asked = { name, address: clientOf(c).address }
  const waitMs = await askForReset({ config, store, mail, throttles, onFault }, asked)
  if (waitMs === 0) return c.redirect('/forgot/sent', 303)
  return sendForgot(c, { name, problems: { form: retryAfter(c, waitMs) } })
}

/** `GET /forgot/sent`: the next step, whether or not an email was sent. */
export async function showForgotSent(c: Context): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Check your email</h1>
    <p>
      If an account with this username or address exists and has an email address, we have sent it a link to reset the
      password. The link works once and expires in 30 minutes.
    </p>
    <p class="quiet">No email? Check your spam folder, or ask the administrator of this host.</p>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Check your email', main })
}

async function sendForgot(
  c: Context,
  { name, problems }: { readonly name: string; readonly problems: FormProblems },
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Reset your password</h1>
    ${formProblems(problems)}
    <form method="post" action="/forgot">
      ${formToken(c)}
      ${formField({ name: 'name', label: 'Username or email address', autocomplete: 'username', value: name, hint: 'We will email you a link to set a new password.' })}
      <p><button class="button">Send link</button></p>
    </form>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Reset your password', main, status: isRefused(problems) ? 429 : 200 })
}

async function sendWithoutMail(c: Context): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Reset your password</h1>
    <p>This host does not send email. Ask its administrator for a password reset link, created on the server with:</p>
    <pre class="type-this" tabindex="0"><code>texproof user reset-link NAME</code></pre>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Reset your password', main })
}
