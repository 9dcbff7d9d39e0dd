/** A link that sets a new password, once, for users who forgot theirs. */
import type { User } from '../../domain/types.ts'
import { isPassword } from '../users/add-user.ts'
import type { Store } from '../../store/store.ts'
import { hashNewPassword } from '../password/password-checks.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'

const lifeMs = 24 * 3_600_000

/**
 * Creates the code of a link, valid for a day unless `lifeMs` is given. Earlier links expire. Only the return value
 * contains its text.
 */
export async function makeResetCode(
  store: Store,
  asked: { readonly user: User; readonly createdBy: string | null; readonly lifeMs?: number },
): Promise<string> {
  const { user, createdBy } = asked
  await store.codes.removeOpen('reset', user.id)
  const code = makeSecretText()
  const expiresAt = Date.now() + (asked.lifeMs ?? lifeMs)
  const hash = hashSecretText(code)
  await store.codes.add({ hash, purpose: 'reset', userId: user.id, email: null, createdBy, expiresAt })
  await store.events.add({ kind: 'reset-link-made', userId: user.id, actorId: createdBy })
  return code
}

/** The user whose password a code resets; null if the code is invalid or expired. */
export async function findReset(store: Store, code: string): Promise<User | null> {
  const found = code === '' ? null : await store.codes.find(hashSecretText(code), 'reset')
  const user = found?.userId ? await store.users.findById(found.userId) : null
  return user === null || user.isDisabled ? null : user
}

/**
 * Sets the password and ends every session and open link of the account.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function resetPassword(
  store: Store,
  { code, password }: { readonly code: string; readonly password: string },
): Promise<{ readonly kind: 'reset'; readonly user: User } | { readonly kind: 'expired-code' | 'invalid-password' }> {
  const user = await findReset(store, code)
  if (user === null) return { kind: 'expired-code' }
  if (!isPassword(password)) return { kind: 'invalid-password' }
  const passwordHash = await hashNewPassword(password)
  if ((await store.codes.take(hashSecretText(code), 'reset')) === null) return { kind: 'expired-code' }
  await replacePassword(store, { user, passwordHash, actorId: user.id })
  return { kind: 'reset', user }
}

/** Sets a password without the current one, and ends every session and open link of the account. */
export async function replacePassword(
  store: Store,
  {
    user,
    passwordHash,
    actorId,
  }: { readonly user: User; readonly passwordHash: string; readonly actorId: string | null },
): Promise<void> {
  await store.users.setPasswordHash(user.id, passwordHash)
  await store.sessions.removeOfUser(user.id)
  await store.codes.removeOpen('second-factor', user.id)
  await store.codes.removeOpen('email', user.id)
  await store.codes.removeOpen('reset', user.id)
  await store.events.add({ kind: 'password-reset', userId: user.id, actorId })
}
