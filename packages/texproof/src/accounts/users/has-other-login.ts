import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** What is about to be taken away. */
export type SignInMethod =
  | { readonly kind: 'passkey'; readonly id: string }
  | { readonly kind: 'identity'; readonly issuer: string }

/** Whether something else would still let a user in. `issuer` is whom this host trusts to vouch; null = nobody. */
export async function hasOtherLogin(
  store: Store,
  { user, issuer, way }: { readonly user: User; readonly issuer: string | null; readonly way: SignInMethod },
): Promise<boolean> {
  if ((await store.users.findWithPassword(user.login)) !== null) return true
  const passkeys = await store.passkeys.listOfUser(user.id)
  if (passkeys.some(({ id }) => way.kind !== 'passkey' || id !== way.id)) return true
  if (issuer === null || (way.kind === 'identity' && way.issuer === issuer)) return false
  return (await store.identities.findOfUser(user.id, issuer)) !== null
}
