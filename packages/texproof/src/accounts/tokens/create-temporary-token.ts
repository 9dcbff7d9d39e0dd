import type { Store } from '../../store/store.ts'
import { createToken } from './create-token.ts'

const HOUR_MS = 3_600_000
const NAME = 'API page, for an hour'

/**
 * Creates a token that can read what its user can read, for an hour, and returns its text. It is in the user's list of
 * tokens until the next one is created after its expiry.
 */
export async function createTemporaryToken(
  store: Store,
  { userId, address }: { readonly userId: string; readonly address: string | null },
): Promise<string> {
  const tokens = await store.tokens.listOfUser(userId)
  // Otherwise, each click would add an expired token to the list.
  for (const { id, name, expiresAt } of tokens)
    if (name === NAME && expiresAt !== null && expiresAt <= Date.now()) await store.tokens.remove(id, { userId })
  const { text } = await createToken(store, { userId, name: NAME, scopes: [], expiresAt: Date.now() + HOUR_MS })
  await store.events.add({ kind: 'token-created', userId, actorId: userId, address, detail: NAME })
  return text
}
