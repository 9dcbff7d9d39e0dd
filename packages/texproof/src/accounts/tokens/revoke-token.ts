import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Revokes a token of a user; false if the user has no such token. `actorId` is null on the command line. */
export async function revokeToken(
  store: Store,
  revocation: {
    readonly user: User
    readonly tokenId: number
    readonly actorId: string | null
    readonly address: string | null
  },
): Promise<boolean> {
  const { user, tokenId, actorId, address } = revocation
  const found = await store.tokens.findById(tokenId)
  if (found?.user.id !== user.id || !(await store.tokens.remove(tokenId, { userId: user.id }))) return false
  await store.events.add({ kind: 'token-revoked', userId: user.id, actorId, address, detail: found.token.name })
  return true
}
