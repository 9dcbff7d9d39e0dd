import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** The sign-in method to remove. */
export type SignInMethod =
  | { readonly kind: 'passkey'; readonly id: string }
  | { readonly kind: 'identity'; readonly issuer: string }

/** Whether a user has another sign-in method. `issuer` is the identity provider that this host trusts; null = none. */
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
