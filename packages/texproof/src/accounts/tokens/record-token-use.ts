import type { Caller } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Records an action of a token for the list of tokens: `GET /user/repos`, `git push alice/tides`. */
export function recordTokenUse(store: Store, caller: Caller | null, action: string): void {
  if (caller !== null && caller.tokenId !== null) store.tokens.noteUse(caller.tokenId, action)
}

/** Records an action that a token was not permitted to perform, and the required scope. */
export function recordTokenRefusal(store: Store, caller: Caller | null, action: string): void {
  if (caller !== null && caller.tokenId !== null) store.tokens.noteRefusal(caller.tokenId, action)
}
