/**
 * What a passkey is asked to sign. The browser keeps a secret that scripts cannot read; its hash names the row that
 * makes it good for once and five minutes, and the challenge follows from it by another hash. So an answer counts only in
 * the browser that was asked, and nothing but a row has to be kept.
 */
import { hash } from 'node:crypto'

import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { StepSecret } from '../session/step-secret.ts'

const lifeMs = 5 * 60_000

/** A question to a passkey, and the secret that its answer has to come with. */
export interface PasskeyChallenge extends StepSecret {
  readonly challenge: Buffer<ArrayBuffer>
}

/** Makes a challenge: for a new key of a user, or, with null, for whoever signs in. */
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

/** Uses a challenge up, and gives it as an answer has to name it; null when it is too old or another's. */
export async function takeChallenge(store: Store, secret: string, user: User | null): Promise<string | null> {
  const taken = await store.codes.take(hashSecretText(secret), 'passkey')
  return taken === null || taken.userId !== (user?.id ?? null) ? null : challengeOf(secret).toString('base64url')
}

function challengeOf(secret: string): Buffer<ArrayBuffer> {
  return Buffer.from(hash('sha256', `challenge:${secret}`, 'hex'), 'hex')
}
