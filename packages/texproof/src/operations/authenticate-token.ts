import { hashToken, parseToken } from '../domain/token.ts'
import type { Caller, Token } from '../domain/types.ts'
import type { Store } from '../store/store.ts'

const lastUsedStepMs = 60_000

/**
 * Who presents this token; null when it is malformed, unknown, expired, or its user disabled.
 * That it was used is noted at most once a minute, and nobody waits for the note.
 */
export async function authenticateToken(store: Store, text: string): Promise<Caller | null> {
  const parsed = parseToken(text)
  if (parsed === null) return null
  const found = await store.tokens.findByHash(hashToken(parsed))
  if (found === null) return null
  const now = Date.now()
  const { token, user } = found
  if (user.isDisabled || (token.expiresAt !== null && token.expiresAt <= now)) return null
  if (now - (token.lastUsedAt ?? 0) >= lastUsedStepMs) noteUse(store, token, now)
  return { user, scopes: token.scopes }
}

/** Tokens whose note is on its way, so that a burst of requests writes once. */
const noting = new WeakMap<Store, Set<number>>()

function noteUse(store: Store, token: Token, now: number): void {
  const ids = noting.get(store) ?? new Set<number>()
  noting.set(store, ids)
  if (ids.has(token.id)) return
  ids.add(token.id)
  void store.tokens
    .setLastUsed(token.id, now)
    // The note is a courtesy: if the database is locked or closing, the next request tries again.
    .catch(() => {})
    .finally(() => ids.delete(token.id))
}
