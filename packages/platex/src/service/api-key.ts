import { createHash, timingSafeEqual } from 'node:crypto'

import { RequestFault } from './wire/request-fault.ts'

/** Says whether the value of an `Authorization` header carries the key. */
export type KeyCheck = (authorization: string | null) => boolean

/** Compares digests in constant time, so that neither length nor a common beginning shows. No key admits everybody. */
export function createKeyCheck(apiKey: string | null): KeyCheck {
  if (apiKey === null) return () => true
  const expected = digest(apiKey)
  return (authorization) => {
    const given = /^bearer +(\S.*?) *$/i.exec(authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

/**
 * Names the caller of a request for caches and sessions: callers with other credentials have another name.
 *
 * Callers without credentials are one, unless the service is public: then they have no name, and nothing is kept for them.
 */
export function ownerOf(authorization: string | null, { isPublic }: { readonly isPublic: boolean }): string | null {
  if (authorization === null) return isPublic ? null : 'anonymous'
  return digest(authorization).toString('hex')
}

/** The one answer to a missing, a malformed and a wrong key. */
export function unauthorized(): RequestFault {
  return new RequestFault('A valid API key is needed: send it as "Authorization: Bearer <key>".', {
    status: 401,
    code: 'unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer realm="compile"' },
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
