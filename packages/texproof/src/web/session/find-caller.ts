import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { readCredential } from '../../domain/read-credential.ts'
import { allScopes } from '../../domain/scopes.ts'
import type { Caller } from '../../domain/types.ts'
import { authenticateToken } from '../../accounts/tokens/authenticate-token.ts'
import { networkOf } from '../../accounts/session/network-of.ts'
import { clientOf } from './client.ts'
import { BadCredential } from './errors.ts'
import { viewerOf } from './viewer.ts'

/**
 * The user who requests a page: by the token in the `Authorization` header, so that scripts can download private PDFs,
 * otherwise by the session; null = anonymous. Forms use the session alone. Found once per request.
 *
 * @throws BadCredential for an invalid token.
 */
export function findCaller(c: Context, store: Deps['store']): Promise<Caller | null> {
  const known = c.get('caller') as Promise<Caller | null> | undefined
  if (known !== undefined) return known
  const caller = authenticate(c, store)
  c.set('caller', caller)
  return caller
}

async function authenticate(c: Context, store: Deps['store']): Promise<Caller | null> {
  const credential = readCredential(c.req.header('authorization'))
  const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
  if (credential.kind === 'none' || !isReading) return findSignedIn(c)
  const caller = await authenticateToken(store, credential.token)
  if (caller === null) throw new BadCredential()
  return caller
}

/** The key of a client in limits: its user, or the network of an anonymous one. */
export async function findRequesterId(c: Context, store: Deps['store']): Promise<string> {
  return (await findCaller(c, store))?.user.id ?? networkOf(clientOf(c).address)
}

/** The user of the session, whatever token was sent; null = anonymous. */
export function findSignedIn(c: Context): Caller | null {
  const user = viewerOf(c)
  return user === null ? null : { user, scopes: allScopes, tokenId: null }
}
