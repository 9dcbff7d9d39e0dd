/**
 * Challenges for passkeys. The browser keeps a secret that scripts cannot read. The hash of the secret is the key of a
 * row, which limits the challenge to one use within five minutes; another hash of the secret is the challenge. A
 * response is therefore valid only in the browser that requested it, and the host stores nothing but the row.
 */
import { hash } from 'node:crypto'

import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { StepSecret } from '../session/step-secret.ts'

const lifeMs = 5 * 60_000

/** A challenge for a passkey, and the secret that its response requires. */
export interface PasskeyChallenge extends StepSecret {
  readonly challenge: Buffer<ArrayBuffer>
}

/** Creates a challenge: for a new passkey of a user, or, with null, for a sign-in. */
export async function openChallenge(store: Store, user: User | null): Promise<PasskeyChallenge> {
  const secret = makeSecretText()
  await store.codes.add({
    hash: hashSecretText(secret),
    purpose: 'passkey',
    userId: user?.id ?? null,
    email: null,
    createdBy: null,
    expiresAt: Date.now() + lifeMs,
  })
  return { secret, maxAgeS: lifeMs / 1000, challenge: challengeOf(secret) }
}

/** Uses up a challenge and returns it as a response contains it; null if it expired or belongs to another user. */
export async function takeChallenge(store: Store, secret: string, user: User | null): Promise<string | null> {
  const taken = await store.codes.take(hashSecretText(secret), 'passkey')
  return taken === null || taken.userId !== (user?.id ?? null) ? null : challengeOf(secret).toString('base64url')
}

function challengeOf(secret: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', `challenge:${secret}`, 'hex'), 'hex')
}
