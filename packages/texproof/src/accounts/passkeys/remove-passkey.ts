import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { hasOtherLogin } from '../users/has-other-login.ts'

/** Why a passkey was not removed. */
export type RemovePasskeyRefusal = 'unknown' | 'only-sign-in-method'

/**
 * Removes a passkey of its owner, unless it is the only sign-in method. Returns the reason of a refusal, or null on
 * success.
 */
export async function removePasskey(
  store: Store,
  asked: {
    readonly user: User
    readonly id: string
    /** The identity provider that this host trusts; null = none. */
    readonly issuer: string | null
    readonly address: string
  },
): Promise<RemovePasskeyRefusal | null> {
  const { user, id, issuer, address } = asked
  const passkey = await store.passkeys.find(id)
  if (passkey?.userId !== user.id) return 'unknown'
  if (!(await hasOtherLogin(store, { user, issuer, way: { kind: 'passkey', id } }))) return 'only-sign-in-method'
  if (!(await store.passkeys.remove(id, { userId: user.id }))) return 'unknown'
  const detail = passkey.name
  await store.events.add({ kind: 'passkey-removed', userId: user.id, actorId: user.id, address, detail })
  return null
}
