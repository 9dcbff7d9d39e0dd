import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Why an account stays as it is. */
export type AdministerRefusal = 'last-administrator'

/**
 * Disables or enables an account. A disabled one is signed out everywhere at once, its tokens open nothing, and what was
 * under way to sign it in is void for good; the last administrator who is left cannot be disabled. Gives why not, or
 * null when it is done.
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
  }
  await store.events.add({ kind: isDisabled ? 'user-disabled' : 'user-enabled', userId: user.id, actorId })
  return null
}

/** Lets somebody administer the host. */
export async function makeAdministrator(
  store: Store,
  { user, actorId }: { readonly user: User; readonly actorId: string | null },
): Promise<void> {
  await store.users.setAdmin(user.id, true)
  await store.events.add({ kind: 'administrator-made', userId: user.id, actorId })
}
