import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'

import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import type { StepSecret } from '../session/step-secret.ts'
import { parseNewCredential } from './parse-credential.ts'
import { openChallenge, takeChallenge } from './passkey-challenge.ts'
import { parsePasskeyName } from './passkey-name.ts'
import type { PasskeyParty } from './passkey-party.ts'

const maxPasskeys = 20

/** Why a passkey was not added: `late` = the challenge expired, `refused` = the response does not match it. */
export type AddPasskeyRefusal = 'invalid-name' | 'too-many' | 'late' | 'refused' | 'known-already'

/** The options for the browser, and the secret that the response requires. */
export interface PasskeyOffer {
  readonly options: PublicKeyCredentialCreationOptionsJSON
  readonly step: StepSecret
}

/** Offers to add a passkey: discoverable, and with user verification by fingerprint, face or PIN. */
export async function offerPasskey(
  store: Store,
  { user, party }: { readonly user: User; readonly party: PasskeyParty },
): Promise<PasskeyOffer> {
  // Loading the library takes a tenth of a second, which a host without passkeys saves.
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const { challenge, ...step } = await openChallenge(store, user)
  const known = await store.passkeys.listOfUser(user.id)
  const options = await generateRegistrationOptions({
    rpName: 'Texproof',
    rpID: party.id,
    userName: user.login,
    userDisplayName: user.name ?? user.login,
    userID: Buffer.from(user.id),
    challenge,
    timeout: step.maxAgeS * 1000,
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { options, step }
}

/** Adds the passkey of a response. Returns the reason of a refusal, or null on success. */
export async function addPasskey(
  store: Store,
  asked: {
    readonly user: User
    readonly party: PasskeyParty
    /** Secret of the offer. */
    readonly secret: string
    /** JSON from the browser. */
    readonly credential: string
    readonly name: string
    readonly address: string
  },
): Promise<AddPasskeyRefusal | null> {
  const { user, party, secret, address } = asked
  const name = parsePasskeyName(asked.name)
  if (name === null) return 'invalid-name'
  const challenge = await takeChallenge(store, secret, user)
  if (challenge === null) return 'late'
  if ((await store.passkeys.listOfUser(user.id)).length >= maxPasskeys) return 'too-many'
  const verified = await verify(asked.credential, challenge, party)
  if (verified === null) return 'refused'
  const { id, publicKey, counter, transports = [] } = verified
  const key = Buffer.from(publicKey).toString('base64url')
  const isNew = await store.passkeys.add({ id, userId: user.id, name, publicKey: key, counter, transports })
  if (!isNew) return 'known-already'
  await store.events.add({ kind: 'passkey-added', userId: user.id, actorId: user.id, address, detail: name })
  return null
}

async function verify(text: string, expectedChallenge: string, party: PasskeyParty) {
  const response = parseNewCredential(text)
  if (response === null) return null
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    return verified ? registrationInfo.credential : null
  } catch {
    // The library throws for every invalid response. The reason would help only an attacker.
    return null
  }
}
