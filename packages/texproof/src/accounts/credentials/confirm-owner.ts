/**
 * Confirms that a session is used by the owner of the account: a browser may be left open, and a cookie may be stolen.
 * Changes that could lock the owner out therefore require the password or a second factor, unless it was entered within
 * 15 minutes, for example to sign in. The throttle is the same as for signing in.
 */
import type { ThrottleRule } from '../../base/throttle.ts'
import type { User } from '../../domain/types.ts'
import type { Session } from '../../store/users/sessions.ts'
import type { Store } from '../../store/store.ts'
import { checkPassword } from '../password/password-checks.ts'
import { checkOwnPasskey } from '../passkeys/check-own-passkey.ts'
import type { SecondFactorProof } from '../second-factor/pending-sign-in.ts'
import { takeCode } from '../second-factor/take-code.ts'

/** The outcome of a confirmation. */
export type Confirmation =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

const freshMs = 15 * 60_000
const rule: ThrottleRule = { allowed: 5, firstWaitMs: 30_000, longestWaitMs: 15 * 60_000 }

/** Whether the owner signed in or confirmed within 15 minutes. */
export function isRecentlyConfirmed({ confirmedAt }: Pick<Session, 'confirmedAt'>): boolean {
  return Date.now() - confirmedAt < freshMs
}

/**
 * Requires the password.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export function confirmPassword(
  store: Store,
  { user, password }: { readonly user: User; readonly password: string },
): Promise<Confirmation> {
  return slowly(store, user, () => isPasswordOf(store, { user, password }))
}

/**
 * Checks a password or a second factor. Stores a success for 15 minutes.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function confirmOwner(
  { store, dataDir }: { readonly store: Store; readonly dataDir: string },
  asked: {
    readonly user: User
    readonly session: Session
    readonly proof: SecondFactorProof
    readonly address: string
  },
): Promise<Confirmation> {
  const { user, session, proof, address } = asked
  const confirmation = await slowly(store, user, async () => {
    if (proof.kind === 'passkey') return (await checkOwnPasskey(store, { user, address, ...proof })) !== null
    const taken = await takeCode({ store, dataDir }, { user, text: proof.text, address })
    const isCode = taken === 'time-code' || taken === 'recovery-code'
    return isCode || (await isPasswordOf(store, { user, password: proof.text }))
  })
  if (confirmation.kind === 'confirmed') await store.sessions.setConfirmed(session.id, Date.now())
  return confirmation
}

/** Whether the account has a password. */
export async function hasPassword(store: Store, user: User): Promise<boolean> {
  return (await store.users.findWithPassword(user.login)) !== null
}

async function slowly(store: Store, user: User, isOwner: () => Promise<boolean>): Promise<Confirmation> {
  const throttle = store.throttles.open('confirm', rule)
  const waitMs = await throttle.attempt(user.id)
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const isRight = await isOwner().catch(async (error: unknown) => {
    // An attempt that was not checked does not count as a guess.
    await throttle.forgive(user.id)
    throw error
  })
  if (!isRight) return { kind: 'wrong' }
  await throttle.forget(user.id)
  return { kind: 'confirmed' }
}

async function isPasswordOf(
  store: Store,
  { user, password }: { readonly user: User; readonly password: string },
): Promise<boolean> {
  const known = await store.users.findWithPassword(user.login)
  return checkPassword(password, known?.passwordHash ?? null)
}
