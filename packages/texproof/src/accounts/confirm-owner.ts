/**
 * A session is not always with its owner: a browser is left open, a cookie stolen. So what would keep the owner out asks
 * again for something that only they have, and whoever sits there may guess no faster than whoever signs in.
 */
import type { User } from '../domain/types.ts'
import type { Session } from '../store/sessions.ts'
import type { Store } from '../store/store.ts'
import { checkPassword } from '../operations/password-gate.ts'
import { takeCode } from './second-factor/take-code.ts'
import { createThrottle } from './throttle.ts'

/** Whether the owner was there. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/** `stale` = there is no password to ask for, and the sign-in is not fresh enough to stand for it. */
export type OwnerConfirmation = Confirmation | { readonly kind: 'stale' }

const freshMs = 15 * 60_000
const throttle = createThrottle({ allowed: 5, firstWaitMs: 30_000, longestWaitMs: 15 * 60_000 })

/**
 * Asks for the password.
 *
 * @throws PasswordGateFull when too many passwords are being checked.
 */
export function confirmPassword(
  store: Store,
  { user, password }: { readonly user: User; readonly password: string },
): Promise<Confirmation> {
  return slowly(user, () => isPasswordOf(store, { user, password }))
}

/**
 * Asks for the password; whoever has none, since another host vouches for them, must have signed in just now.
 *
 * @throws PasswordGateFull when too many passwords are being checked.
 */
export async function confirmOwner(
  store: Store,
  { user, session, password }: { readonly user: User; readonly session: Session; readonly password: string },
): Promise<OwnerConfirmation> {
  if (await hasPassword(store, user)) return confirmPassword(store, { user, password })
  return Date.now() - session.createdAt < freshMs ? { kind: 'confirmed' } : { kind: 'stale' }
}

/** Whether there is a password to ask for. */
export async function hasPassword(store: Store, user: User): Promise<boolean> {
  return (await store.users.findWithPassword(user.login)) !== null
}

/**
 * Asks for the password or a code of the second factor, in one field.
 *
 * @throws PasswordGateFull when too many passwords are being checked.
 */
export function confirmPasswordOrCode(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  { user, text, address }: { readonly user: User; readonly text: string; readonly address: string },
): Promise<Confirmation> {
  return slowly(user, async () => {
    const taken = await takeCode({ store, dataDir }, { user, text, address })
    const isCode = taken === 'time-code' || taken === 'recovery-code'
    return isCode || (await isPasswordOf(store, { user, password: text }))
  })
}

async function slowly(user: User, isOwner: () => Promise<boolean>): Promise<Confirmation> {
  const waitMs = throttle.attempt(user.id)
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const isRight = await isOwner().catch((error: unknown) => {
    // Whoever met a full gate has not guessed.
    throttle.forgive(user.id)
    throw error
  })
  if (!isRight) return { kind: 'wrong' }
  throttle.forget(user.id)
  return { kind: 'confirmed' }
}

async function isPasswordOf(
  store: Store,
  { user, password }: { readonly user: User; readonly password: string },
): Promise<boolean> {
  const known = await store.users.findWithPassword(user.login)
  return checkPassword(password, known?.passwordHash ?? null)
}
