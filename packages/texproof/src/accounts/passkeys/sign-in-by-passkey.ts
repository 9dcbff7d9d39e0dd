import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'

import type { Throttle } from '../../base/throttle.ts'
import type { User } from '../../domain/types.ts'
import type { Passkey } from '../../store/users/passkeys.ts'
import type { Store } from '../../store/store.ts'
import { networkOf } from '../session/network-of.ts'
import type { StepSecret } from '../session/step-secret.ts'
import { parseAssertion } from './parse-credential.ts'
import { openChallenge, takeChallenge } from './passkey-challenge.ts'
import type { PasskeyParty } from './passkey-party.ts'
import { verifyAssertion } from './verify-assertion.ts'

/** The options for the browser, and the secret that the response requires. */
export type PasskeyQuestion =
  | {
      readonly kind: 'asked'
      readonly options: PublicKeyCredentialRequestOptionsJSON
      readonly step: StepSecret
    }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/** The outcome of a response. `refused` gives no reason: unknown, removed, disabled, forged or expired. */
export type PasskeyAnswer =
  | { readonly kind: 'known'; readonly user: User; readonly passkey: Passkey }
  | { readonly kind: 'refused' }

/** Requests any passkey of this host that the browser has. Every challenge counts as a failure until it is answered. */
export async function askForPasskey(
  store: Store,
  throttle: Throttle,
  { party, address }: { readonly party: PasskeyParty; readonly address: string },
): Promise<PasskeyQuestion> {
  const waitMs = await throttle.attempt(networkOf(address))
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const { challenge, ...step } = await openChallenge(store, null)
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    timeout: step.maxAgeS * 1000,
    userVerification: 'required',
  })
  return { kind: 'asked', options, step }
}

/** Checks the response. A device with fingerprint, face or PIN counts as two factors. */
export async function signInByPasskey(
  store: Store,
  throttle: Throttle,
  asked: {
    readonly party: PasskeyParty
    readonly address: string
    /** Secret of the challenge. */
    readonly secret: string
    /** JSON from the browser. */
    readonly credential: string
  },
): Promise<PasskeyAnswer> {
  const { party, address, secret } = asked
  const challenge = await takeChallenge(store, secret, null)
  const response = parseAssertion(asked.credential)
  const passkey = response === null ? null : await store.passkeys.find(response.id)
  const user = passkey === null ? null : await store.users.findById(passkey.userId)
  if (challenge === null || response === null || passkey === null || user === null || user.isDisabled)
    return { kind: 'refused' }
  if (!(await verifyAssertion(store, response, { challenge, party, passkey }))) {
    const event = { userId: user.id, actorId: null, address, detail: passkey.name }
    await store.events.add({ kind: 'passkey-refused', ...event })
    return { kind: 'refused' }
  }
  await throttle.forgive(networkOf(address))
  return { kind: 'known', user, passkey }
}
