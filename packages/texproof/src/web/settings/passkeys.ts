/** `/settings/security/passkeys`: the viewer's passkeys. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { isRecentlyConfirmed } from '../../accounts/credentials/confirm-owner.ts'
import { addPasskey, offerPasskey } from '../../accounts/passkeys/add-passkey.ts'
import type { AddPasskeyRefusal } from '../../accounts/passkeys/add-passkey.ts'
import { findPasskeyParty } from '../../accounts/passkeys/passkey-party.ts'
import { removePasskey } from '../../accounts/passkeys/remove-passkey.ts'
import { renamePasskey } from '../../accounts/passkeys/rename-passkey.ts'
import type { Deps } from '../../operations/deps.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { SECURITY } from '../ui/back-link.ts'
import { describeAgent } from './describe-agent.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { passkeyButton } from '../ui/form/passkey-button.ts'
import { passkeyTable } from './passkey-table.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formField } from '../ui/form/form-field.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { clearStepCookie, setStepCookie, readStepCookie } from '../session/cookies.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

const PATH = '/settings/security/passkeys'

const PROBLEMS: Readonly<Record<AddPasskeyRefusal, string>> = {
  'invalid-name': 'Enter a name of at most 100 characters.',
  'too-many': 'You have reached the limit of 20 passkeys. Remove one first.',
  late: 'The request timed out or was sent twice. Try again.',
  refused: 'The browser did not send a passkey for this host. Try again, or use another device.',
  'known-already': 'This passkey is already registered.',
}

const ONLY_SIGN_IN_METHOD =
  'This is your only sign-in method. Add another passkey first, or ask the administrator for a password.'

/** The list, and the form that adds a passkey. */
export async function showPasskeys(c: Context, deps: Deps): Promise<Response> {
  return sendPasskeys(c, deps, noProblems)
}

/** `POST …/begin`: returns to the page after the user is reauthenticated. */
export async function postPasskeyBegin(c: Context, deps: Deps): Promise<Response> {
  requireViewer(c)
  return (await reauthenticate(c, deps)) ?? c.redirect(PATH, 303)
}

/** `POST …/options`: WebAuthn creation options as JSON. */
export async function postPasskeyOffer(c: Context, { store, config }: Deps): Promise<Response> {
  const { user, session } = requireViewer(c)
  const party = findPasskeyParty(config.baseUrl)
  if (party === null) throw new NotFound()
  if (!isRecentlyConfirmed(session)) return c.json({ problem: 'This page was open for too long. Reload it.' }, 403)
  const { options, step } = await offerPasskey(store, { user, party })
  setStepCookie(c, 'passkey', step)
  c.header('cache-control', 'no-store')
  return c.json(options)
}

/** `POST`: stores the new passkey with its name. */
export async function postPasskey(c: Context, deps: Deps): Promise<Response> {
  const { user, session } = requireViewer(c)
  const party = findPasskeyParty(deps.config.baseUrl)
  if (party === null) throw new NotFound()
  // Checked here, too: the challenge could be one for another purpose, which needs no confirmation.
  if (!isRecentlyConfirmed(session)) return sendPasskeys(c, deps, { form: PROBLEMS.late })
  const refusal = await addPasskey(deps.store, {
    user,
    party,
    secret: readStepCookie(c, 'passkey'),
    credential: readField(c, 'credential'),
    name: readField(c, 'name'),
    address: clientOf(c).address,
  })
  clearStepCookie(c, 'passkey')
  return refusal === null
    ? c.redirect(PATH, 303)
    : sendPasskeys(c, deps, { [refusal === 'invalid-name' ? 'name' : 'form']: PROBLEMS[refusal] })
}

/** `POST …/{id}/rename`: renames the passkey. */
export async function postRenamePasskey(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const { address } = clientOf(c)
  const asked = { user, id: c.req.param('id') ?? '', name: readField(c, 'name'), address }
  const refusal = await renamePasskey(deps.store, asked)
  if (refusal === 'unknown') throw new NotFound('Passkey not found.')
  return refusal === null ? c.redirect(PATH, 303) : sendPasskeys(c, deps, { form: PROBLEMS[refusal] })
}

/** `POST …/{id}/remove`: removes the passkey. */
export async function postRemovePasskey(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const { store, config } = deps
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const asked = {
    user,
    id: c.req.param('id') ?? '',
    issuer: config.oidc?.issuer ?? null,
    address: clientOf(c).address,
  }
  const refusal = await removePasskey(store, asked)
  if (refusal === 'unknown') throw new NotFound('Passkey not found.')
  return refusal === null ? c.redirect(PATH, 303) : sendPasskeys(c, deps, { form: ONLY_SIGN_IN_METHOD })
}

async function sendPasskeys(c: Context, { store, config }: Deps, problems: FormProblems): Promise<Response> {
  const { user, session } = requireViewer(c)
  const passkeys = await store.passkeys.listOfUser(user.id)
  const isPossible = findPasskeyParty(config.baseUrl) !== null
  const form = isRecentlyConfirmed(session) ? addForm(c, problems) : beginForm(c)
  const main = html`<p>
      A passkey is stored on a device or in a password manager and unlocked by fingerprint, face or PIN. It signs you in
      to this host without a password or code, or replaces the code after a password.
    </p>
    ${formProblems(problems)}
    ${passkeys.length === 0 ? html`<p class="quiet">No passkeys yet.</p>` : passkeyTable(c, passkeys, PATH)}
    <h2>Add a passkey</h2>
    ${isPossible ? form : explainHost(config.baseUrl)}`
  const status = isRefused(problems) ? 422 : 200
  return sendSettingsPage(c, { tab: 'security', title: 'Passkeys', back: SECURITY, main, status, scripts: ['passkey'] })
}

/** Form for users who must reauthenticate first. */
function beginForm(c: Context): Html {
  return html`<form method="post" action="${PATH}/begin" class="settings-form">
    ${formToken(c)}
    <p>A passkey signs in to your account, so adding one requires confirmation.</p>
    <p><button class="button">Confirm access</button></p>
  </form>`
}

function addForm(c: Context, problems: FormProblems): Html {
  const name = describeAgent(clientOf(c).agent)
  return html`<form method="post" action="${PATH}" class="settings-form" data-passkey-form>
    ${formToken(c)}
    ${formField({
      name: 'name',
      label: 'Name',
      autocomplete: 'off',
      value: name,
      hint: 'For example: this laptop, my phone.',
      problems,
    })}
    ${passkeyButton({ act: 'create', action: PATH, label: 'Add passkey', isPrimary: true })}
  </form>`
}

function explainHost(baseUrl: string): Html {
  return html`<p>
    Browsers allow passkeys for a host name over HTTPS only, and this host is at <code>${baseUrl}</code>. Its
    administrator can change this with <code>base_url</code>.
  </p>`
}
