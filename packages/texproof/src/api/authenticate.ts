import type { IncomingMessage } from 'node:http'

import type { Caller } from '../domain/types.ts'
import { authenticateToken } from '../accounts/tokens/authenticate-token.ts'
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
  const credential = /^(?:token|bearer) +(\S+)$/i.exec(header)
  if (credential === null || credential[1] === undefined || sendsTwo(request)) throw badCredentials()
  const caller = await authenticateToken(store, credential[1])
  if (caller === null) throw badCredentials()
  return caller
}

/** Node keeps the first of two headers; a proxy in front may have checked the other. */
function sendsTwo(request: IncomingMessage): boolean {
  const { rawHeaders } = request
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 13 && name.toLowerCase() === 'authorization') count += 1
  }
  return count > 1
}
