import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Why an account was not changed. */
export type AdministerRefusal = 'last-administrator'

/**
 * Disables or enables an account. A disabled account is signed out everywhere immediately, its tokens stop working, and
 * its pending sign-ins and links end permanently, also the links that it created for others. The last enabled administrator
 * cannot be disabled. Returns the reason of a refusal, or null on success.
 */
export async function setUserDisabled(
  store: Store,
  { user, isDisabled, actorId }: { readonly user: User; readonly isDisabled: boolean; readonly actorId: string | null },
): Promise<AdministerRefusal | null> {
  if (!(await store.users.setDisabled(user.id, isDisabled))) return 'last-administrator'
  if (isDisabled) {
    await store.sessions.removeOfUser(user.id)
    await store.codes.removeOpen('reset', user.id)
    await store.codes.removeOpen('email', user.id)
    await store.codes.removeOpen('second-factor', user.id)
    // A stolen administrator account could return by its own invitations and password resets.
    await store.codes.removeCreatedBy(user.id)
  }
  await store.events.add({ kind: isDisabled ? 'user-disabled' : 'user-enabled', userId: user.id, actorId })
  return null
}

/** Makes a user an administrator. */
export async function makeAdministrator(
  store: Store,
  { user, actorId }: { readonly user: User; readonly actorId: string | null },
): Promise<void> {
  await store.users.setAdmin(user.id, true)
  await store.events.add({ kind: 'administrator-made', userId: user.id, actorId })
}
