/**
 * A sign-in between password and second factor. After a correct password, the browser gets a cookie that is valid only
 * for the second factor: for five minutes, once, and only while the password stays the same. The store has its hash.
 */
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { networkOf } from '../session/network-of.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { SignInThrottles } from '../session/sign-in.ts'
import type { Client } from '../session/session-cookie.ts'
import type { StepSecret } from '../session/step-secret.ts'
import { checkOwnPasskey } from '../passkeys/check-own-passkey.ts'
import type { OwnPasskeyAnswer } from '../passkeys/check-own-passkey.ts'
import { takeCode } from './take-code.ts'

const lifeMs = 5 * 60_000

/** The second factor: a code of the app, a recovery code, or a passkey response. */
export type SecondFactorProof =
  | { readonly kind: 'text'; readonly text: string }
  | ({ readonly kind: 'passkey' } & OwnPasskeyAnswer)

/** The outcome of the second factor; `by` is for the log. */
export type SecondFactorOutcome =
  | { readonly kind: 'known'; readonly user: User; readonly by: string }
  | { readonly kind: 'refused' | 'unreadable'; readonly user: User }
  | { readonly kind: 'throttled'; readonly user: User; readonly waitMs: number }
  | { readonly kind: 'late' }

/** Starts the two-factor sign-in of a user whose password was correct. */
export async function openPendingSignIn(store: Store, user: User): Promise<StepSecret> {
  const secret = makeSecretText()
  const now = Date.now()
  await store.codes.removeExpired(now)
  await store.codes.add({
    hash: hashSecretText(secret),
    purpose: 'second-factor',
    userId: user.id,
    email: null,
    createdBy: null,
    expiresAt: now + lifeMs,
  })
  return { secret, maxAgeS: lifeMs / 1000 }
}

/** The user of a pending sign-in; null if it was used or expired, or the account is disabled. */
export async function findPendingSignIn(store: Store, secret: string): Promise<User | null> {
  const found = await store.codes.find(hashSecretText(secret), 'second-factor')
  const user = found?.userId ? await store.users.findById(found.userId) : null
  return user === null || user.isDisabled ? null : user
}

/** Checks the second factor. A correct one ends the pending sign-in. */
export async function finishSignIn(
  {
    store,
    dataDir,
    throttles,
  }: { readonly store: Store; readonly dataDir: string; readonly throttles: SignInThrottles },
  { secret, proof, client }: { readonly secret: string; readonly proof: SecondFactorProof; readonly client: Client },
): Promise<SecondFactorOutcome> {
  const user = await findPendingSignIn(store, secret)
  if (user === null) return { kind: 'late' }
  const { address } = client
  const waitMs = (await throttles.byAddress.attempt(networkOf(address))) || (await throttles.byAccount.attempt(user.id))
  if (waitMs > 0) return { kind: 'throttled', user, waitMs }
  const checked = await checkProof({ store, dataDir }, { user, proof, address })
  if ('refusal' in checked) {
    await store.events.add({ kind: 'second-step-failed', userId: user.id, actorId: null, address })
    return { kind: checked.refusal, user }
  }
  if ((await store.codes.take(hashSecretText(secret), 'second-factor')) === null) return { kind: 'late' }
  await throttles.byAddress.forgive(networkOf(address))
  await throttles.byAccount.forget(user.id)
  return { kind: 'known', user, by: checked.by }
}

async function checkProof(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  { user, proof, address }: { readonly user: User; readonly proof: SecondFactorProof; readonly address: string },
): Promise<{ readonly by: string } | { readonly refusal: 'refused' | 'unreadable' }> {
  if (proof.kind === 'passkey') {
    const passkey = await checkOwnPasskey(store, { user, address, ...proof })
    return passkey === null ? { refusal: 'refused' } : { by: `with the password and the passkey ${passkey.name}` }
  }
  const taken = await takeCode({ store, dataDir }, { user, text: proof.text, address })
  if (taken === 'wrong') return { refusal: 'refused' }
  if (taken === 'unreadable') return { refusal: 'unreadable' }
  return { by: taken === 'recovery-code' ? 'with a recovery code' : 'with a code from the app' }
}
