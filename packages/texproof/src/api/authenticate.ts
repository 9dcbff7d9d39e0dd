import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { hasTwoAuthorizations } from '../base/http/has-two-authorizations.ts'
import type { Caller } from '../domain/types.ts'
import { authenticateHash } from '../accounts/tokens/authenticate-token.ts'
import { hashOfToken } from '../domain/token.ts'
import type { Store } from '../store/store.ts'
import { badCredentials } from './api-error.ts'

/**
 * The caller of a request; null without an `Authorization` header. Cookies and query parameters are ignored.
 *
 * @throws ApiError 401 if the header contains anything but one valid token.
 * Source: REST specification §5; contract §9.
 */
export async function authenticate(request: IncomingMessage, store: Store): Promise<Caller | null> {
  const header = request.headers.authorization
  if (header === undefined) return null
  const hash = hasTwoAuthorizations(request) ? null : readHash(request.socket, header)
  const caller = hash === null ? null : await authenticateHash(store, hash)
  if (caller === null) throw badCredentials()
  return caller
}

/** The last valid header of each connection, which most send again: to check and hash a token takes as long as to find it. */
const lastHeaders = new WeakMap<Socket, { readonly header: string; readonly hash: string }>()

function readHash(socket: Socket, header: string): string | null {
  const last = lastHeaders.get(socket)
  if (last?.header === header) return last.hash
  const token = /^(?:token|bearer) +(\S+)$/i.exec(header)?.[1]
  const hash = token === undefined ? null : hashOfToken(token)
  if (hash !== null) lastHeaders.set(socket, { header, hash })
  return hash
}
