/** `/join` where registration requires a verified address of a domain: address, then email, then account. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { requestInvitation } from '../../accounts/join/request-invitation.ts'
import type { ForgotThrottles } from '../../accounts/credentials/forgot-password.ts'
import { describeRegistrationRequest, findJoinMethod } from '../../accounts/join/join.ts'
import { findRegistration } from '../../accounts/join/registration.ts'
import type { Deps } from '../../operations/deps.ts'
import { formProblems, isRefused } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { formField } from '../ui/form/form-field.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { clientOf } from '../session/client.ts'

/** `POST /join/email`: the same response for every address of the domain. */
export async function postJoinEmail(c: Context, deps: Deps, throttles: ForgotThrottles): Promise<Response> {
  const { config, store, mail, log } = deps
  if ((await findJoinMethod(store, await describeRegistrationRequest(deps, ''))) !== 'email') throw new NotFound()
  const onFault = (error: unknown): void => log.error({ err: error, component: 'mail' }, 'send a registration email')
  const email = readField(c, 'email').trim()
  const asked = { email, address: clientOf(c).address }
  const outcome = await requestInvitation({ config, store, mail, throttles, onFault }, asked)
  switch (outcome.kind) {
    case 'asked':
      return c.redirect('/join/sent', 303)
    case 'throttled':
      return sendJoinEmailForm(c, deps, { email, problems: { form: retryAfter(c, outcome.waitMs) }, status: 429 })
    case 'invalid-email':
      return sendJoinEmailForm(c, deps, {
        email,
        problems: { email: 'Invalid email address. Use an address such as alice@uni.example.' },
      })
    case 'wrong-domain':
      return sendJoinEmailForm(c, deps, {
        email,
        problems: { email: 'Use an email address of an allowed domain. See below.' },
      })
  }
}

/** `GET /join/sent`: the next step. */
export async function showJoinSent(c: Context): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Check your email</h1>
    <p>We have sent you an email with a link to create your account. The link works once and expires in 7 days.</p>
    <p class="quiet">
      No email? Check your spam folder, or ask the administrator of this host. If an account with this address already
      exists, the email says which one.
    </p>
  </section>`
  return sendPage(c, { title: 'Check your email', main })
}

/** The form for the address. */
export async function sendJoinEmailForm(
  c: Context,
  { store }: Pick<Deps, 'store'>,
  form: { readonly email: string; readonly problems: FormProblems; readonly status?: 429 },
): Promise<Response> {
  const { email, problems } = form
  const { emailDomain } = await findRegistration(store)
  const main = html`<section class="account-form">
    <h1>Create your account</h1>
    ${formProblems(problems)}
    <form method="post" action="/join/email">
      ${formToken(c)}
      ${formField({
        name: 'email',
        label: 'Email address',
        type: 'email',
        autocomplete: 'email',
        value: email,
        hint: `Must end in @${(emailDomain ?? '').replaceAll(', ', ' or @')}. We will email you a link to continue. The address stays private.`,
        problems,
      })}
      <p><button class="button">Send link</button></p>
    </form>
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'Create your account', main, status: form.status ?? (isRefused(problems) ? 422 : 200) })
}
