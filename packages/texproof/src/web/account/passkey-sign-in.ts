/** Sign-in with a passkey: the script requests the options, the form sends the credential. */
import type { Context } from 'hono'

import { localPath } from '../../accounts/session/local-path.ts'
import { findPasskeyParty } from '../../accounts/passkeys/passkey-party.ts'
import { askForPasskey, signInByPasskey } from '../../accounts/passkeys/sign-in-by-passkey.ts'
import { openSession } from '../../accounts/session/session-cookie.ts'
import type { Throttle } from '../../base/throttle.ts'
import type { Deps } from '../../operations/deps.ts'
import { NotFound } from '../session/errors.ts'
import { setSessionCookie } from '../session/session.ts'
import { readField } from '../session/form.ts'
import { clearStepCookie, setStepCookie, readStepCookie } from '../session/cookies.ts'
import { retryAfter } from '../session/retry-after.ts'
import { clientOf } from '../session/client.ts'
import { sendLogin } from './login.ts'

const REFUSED = 'This passkey is not registered on this host. Use another one, or your password.'

/** `POST /login/passkey/options`: WebAuthn request options as JSON. */
export async function postPasskeyQuestion(c: Context, { store, config }: Deps, throttle: Throttle): Promise<Response> {
  const party = findPasskeyParty(config.baseUrl)
  if (party === null) throw new NotFound()
  const outcome = await askForPasskey(store, throttle, { party, address: clientOf(c).address })
  c.header('cache-control', 'no-store')
  if (outcome.kind === 'asked') {
    setStepCookie(c, 'passkey', outcome.step)
    return c.json(outcome.options)
  }
  return c.json({ problem: retryAfter(c, outcome.waitMs) }, 429)
}

/** `POST /login/passkey`: opens a session; a passkey replaces both factors. */
export async function postPasskeySignIn(c: Context, deps: Deps, throttle: Throttle): Promise<Response> {
  const { store, config } = deps
  const party = findPasskeyParty(config.baseUrl)
  if (party === null) throw new NotFound()
  const next = localPath(readField(c, 'next'))
  const client = clientOf(c)
  const secret = readStepCookie(c, 'passkey')
  const asked = { party, address: client.address, secret, credential: readField(c, 'credential') }
  const outcome = await signInByPasskey(store, throttle, asked)
  clearStepCookie(c, 'passkey')
  if (outcome.kind === 'refused')
    return sendLogin(c, deps, { name: '', next, problems: { form: REFUSED }, status: 401 })
  const { user, passkey } = outcome
  const isRemembered = readField(c, 'remember') === 'yes'
  const detail = `with the passkey ${passkey.name}`
  setSessionCookie(c, await openSession(store, user, { client, isRemembered, detail }))
  return c.redirect(next, 303)
}
