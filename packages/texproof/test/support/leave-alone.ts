import type { User } from '../../src/domain/types.ts'
import type { Store } from '../../src/store/store.ts'

/** Simulates a quarter of an hour without activity, after which actions require reauthentication. */
export async function leaveAlone(store: Store, user: Pick<User, 'id'>): Promise<void> {
  for (const { id } of await store.sessions.listOfUser(user.id)) await store.sessions.setConfirmed(id, 0)
}
