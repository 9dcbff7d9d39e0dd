import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Removes a passkey of its owner; false when they have no such one. */
export async function removePasskey(
  store: Store,
  { user, id, address }: { readonly user: User; readonly id: string; readonly address: string },
): Promise<boolean> {
  const passkey = await store.passkeys.find(id)
  if (passkey === null || !(await store.passkeys.remove(id, { userId: user.id }))) return false
  const detail = passkey.name
  await store.events.add({ kind: 'passkey-removed', userId: user.id, actorId: user.id, address, detail })
  return true
}
