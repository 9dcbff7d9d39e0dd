import { hashOfToken } from '../../domain/token.ts'
import type { Caller } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** The caller of a token; null if it is malformed, unknown or expired, or its user is disabled. */
export async function authenticateToken(store: Store, text: string): Promise<Caller | null> {
  const hash = hashOfToken(text)
  return hash === null ? null : authenticateHash(store, hash)
}

/** Like `authenticateToken`, by the hash of a well-formed token. */
export async function authenticateHash(store: Store, hash: string): Promise<Caller | null> {
  const found = await store.tokens.findByHash(hash)
  if (found === null) return null
  const { token, user } = found
  if (token.expiresAt !== null && token.expiresAt <= Date.now()) {
    store.tokens.noteRefusal(token.id, 'used after it expired')
    return null
  }
  return user.isDisabled ? null : { user, scopes: token.scopes, tokenId: token.id }
}
