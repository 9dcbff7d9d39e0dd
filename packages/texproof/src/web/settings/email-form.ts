/** The email address on `/settings/profile`. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { changeEmail } from '../../accounts/email/change-email.ts'
import type { ChangeEmailOutcome } from '../../accounts/email/change-email.ts'
import { cancelVerification, findPendingEmail, resendVerification } from '../../accounts/email/email-verification.ts'
import type { PendingEmail } from '../../accounts/email/email-verification.ts'
import type { Deps } from '../../operations/deps.ts'
import type { User } from '../../domain/types.ts'
import { formProblems } from '../ui/form/form-problems.ts'
import type { FormProblems, Refusal } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { formField } from '../ui/form/form-field.ts'
import { timeUntil } from '../ui/format/time-until.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

const PATH = '/settings/profile/email'
const USE = 'It stays private and receives password reset links, so changing it requires confirmation.'

/** The form, and the address that is not verified yet. */
export async function emailForm(
  c: Context,
  { store, mail }: Pick<Deps, 'store' | 'mail'>,
  form: { readonly user: User; readonly email: string; readonly problems: FormProblems },
): Promise<Html> {
  const { user, email, problems } = form
  const pending = await findPendingEmail(store, user)
  const hint = mail.isConfigured
    ? `${USE} We will email you a link to confirm a new address.`
    : `${USE} This host does not send email, so the address is not verified.`
  return html`<section class="email-settings" aria-labelledby="email-heading">
    <h2 id="email-heading">Email address</h2>
    ${formProblems(problems)} ${pending === null ? '' : waiting(c, user, pending)}
    <form method="post" action="${PATH}" class="settings-form">
      ${formToken(c)}
      ${formField({ name: 'email', label: 'Address', type: 'email', autocomplete: 'email', value: email, hint, isOptional: true, problems })}
      <p><button class="drawn-button">Change address</button></p>
    </form>
  </section>`
}

/** Changes the address in the form, after verification if the host sends email. */
export async function changeSentEmail(c: Context, deps: Deps): Promise<Refusal | 'changed' | 'waits'> {
  const { user } = requireViewer(c)
  const wanted = readField(c, 'email')
  return toRefusal(c, await changeEmail(deps, { user, wanted, address: clientOf(c).address }))
}

/** Sends the confirmation email again while the address is unconfirmed. */
export async function resendSentEmail(c: Context, deps: Deps): Promise<Refusal | 'changed' | 'waits'> {
  const { user } = requireViewer(c)
  return toRefusal(c, await resendVerification(deps, { user, address: clientOf(c).address }))
}

/** `POST …/email/cancel`: keeps the current address. */
export async function postCancelEmail(c: Context, { store }: Deps): Promise<Response> {
  await cancelVerification(store, requireViewer(c).user)
  return c.redirect('/settings/profile', 303)
}

function waiting(c: Context, user: User, { email, expiresAt }: PendingEmail): Html {
  const until =
    user.email === null ? 'Until then the account has no address.' : `Until then the address stays ${user.email}.`
  return html`<div class="notice">
    <p>
      We sent an email to <b>${email}</b>. Follow its link to confirm the address; it expires ${timeUntil(expiresAt)}.
      ${until}
    </p>
    <form method="post" action="${PATH}/again" class="actions">
      ${formToken(c)}
      <button class="plain-button">Resend email</button>
      <button class="plain-button" formaction="${PATH}/cancel">Cancel</button>
    </form>
  </div>`
}

function toRefusal(c: Context, outcome: ChangeEmailOutcome): Refusal | 'changed' | 'waits' {
  switch (outcome.kind) {
    case 'changed':
    case 'waits':
      return outcome.kind
    case 'throttled':
      return { field: 'form', problem: retryAfter(c, outcome.waitMs), status: 429 }
    case 'invalid-email': {
      const problem = 'Invalid email address. Use an address such as alice@uni.example, or leave the field empty.'
      return { field: 'email', problem, status: 422 }
    }
    case 'email-taken':
      return { field: 'email', problem: 'This address cannot be used on this host. Use another one.', status: 422 }
  }
}
