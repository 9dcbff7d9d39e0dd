/**
 * Turns two-factor authentication on and off. A new secret is unconfirmed until the user has entered a correct code of
 * the app. Until then it is not stored: the page contains it, sealed for one session and 15 minutes.
 */
import { z } from 'zod'

import type { User } from '../../domain/types.ts'
import type { Session } from '../../store/users/sessions.ts'
import type { Store } from '../../store/store.ts'
import { sealPurposes } from '../../base/sealing/seal-purposes.ts'
import { sealText, unsealText } from '../../base/sealing/seal-text.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { findTimeStep, makeTimeSecret } from './time-code.ts'

const trialMs = 15 * 60_000
const trialForm = z.object({ secret: z.string(), expiresAt: z.number() })

/** A secret that is not confirmed yet. */
export interface SecretOnTrial {
  readonly secret: string
  /** A hidden form field, sent back with the code. */
  readonly sealed: string
}

/** The user and the session of the browser. */
export interface FactorOwner {
  readonly user: User
  readonly session: Session
}

/** The outcome of the first code. Only this value contains the recovery codes. */
export type TurnOnOutcome =
  | { readonly kind: 'on'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong-code'; readonly trial: SecretOnTrial }
  | { readonly kind: 'late' | 'on-already' }

/** Creates a secret to add to the app. */
export async function offerSecret(dataDir: string, owner: FactorOwner): Promise<SecretOnTrial> {
  const secret = makeTimeSecret()
  const text = JSON.stringify({ secret, expiresAt: Date.now() + trialMs })
  return { secret, sealed: await sealText(text, { dataDir, purpose: trialPurpose(owner) }) }
}

/** Turns it on after a correct code for the offered secret. */
export async function turnSecondFactorOn(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  asked: FactorOwner & { readonly sealed: string; readonly code: string; readonly address: string },
): Promise<TurnOnOutcome> {
  const { user, sealed, code, address } = asked
  const secret = await readTrial(dataDir, asked)
  if (secret === null) return { kind: 'late' }
  const step = findTimeStep(secret, code.replaceAll(/\s/g, ''))
  if (step === null) return { kind: 'wrong-code', trial: { secret, sealed } }
  const sealedSecret = await sealText(secret, { dataDir, purpose: sealPurposes.secondFactor(user.id) })
  const { texts, hashes } = makeRecoveryCodes(user.id)
  const isOn = await store.secondFactors.add({ userId: user.id, sealedSecret }, { step, recoveryHashes: hashes })
  if (!isOn) return { kind: 'on-already' }
  await store.events.add({ kind: 'two-factor-on', userId: user.id, actorId: user.id, address })
  return { kind: 'on', recoveryCodes: texts }
}

/** Turns it off; false if it was off. */
export async function turnSecondFactorOff(
  store: Store,
  { user, address }: { readonly user: User; readonly address: string },
): Promise<boolean> {
  if (!(await store.secondFactors.remove(user.id))) return false
  await store.codes.removeOpen('second-factor', user.id)
  await store.events.add({ kind: 'two-factor-off', userId: user.id, actorId: user.id, address })
  return true
}

/** Replaces the recovery codes with ten new ones; null if two-factor authentication is off. */
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
