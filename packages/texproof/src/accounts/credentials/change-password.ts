import type { User } from '../../domain/types.ts'
import { isPassword } from '../users/add-user.ts'
import type { Store } from '../../store/store.ts'
import { confirmPassword } from './confirm-owner.ts'
import { hashNewPassword } from '../password/password-checks.ts'

/** The outcome of a password change. */
export type ChangePasswordOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'invalid-password' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/**
 * Changes the password of a user who knows the current one. Ends every other session of the account, open password
 * reset links, and a pending two-factor sign-in.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function changePassword(
  store: Store,
  asked: {
    readonly user: User
    /** This session stays. */
    readonly sessionId: number
    readonly current: string
    readonly wanted: string
    readonly address: string
  },
): Promise<ChangePasswordOutcome> {
  const { user, sessionId, current, wanted, address } = asked
  const confirmation = await confirmPassword(store, { user, password: current })
  if (confirmation.kind === 'throttled') return confirmation
  if (confirmation.kind === 'wrong') return { kind: 'wrong-password' }
  if (!isPassword(wanted)) return { kind: 'invalid-password' }
  await store.users.setPasswordHash(user.id, await hashNewPassword(wanted))
  await store.sessions.removeOfUser(user.id, { exceptId: sessionId })
  await store.codes.removeOpen('second-factor', user.id)
  await store.codes.removeOpen('email', user.id)
  await store.codes.removeOpen('reset', user.id)
  await store.events.add({ kind: 'password-changed', userId: user.id, actorId: user.id, address })
  return { kind: 'changed' }
}
