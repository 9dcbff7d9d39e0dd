import type { Store } from '../store/store.ts'
import { createToken } from './create-token.ts'

const HOUR_MS = 3_600_000
const NAME = 'API page, for an hour'

/** Makes a token that reads what its user may read, for an hour. The text is the answer; the list of tokens has it like any other. */
export async function lendToken(
  store: Store,
  { userId, address }: { readonly userId: string; readonly address: string | null },
): Promise<string> {
  const { text } = await createToken(store, { userId, name: NAME, scopes: [], expiresAt: Date.now() + HOUR_MS })
  await store.events.add({ kind: 'token-created', userId, actorId: userId, address, detail: NAME })
  return text
}
