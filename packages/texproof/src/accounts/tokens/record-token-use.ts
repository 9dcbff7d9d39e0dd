import type { Caller } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Notes what a caller did with a token, for the list of tokens: `GET /user/repos`, `git push alice/tides`. */
export function recordTokenUse(store: Store, caller: Caller | null, action: string): void {
  if (caller !== null && caller.tokenId !== null) store.tokens.noteUse(caller.tokenId, action)
}

/** Notes what a token was not allowed to do: the action, and what it needs. */
export function recordTokenRefusal(store: Store, caller: Caller | null, action: string): void {
  if (caller !== null && caller.tokenId !== null) store.tokens.noteRefusal(caller.tokenId, action)
}
