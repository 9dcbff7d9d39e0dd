import type { User } from '../domain/types.ts'
import type { Store } from '../store/store.ts'

/** Ends a token of a user for good; false when the user has no such token. */
export async function revokeToken(
  store: Store,
  { user, tokenId, address }: { readonly user: User; readonly tokenId: number; readonly address: string | null },
): Promise<boolean> {
  const token = (await store.tokens.listOfUser(user.id)).find(({ id }) => id === tokenId)
  if (token === undefined || !(await store.tokens.remove(tokenId, { userId: user.id }))) return false
  await store.events.add({ kind: 'token-revoked', userId: user.id, actorId: user.id, address, detail: token.name })
  return true
}
