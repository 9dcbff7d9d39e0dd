/**
 * `/settings/security/two-factor`: an authenticator app as a second factor. The secret and the recovery codes are shown
 * in one response each.
 */
import type { Context } from 'hono'
import { html } from 'hono/html'

import {
  offerSecret,
  renewRecoveryCodes,
  turnSecondFactorOff,
  turnSecondFactorOn,
} from '../../accounts/second-factor/set-second-factor.ts'
import type { SecretOnTrial } from '../../accounts/second-factor/set-second-factor.ts'
import { timeSecretAddress } from '../../accounts/second-factor/time-code.ts'
import type { Deps } from '../../operations/deps.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { SECURITY } from '../ui/back-link.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { qrCode } from './qr-code.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formField } from '../ui/form/form-field.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

const PATH = '/settings/security/two-factor'
const FEW_CODES = 4
const LATE = 'The page was open for more than 15 minutes. Start again with a new QR code.'

/** The status of two-factor authentication, and the forms to change it. */
export async function showTwoFactor(c: Context, deps: Deps): Promise<Response> {
  return sendTwoFactor(c, deps, noProblems)
}

/** `POST …/start`: creates a secret, shown as a QR code and as text. */
export async function postTwoFactorStart(c: Context, deps: Deps): Promise<Response> {
  const owner = requireViewer(c)
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  if ((await deps.store.secondFactors.find(owner.user.id)) !== null) return c.redirect(PATH, 303)
  return sendTrial(c, deps, { trial: await offerSecret(deps.config.dataDir, owner), problems: noProblems })
}

/** `POST …/confirm`: turns it on with a correct code of the app; the response contains the recovery codes. */
export async function postTwoFactorConfirm(c: Context, deps: Deps): Promise<Response> {
  const owner = requireViewer(c)
  const outcome = await turnSecondFactorOn(
    { store: deps.store, dataDir: deps.config.dataDir },
    {
      ...owner,
      sealed: readField(c, 'sealed'),
      code: readField(c, 'code'),
      address: clientOf(c).address,
    },
  )
  switch (outcome.kind) {
    case 'on':
      return sendRecoveryCodes(c, outcome.recoveryCodes, 'Two-factor authentication is on.')
    case 'wrong-code':
      return sendTrial(c, deps, {
        trial: outcome.trial,
        problems: {
          code: 'Invalid code. Check that the clock of your device is correct, and enter the newest code.',
        },
      })
    case 'late':
      return sendTwoFactor(c, deps, { form: LATE })
    case 'on-already':
      return c.redirect(PATH, 303)
  }
}

/** `POST …/recovery-codes`: ten new codes; the old ones become invalid. */
export async function postRecoveryCodes(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const texts = await renewRecoveryCodes(deps.store, { user, address: clientOf(c).address })
  return texts === null ? c.redirect(PATH, 303) : sendRecoveryCodes(c, texts, 'The old codes no longer work.')
}

/** `POST …/off`: turns two-factor authentication off. */
export async function postTwoFactorOff(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  await turnSecondFactorOff(deps.store, { user, address: clientOf(c).address })
  return c.redirect(PATH, 303)
}

async function sendTwoFactor(c: Context, { store }: Deps, problems: FormProblems): Promise<Response> {
  const { user } = requireViewer(c)
  const factor = await store.secondFactors.find(user.id)
  const state =
    factor === null
      ? offForm(c)
      : onForms(c, { since: factor.confirmedAt, left: await store.secondFactors.countRecoveryCodes(user.id) })
  const main = html`${formProblems(problems)} ${state}`
  const status = isRefused(problems) ? 422 : 200
  return sendSettingsPage(c, { tab: 'security', title: 'Two-factor authentication', back: SECURITY, main, status })
}

function offForm(c: Context): Html {
  return html`<p>
      Off. With two-factor authentication, signing in also requires a code from an authenticator app on your phone or in
      your password manager. Git and scripts keep using tokens, and passkeys need no code.
    </p>
    <form method="post" action="${PATH}/start" class="settings-form">
      ${formToken(c)}
      <p><button class="button">Turn on two-factor</button></p>
    </form>`
}

function onForms(c: Context, { since, left }: { readonly since: number; readonly left: number }): Html {
  return html`<p>Turned on ${timeAgo(since)}: signing in requires a code from your authenticator app.</p>
    <h2>Recovery codes</h2>
    <p ${left < FEW_CODES ? html`class="notice"` : ''}>
      ${left} of 10 are left. Each works once, if you cannot use the app.
    </p>
    <form method="post" action="${PATH}/recovery-codes" class="settings-form">
      ${formToken(c)}
      <p><button class="button button-drawn">Create new codes</button></p>
    </form>
    <h2>Turn off</h2>
    <form method="post" action="${PATH}/off" class="settings-form">
      ${formToken(c)}
      <p><button class="button">Turn off two-factor</button></p>
    </form>`
}

async function sendTrial(
  c: Context,
  { config }: Deps,
  { trial, problems }: { readonly trial: SecretOnTrial; readonly problems: FormProblems },
): Promise<Response> {
  const { user } = requireViewer(c)
  const { secret, sealed } = trial
  const address = timeSecretAddress(secret, { login: user.login, host: new URL(config.baseUrl).host })
  const main = html`<p>Scan this code with your authenticator app, then enter the six digits that it shows.</p>
    ${formProblems(problems)} ${qrCode(address, { label: 'QR code of the key below' })}
    <p><a href="${address}">Open it in an app on this device</a>, or enter this key in the app:</p>
    <pre class="type-this app-key" tabindex="0"><code id="secret">${secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code></pre>
    <p><button type="button" class="plain-button" data-copy="secret" hidden>${icon('copy')} Copy the key</button></p>
    <form method="post" action="${PATH}/confirm" class="settings-form">
      ${formToken(c)}
      <input type="hidden" name="sealed" value="${sealed}" />
      ${formField({ name: 'code', label: 'Code', autocomplete: 'one-time-code', hint: 'Six digits.', problems })}
      <p><button class="button">Turn on two-factor</button></p>
    </form>`
  const status = isRefused(problems) ? 422 : 200
  return sendSettingsPage(c, { tab: 'security', title: 'Set up authenticator app', back: SECURITY, main, status })
}

function sendRecoveryCodes(c: Context, texts: readonly string[], words: string): Promise<Response> {
  const main = html`<p class="banner banner-good" role="status">${words}</p>
    <p>
      If you cannot use the app, each of these codes signs you in once. They are shown only once: store them somewhere
      other than your phone.
    </p>
    <pre class="type-this recovery-codes" tabindex="0"><code id="codes">${texts.join('\n')}</code></pre>
    <p>
      <button type="button" class="plain-button" data-copy="codes" hidden>${icon('copy')} Copy the codes</button>
    </p>
    <p><a class="button" href="${PATH}">I have saved them</a></p>`
  return sendSettingsPage(c, { tab: 'security', title: 'Your recovery codes', main })
}
