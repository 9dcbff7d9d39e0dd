import type { Context } from 'hono'
import { html } from 'hono/html'

import { changePassword } from '../../accounts/credentials/change-password.ts'
import type { ChangePasswordOutcome } from '../../accounts/credentials/change-password.ts'
import { hasPassword } from '../../accounts/credentials/confirm-owner.ts'
import type { Deps } from '../../operations/deps.ts'
import type { AccountEvent } from '../../store/users/account-events.ts'
import type { Passkey } from '../../store/users/passkeys.ts'
import type { SecondFactor } from '../../store/users/second-factors.ts'
import { describeEvent } from '../ui/describe-event.ts'
import { formProblems, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formField, passwordRule } from '../ui/form/form-field.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'
import type { OidcConfig } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { redirectWithNotice } from '../session/notice.ts'

type PasswordRefusal = Exclude<ChangePasswordOutcome, { kind: 'changed' }>

const LISTED_EVENTS = 30

/** `GET /settings/security`: the password, and recent events of the account. */
export async function showSecurity(c: Context, deps: Deps): Promise<Response> {
  return sendSecurity(c, deps, null)
}

/** `POST /settings/security/password`: a new password ends every other session. */
export async function postPassword(c: Context, deps: Deps): Promise<Response> {
  const { user, session } = requireViewer(c)
  const outcome = await changePassword(deps.store, {
    user,
    sessionId: session.id,
    current: readField(c, 'current'),
    wanted: readField(c, 'password'),
    address: clientOf(c).address,
  })
  if (outcome.kind === 'changed') return redirectWithNotice(c, '/settings/security', 'password-changed')
  return sendSecurity(c, deps, outcome)
}

async function sendSecurity(
  c: Context,
  { store, config, mail }: Deps,
  outcome: PasswordRefusal | null,
): Promise<Response> {
  const { user } = requireViewer(c)
  const [events, factor, codesLeft, passkeys] = await Promise.all([
    store.events.list({ userId: user.id, limit: LISTED_EVENTS, beforeId: null }),
    store.secondFactors.find(user.id),
    store.secondFactors.countRecoveryCodes(user.id),
    store.passkeys.listOfUser(user.id),
  ])
  const main = html` <h2>Password</h2>
    ${(await hasPassword(store, user)) ? passwordForm(c, outcome) : noPassword(mail.isConfigured && user.email !== null)}
    <h2>Two-factor authentication</h2>
    <p>
      ${describeFactor(factor, codesLeft)}
      <a href="/settings/security/two-factor">${factor === null ? 'Set up' : 'Manage'}</a>
    </p>
    <h2>Passkeys</h2>
    <p>
      ${describePasskeys(passkeys)}
      <a href="/settings/security/passkeys">${passkeys.length === 0 ? 'Add a passkey' : 'Manage'}</a>
    </p>
    ${config.oidc === null ? '' : await issuerSection({ store, oidc: config.oidc }, user)}
    <h2>Activity</h2>
    ${events.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : eventTable(events)}`
  const status = outcome === null ? 200 : outcome.kind === 'throttled' ? 429 : 422
  return sendSettingsPage(c, { tab: 'security', title: 'Security', main, status })
}

function passwordForm(c: Context, outcome: PasswordRefusal | null): Html {
  const problems = outcome === null ? noProblems : explain(c, outcome)
  return html`${formProblems(problems)}
    <form method="post" action="/settings/security/password" class="settings-form">
      ${formToken(c)}
      ${formField({
        name: 'current',
        label: 'Current password',
        type: 'password',
        autocomplete: 'current-password',
        problems,
      })}
      ${formField({
        name: 'password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 10 characters.',
        problems,
      })}
      <p><button class="button">Change password</button></p>
    </form>`
}

function noPassword(canRequestLink: boolean): Html {
  if (canRequestLink)
    return html`<p>This account has no password. <a href="/forgot">Request a link by email</a> to set one.</p>`
  return html`<p>This account has no password. Ask the administrator for a password reset link.</p>`
}

function explain(c: Context, outcome: PasswordRefusal): FormProblems {
  switch (outcome.kind) {
    case 'throttled':
      return { form: retryAfter(c, outcome.waitMs) }
    case 'wrong-password':
      return { current: 'Incorrect current password.' }
    case 'invalid-password':
      return { password: passwordRule }
  }
}

function describeFactor(factor: SecondFactor | null, codesLeft: number): Html | string {
  if (factor === null) return 'Off: signing in requires no code.'
  const codes = codesLeft === 1 ? '1 recovery code is left.' : `${codesLeft} recovery codes are left.`
  return html`Turned on ${timeAgo(factor.confirmedAt)}; ${codes}`
}

function describePasskeys(passkeys: readonly Passkey[]): string {
  if (passkeys.length === 0) return 'None. A passkey signs you in with the fingerprint, face or PIN of your device.'
  return `${passkeys.map(({ name }) => name).join(', ')}.`
}

function eventTable(events: readonly AccountEvent[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Activity">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">IP address</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        ${events.map(
          (event) =>
            html`<tr>
              <th scope="row">${describeEvent(event)}</th>
              <td data-label="IP address">${addressOfOwner(event)}</td>
              <td>${timeAgo(event.createdAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** The address of another user, such as an administrator or a collaborator, is not for the owner of the account. */
function addressOfOwner({ actor, login, address }: AccountEvent): string {
  return actor === null || actor === login ? (address ?? '') : ''
}

/** The part of the security page about the linked account of the identity provider. */
async function issuerSection(
  { store, oidc }: { readonly store: Store; readonly oidc: OidcConfig },
  user: User,
): Promise<Html> {
  const identity = await store.identities.findOfUser(user.id, oidc.issuer)
  return html`<h2>Sign in with ${oidc.name}</h2>
    <p>
      ${identity === null ? 'Not linked.' : 'Linked.'}
      <a href="/settings/security/oidc">${identity === null ? 'Link an account' : 'View or unlink'}</a>
    </p>`
}
