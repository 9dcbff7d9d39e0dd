import { randomInt } from 'node:crypto'

import { hashToken, makeToken } from '../../domain/token.ts'
import type { Scope, Token } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Details of a new token. */
export interface TokenDetails {
  readonly userId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Epoch milliseconds; null = never. */
  readonly expiresAt: number | null
}

/** Creates an access token. Only the return value contains its text. */
export async function createToken(
  store: Store,
  details: TokenDetails,
): Promise<{ readonly token: Token; readonly text: string }> {
  const text = makeToken(randomInt)
  const token = await store.tokens.add({ ...details, hash: hashToken(text) })
  return { token, text }
}
