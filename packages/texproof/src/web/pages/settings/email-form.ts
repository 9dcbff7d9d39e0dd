/** The part of `/settings/profile` that is about the e-mail address. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { changeEmail } from '../../../accounts/change-email.ts'
import type { ChangeEmailRefusal } from '../../../accounts/change-email.ts'
import type { Deps } from '../../../deps.ts'
import { askOwner } from '../../access/ask-owner.ts'
import type { Refusal } from '../../access/ask-owner.ts'
import type { Html } from '../../components/html.ts'
import { formField, formProblem, passwordField } from '../../components/sign-form.ts'
import { formToken, readField } from '../../access/session.ts'
import { requireViewer } from '../../access/viewer.ts'
import { visitorOf } from '../../access/visitor.ts'

const PROBLEMS: Readonly<Record<ChangeEmailRefusal, string>> = {
  'invalid-email': 'This is not an e-mail address. Write one such as alice@uni.example, or leave the field empty.',
  'email-taken': 'Another account has this e-mail address.',
}

/** The form; `asksPassword` is false for accounts that have none. */
export function emailForm(
  c: Context,
  form: { readonly email: string; readonly problem: string | null; readonly asksPassword: boolean },
): Html {
  const { email, problem, asksPassword } = form
  return html`<section class="email-settings" aria-labelledby="email-heading">
    <h2 id="email-heading">E-mail address</h2>
    ${formProblem(problem)}
    <form method="post" action="/settings/profile/email" class="settings-form">
      ${formToken(c)}
      ${formField({
        name: 'email',
        label: 'Address',
        type: 'email',
        autocomplete: 'email',
        value: email,
        hint: 'Shown to nobody. A link for a new password goes there, which is why changing it asks who you are.',
        isOptional: true,
      })}
      ${asksPassword ? passwordField() : ''}
      <p><button class="drawn-button">Change address</button></p>
    </form>
  </section>`
}

/** Changes the address to the one that was sent. Gives why not, or null when it is done. */
export async function changeSentEmail(c: Context, deps: Deps): Promise<Refusal | null> {
  const { user } = requireViewer(c)
  const refusal = await askOwner(c, deps)
  if (refusal !== null) return refusal
  const outcome = await changeEmail(deps, {
    user,
    wanted: await readField(c, 'email'),
    address: visitorOf(c).address,
  })
  return outcome === null ? null : { problem: PROBLEMS[outcome], status: 422 }
}
