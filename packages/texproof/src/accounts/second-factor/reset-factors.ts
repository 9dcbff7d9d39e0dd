import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Second factors that an administrator has removed. */
export interface ResetFactors {
  readonly hadSecondFactor: boolean
  readonly passkeys: number
}

/**
 * For users who have lost their devices: turns off two-factor authentication and removes all passkeys. The password
 * stays.
 */
export async function resetFactors(
  store: Store,
  { user, actorId }: { readonly user: User; readonly actorId: string | null },
): Promise<ResetFactors> {
  const hadSecondFactor = await store.secondFactors.remove(user.id)
  const passkeys = await store.passkeys.removeOfUser(user.id)
  await store.codes.removeOpen('second-factor', user.id)
  if (hadSecondFactor || passkeys > 0) await store.events.add({ kind: 'factors-reset', userId: user.id, actorId })
  return { hadSecondFactor, passkeys }
}
