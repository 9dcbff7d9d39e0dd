import type { User } from '../../src/domain/types.ts'
import type { Store } from '../../src/store/store.ts'

/** As after a quarter of an hour: whoever sits at a browser of the user is asked again who they are. */
export async function leaveAlone(store: Store, user: Pick<User, 'id'>): Promise<void> {
  for (const { id } of await store.sessions.listOfUser(user.id)) await store.sessions.setConfirmed(id, 0)
}
