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

/** `GET /forgot`: the form where letters are sent, else whom to ask. */
export async function showForgot(c: Context, { mail }: Deps): Promise<Response> {
  if (!mail.isConfigured) return sendWithoutMail(c)
  return sendForgot(c, { name: '', problems: noProblems })
}

/** `POST /forgot`: the same answer to every name. */
export async function postForgot(c: Context, deps: Deps, throttles: ForgotThrottles): Promise<Response> {
  const { config, store, mail, log } = deps
  if (!mail.isConfigured) throw new NotFound()
  const onFault = (error: unknown): void => log.error({ err: error, component: 'mail' }, 'write a reset letter')
  const name = readField(c, 'name')
  const asked = { name, address: clientOf(c).address }
  const waitMs = askForReset({ config, store, mail, throttles, onFault }, asked)
  if (waitMs === 0) return c.redirect('/forgot/sent', 303)
  return sendForgot(c, { name, problems: { form: retryAfter(c, waitMs) } })
}

/** `GET /forgot/sent`: what to do now, whether or not there was anybody to write to. */
export async function showForgotSent(c: Context): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Look into your mail</h1>
    <p>
      If there is an account of that name or address, and it has an e-mail address, a letter is on its way there. Its
      link sets a new password, once, within 30 minutes.
    </p>
    <p class="quiet">Nothing came? Look into the folder for spam, or ask the administrator of this host.</p>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Look into your mail', main })
}

async function sendForgot(
  c: Context,
  { name, problems }: { readonly name: string; readonly problems: FormProblems },
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Forgot your password</h1>
    ${formProblems(problems)}
    <form method="post" action="/forgot">
      ${formToken(c)}
      ${formField({ name: 'name', label: 'User name or e-mail address', autocomplete: 'username', value: name, hint: 'You are sent a letter with a link that sets a new one.' })}
      <p><button class="button">Send the link</button></p>
    </form>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Forgot your password', main, status: isRefused(problems) ? 429 : 200 })
}

async function sendWithoutMail(c: Context): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Forgot your password</h1>
    <p>
      This host sends no letters. Ask its administrator for a link that sets a new password. On the server, it is made
      by:
    </p>
    <pre class="type-this" tabindex="0"><code>texproof user reset-link NAME</code></pre>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Forgot your password', main })
}
