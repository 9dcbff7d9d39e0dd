import type { User } from '../domain/types.ts'
import { isPassword } from '../operations/add-user.ts'
import type { Store } from '../store/store.ts'
import { checkPassword, hashNewPassword } from './password-gate.ts'
import { createThrottle } from './throttle.ts'

/** What came of asking for another password. */
export type ChangePasswordOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'wrong-password' }
  | { readonly kind: 'invalid-password' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/** Whoever sits at a browser that was left open may guess no faster than whoever signs in. */
const throttle = createThrottle({ allowed: 5, firstWaitMs: 30_000, longestWaitMs: 15 * 60_000 })

/**
 * Changes a password for whoever knows the current one, and ends every other session of the account.
 *
 * @throws PasswordGateFull when too many passwords are being checked.
 */
export async function changePassword(
  store: Store,
  asked: {
    readonly user: User
    /** The session that stays. */
    readonly sessionId: number
    readonly current: string
    readonly wanted: string
    readonly address: string
  },
): Promise<ChangePasswordOutcome> {
  const { user, sessionId, current, wanted, address } = asked
  const waitMs = throttle.attempt(user.id)
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const known = await store.users.findWithPassword(user.login)
  if (!(await checkPassword(current, known?.passwordHash ?? null))) return { kind: 'wrong-password' }
  throttle.forget(user.id)
  if (!isPassword(wanted)) return { kind: 'invalid-password' }
  await store.users.setPasswordHash(user.id, await hashNewPassword(wanted))
  await store.sessions.removeOfUser(user.id, { exceptId: sessionId })
  await store.events.add({ kind: 'password-changed', userId: user.id, actorId: user.id, address })
  return { kind: 'changed' }
}
