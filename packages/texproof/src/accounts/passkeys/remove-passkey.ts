import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { hasOtherLogin } from '../users/has-other-login.ts'

/** Why a passkey stays. */
export type RemovePasskeyRefusal = 'unknown' | 'only-way-in'

/** Removes a passkey of its owner, unless nothing else would let them in. Gives why not, or null when it is done. */
export async function removePasskey(
  store: Store,
  asked: {
    readonly user: User
    readonly id: string
    /** Whom this host trusts to vouch for people; null = nobody. */
    readonly issuer: string | null
    readonly address: string
  },
): Promise<RemovePasskeyRefusal | null> {
  const { user, id, issuer, address } = asked
  const passkey = await store.passkeys.find(id)
  if (passkey?.userId !== user.id) return 'unknown'
  if (!(await hasOtherLogin(store, { user, issuer, way: { kind: 'passkey', id } }))) return 'only-way-in'
  if (!(await store.passkeys.remove(id, { userId: user.id }))) return 'unknown'
  const detail = passkey.name
  await store.events.add({ kind: 'passkey-removed', userId: user.id, actorId: user.id, address, detail })
  return null
}
