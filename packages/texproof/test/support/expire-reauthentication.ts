import type { User } from '../../src/domain/types.ts'
import type { Store } from '../../src/store/store.ts'

/** Makes the last reauthentication of all sessions of a user expire, as after 15 minutes without activity. */
export async function expireReauthentication(store: Store, user: Pick<User, 'id'>): Promise<void> {
  for (const { id } of await store.sessions.listOfUser(user.id)) await store.sessions.setConfirmed(id, 0)
}
