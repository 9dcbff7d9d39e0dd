import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { sealPurposes } from '../../base/sealing/seal-purposes.ts'
import { unsealText } from '../../base/sealing/seal-text.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { findTimeStep } from './time-code.ts'

/** Outcome for an entered code. `unreadable` = the host has lost the sealing key: only recovery codes work. */
export type TakenCode = 'time-code' | 'recovery-code' | 'wrong' | 'unreadable'

/** Uses up one code of a user, from the app or a recovery code. Each works once, even for concurrent requests. */
export async function takeCode(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  { user, text, address }: { readonly user: User; readonly text: string; readonly address: string },
): Promise<TakenCode> {
  const digits = text.replaceAll(/\s/g, '')
  if (/^\d{6}$/.test(digits)) return takeTimeCode({ store, dataDir }, { user, digits })
  const hash = hashRecoveryCode(user.id, text)
  if (hash === null || !(await store.secondFactors.takeRecoveryCode(user.id, hash))) return 'wrong'
  const left = await store.secondFactors.countRecoveryCodes(user.id)
  const detail = `${left} left`
  await store.events.add({ kind: 'recovery-code-used', userId: user.id, actorId: user.id, address, detail })
  return 'recovery-code'
}

async function takeTimeCode(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  { user, digits }: { readonly user: User; readonly digits: string },
): Promise<TakenCode> {
  const factor = await store.secondFactors.find(user.id)
  if (factor === null) return 'wrong'
  const secret = await unsealText(factor.sealedSecret, { dataDir, purpose: sealPurposes.secondFactor(user.id) })
  if (secret === null) return 'unreadable'
  const step = findTimeStep(secret, digits)
  return step !== null && (await store.secondFactors.useTimeStep(user.id, step)) ? 'time-code' : 'wrong'
}
