/** The reauthentication page, which contains the fields of the interrupted form. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { hasPassword } from '../../accounts/credentials/confirm-owner.ts'
import { askOwnPasskey } from '../../accounts/passkeys/check-own-passkey.ts'
import { findPasskeyParty } from '../../accounts/passkeys/passkey-party.ts'
import type { Deps } from '../../operations/deps.ts'
import { NotFound } from '../session/errors.ts'
import { formProblems, isRefused } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from './page.ts'
import { passkeyButton } from '../ui/form/passkey-button.ts'
import { formField } from '../ui/form/form-field.ts'
import { formToken, fieldsExcept } from '../session/form.ts'
import { setStepCookie } from '../session/cookies.ts'
import { requireViewer } from '../session/viewer.ts'

const QUESTION = '/settings/security/owner/options'

/** Fields added to the interrupted form. */
export const reauthenticationFields = { text: 'owner_proof', credential: 'owner_credential' } as const

/** Ways to reauthenticate. */
interface Means {
  readonly hasPassword: boolean
  readonly hasCodes: boolean
  readonly hasPasskeys: boolean
}

/** Sends the page, with the problems of a failed attempt. */
export async function sendReauthenticationPage(
  c: Context,
  { store, config }: Deps,
  { problems, status }: { readonly problems: FormProblems; readonly status?: 429 },
): Promise<Response> {
  const { user } = requireViewer(c)
  const means = {
    hasPassword: await hasPassword(store, user),
    hasCodes: (await store.secondFactors.find(user.id)) !== null,
    hasPasskeys: findPasskeyParty(config.baseUrl) !== null && (await store.passkeys.listOfUser(user.id)).length > 0,
  }
  const fields = fieldsExcept(c, Object.values(reauthenticationFields))
  const main = html`<section class="account-form">
    <h1>Confirm access</h1>
    <p>
      You signed in as <b>${user.login}</b> more than 15 minutes ago. Confirm your identity to continue. What you
      entered is kept.
    </p>
    ${formProblems(problems)}
    ${Object.values(means).includes(true) ? ownerForm(c, { means, fields, problems }) : signInAgain(c)}
  </section>`
  c.header('cache-control', 'no-store')
  const scripts = means.hasPasskeys ? (['passkey'] as const) : []
  return sendPage(c, {
    title: 'Confirm access',
    main,
    status: status ?? (isRefused(problems) ? 422 : 403),
    scripts,
  })
}

/** `POST …/owner/options`: WebAuthn request options as JSON. */
export async function postReauthenticationOptions(c: Context, { store, config }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const party = findPasskeyParty(config.baseUrl)
  if (party === null) throw new NotFound()
  const { options, step } = await askOwnPasskey(store, { user, party })
  setStepCookie(c, 'passkey', step)
  c.header('cache-control', 'no-store')
  return c.json(options)
}

function ownerForm(
  c: Context,
  {
    means,
    fields,
    problems,
  }: {
    readonly means: Means
    readonly fields: readonly (readonly [string, string])[]
    readonly problems: FormProblems
  },
): Html {
  const { path } = c.req
  return html`<form method="post" action="${path}" data-passkey-form>
    ${formToken(c)} ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${means.hasPassword || means.hasCodes ? proofField(means, problems) : ''}
    ${
      means.hasPasskeys
        ? passkeyButton({
            act: 'get',
            action: path,
            question: QUESTION,
            field: reauthenticationFields.credential,
            label: 'Confirm with a passkey',
            isPrimary: !means.hasPassword && !means.hasCodes,
          })
        : ''
    }
  </form>`
}

function proofField({ hasPassword: asksPassword, hasCodes }: Means, problems: FormProblems): Html {
  const codes = 'The six-digit code of your authenticator app or a recovery code'
  const field = formField({
    name: reauthenticationFields.text,
    label: asksPassword ? 'Your password' : 'Code',
    type: asksPassword ? 'password' : 'text',
    autocomplete: asksPassword ? 'current-password' : 'one-time-code',
    isFocused: !isRefused(problems),
    problems,
    ...(hasCodes ? { hint: asksPassword ? `${codes} also work.` : `${codes}.` } : {}),
  })
  return html`${field}
    <p><button class="button">Confirm and continue</button></p>`
}

/** Users with neither sign in through the identity provider again. */
function signInAgain(c: Context): Html {
  return html`<p>Your account has no password. Sign in again, then repeat this. Nothing was changed.</p>
    <form method="post" action="/logout">${formToken(c)}<button class="button">Sign out</button></form>`
}
