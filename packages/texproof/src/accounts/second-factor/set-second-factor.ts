/**
 * Turning two-factor sign-in on and off. A new secret is on trial until the app has given a right code for it, and is
 * stored nowhere until then: the page carries it, sealed for one session and a quarter of an hour.
 */
import { z } from 'zod'

import type { User } from '../../domain/types.ts'
import type { Session } from '../../store/users/sessions.ts'
import type { Store } from '../../store/store.ts'
import { sealText, unsealText } from '../../base/seal-text.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { findTimeStep, makeTimeSecret } from './time-code.ts'

const trialMs = 15 * 60_000
const trialForm = z.object({ secret: z.string(), expiresAt: z.number() })

/** A secret that the app of its owner has not proved yet. */
export interface SecretOnTrial {
  readonly secret: string
  /** Goes through the page and comes back with the code. */
  readonly sealed: string
}

/** Who asks, in which browser. */
export interface FactorOwner {
  readonly user: User
  readonly session: Session
}

/** What came of the first code. The recovery codes are in this answer and nowhere else. */
export type TurnOnOutcome =
  | { readonly kind: 'on'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong-code'; readonly trial: SecretOnTrial }
  | { readonly kind: 'late' | 'on-already' }

/** What the stored secret of a user is sealed for. */
export function sealedSecretPurpose(userId: string): string {
  return `second-factor:${userId}`
}

/** Makes a secret for the app to be tried with. */
export async function offerSecret(dataDir: string, owner: FactorOwner): Promise<SecretOnTrial> {
  const secret = makeTimeSecret()
  const text = JSON.stringify({ secret, expiresAt: Date.now() + trialMs })
  return { secret, sealed: await sealText(text, { dataDir, purpose: trialPurpose(owner) }) }
}

/** Turns it on for whoever types a right code of the secret that was offered. */
export async function turnSecondFactorOn(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  asked: FactorOwner & { readonly sealed: string; readonly code: string; readonly address: string },
): Promise<TurnOnOutcome> {
  const { user, sealed, code, address } = asked
  const secret = await readTrial(dataDir, asked)
  if (secret === null) return { kind: 'late' }
  const step = findTimeStep(secret, code.replaceAll(/\s/g, ''))
  if (step === null) return { kind: 'wrong-code', trial: { secret, sealed } }
  const sealedSecret = await sealText(secret, { dataDir, purpose: sealedSecretPurpose(user.id) })
  const { texts, hashes } = makeRecoveryCodes(user.id)
  const isOn = await store.secondFactors.add({ userId: user.id, sealedSecret }, { step, recoveryHashes: hashes })
  if (!isOn) return { kind: 'on-already' }
  await store.events.add({ kind: 'two-factor-on', userId: user.id, actorId: user.id, address })
  return { kind: 'on', recoveryCodes: texts }
}

/** Turns it off; false when it was off. */
export async function turnSecondFactorOff(
  store: Store,
  { user, address }: { readonly user: User; readonly address: string },
): Promise<boolean> {
  if (!(await store.secondFactors.remove(user.id))) return false
  await store.codes.removeOpen('second-factor', user.id)
  await store.events.add({ kind: 'two-factor-off', userId: user.id, actorId: user.id, address })
  return true
}

/** Ten new recovery codes in place of those there are; null when there is nothing to recover. */
export async function renewRecoveryCodes(
  store: Store,
  { user, address }: { readonly user: User; readonly address: string },
): Promise<readonly string[] | null> {
  const { texts, hashes } = makeRecoveryCodes(user.id)
  if (!(await store.secondFactors.replaceRecoveryCodes(user.id, hashes))) return null
  await store.events.add({ kind: 'recovery-codes-made', userId: user.id, actorId: user.id, address })
  return texts
}

function trialPurpose({ user, session }: FactorOwner): string {
  return `secret-on-trial:${user.id}:${session.id}`
}

async function readTrial(dataDir: string, asked: FactorOwner & { readonly sealed: string }): Promise<string | null> {
  const text = await unsealText(asked.sealed, { dataDir, purpose: trialPurpose(asked) })
  if (text === null) return null
  const { secret, expiresAt } = trialForm.parse(JSON.parse(text))
  return expiresAt > Date.now() ? secret : null
}
