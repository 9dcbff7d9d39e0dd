import type { Store } from '../../store/store.ts'
import { createToken } from './create-token.ts'

const HOUR_MS = 3_600_000
const NAME = 'API page, for an hour'

/**
 * Makes a token that reads what its user may read, for an hour, and answers its text. The list of tokens has it like any
 * other, and loses it when the next one is made after its end.
 */
export async function createTemporaryToken(
  store: Store,
  { userId, address }: { readonly userId: string; readonly address: string | null },
): Promise<string> {
  const tokens = await store.tokens.listOfUser(userId)
  // One click each would fill the list for ever.
  for (const { id, name, expiresAt } of tokens)
    if (name === NAME && expiresAt !== null && expiresAt <= Date.now()) await store.tokens.remove(id, { userId })
  const { text } = await createToken(store, { userId, name: NAME, scopes: [], expiresAt: Date.now() + HOUR_MS })
  await store.events.add({ kind: 'token-created', userId, actorId: userId, address, detail: NAME })
  return text
}
