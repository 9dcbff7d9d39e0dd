/** Requests a passkey of a known user: as a second factor, and before changes to the account. */
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'

import type { User } from '../../domain/types.ts'
import type { Passkey } from '../../store/users/passkeys.ts'
import type { Store } from '../../store/store.ts'
import type { StepSecret } from '../session/step-secret.ts'
import { parseAssertion } from './parse-credential.ts'
import { openChallenge, takeChallenge } from './passkey-challenge.ts'
import type { PasskeyParty } from './passkey-party.ts'
import { verifyAssertion } from './verify-assertion.ts'

/** The response of a browser. */
export interface OwnPasskeyAnswer {
  readonly party: PasskeyParty
  /** Secret of the challenge. */
  readonly secret: string
  /** JSON from the browser. */
  readonly credential: string
}

/** Requests one of the passkeys of a user. */
export async function askOwnPasskey(
  store: Store,
  { user, party }: { readonly user: User; readonly party: PasskeyParty },
): Promise<{ readonly options: PublicKeyCredentialRequestOptionsJSON; readonly step: StepSecret }> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const { challenge, ...step } = await openChallenge(store, user)
  const known = await store.passkeys.listOfUser(user.id)
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    timeout: step.maxAgeS * 1000,
    userVerification: 'required',
    allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
  })
  return { options, step }
}

/** Returns the passkey of the user if its response is valid, else null. */
export async function checkOwnPasskey(
  store: Store,
  asked: OwnPasskeyAnswer & { readonly user: User; readonly address: string },
): Promise<Passkey | null> {
  const { user, party, address } = asked
  const challenge = await takeChallenge(store, asked.secret, user)
  const response = parseAssertion(asked.credential)
  const passkey = response === null ? null : await store.passkeys.find(response.id)
  if (challenge === null || response === null || passkey?.userId !== user.id) return null
  if (await verifyAssertion(store, response, { challenge, party, passkey })) return passkey
  await store.events.add({ kind: 'passkey-refused', userId: user.id, actorId: null, address, detail: passkey.name })
  return null
}
