import { createHash, timingSafeEqual } from 'node:crypto'

import { RequestFault } from './wire/request-fault.ts'

/** True if the value of an `Authorization` header contains the key. */
export type KeyCheck = (authorization: string | null) => boolean

/**
 * Compares digests in constant time, so that neither the length nor a common prefix is revealed. Without a key, all
 * requests are accepted.
 */
export function createKeyCheck(apiKey: string | null): KeyCheck {
  if (apiKey === null) return () => true
  const expected = digest(apiKey)
  return (authorization) => {
    // Greedy up to the last character that is no space: linear, also for thousands of spaces inside.
    const given = /^bearer +(\S(?:.*[^ ])?) *$/i.exec(authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

/**
 * Identifies the caller of a request for caches and sessions: different credentials have different ids.
 *
 * Callers without credentials share one id, unless the service is public: then they have none, and nothing is stored
 * for them.
 */
export function ownerOf(authorization: string | null, { isPublic }: { readonly isPublic: boolean }): string | null {
  if (authorization === null) return isPublic ? null : 'anonymous'
  return digest(authorization).toString('hex')
}

/** The response to a missing, malformed or wrong key. */
export function unauthorized(): RequestFault {
  return new RequestFault('A valid API key is required: send it as "Authorization: Bearer <key>".', {
    status: 401,
    code: 'unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer realm="compile"' },
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
