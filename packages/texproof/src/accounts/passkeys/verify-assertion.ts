import type { AuthenticationResponseJSON } from '@simplewebauthn/server'

import type { Passkey } from '../../store/users/passkeys.ts'
import type { Store } from '../../store/store.ts'
import type { PasskeyParty } from './passkey-party.ts'

/**
 * Verifies the signature of a passkey, and records the use. A refusal gives no reason: forged, for another page,
 * without fingerprint, face or PIN, or from a copy whose counter decreased.
 */
export async function verifyAssertion(
  store: Store,
  response: AuthenticationResponseJSON,
  expected: { readonly challenge: string; readonly party: PasskeyParty; readonly passkey: Passkey },
): Promise<boolean> {
  const { challenge, party, passkey } = expected
  const handle = response.response.userHandle
  const isOwn = handle === undefined || Buffer.from(handle, 'base64url').toString() === passkey.userId
  const counter = isOwn ? await readCounter(response, { challenge, party, passkey }) : null
  return counter !== null && (await store.passkeys.setUsed(passkey.id, { counter, at: Date.now() }))
}

async function readCounter(
  response: AuthenticationResponseJSON,
  expected: { readonly challenge: string; readonly party: PasskeyParty; readonly passkey: Passkey },
): Promise<number | null> {
  const { challenge, party, passkey } = expected
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.id,
        publicKey: Buffer.from(passkey.publicKey, 'base64url'),
        counter: passkey.counter,
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    // The library throws for every invalid response, including one whose counter decreased.
    return null
  }
}
