import { createHash, timingSafeEqual } from 'node:crypto'

import { RequestFault } from './wire/request-fault.ts'

/** Whom a service serves. */
export interface CallerRules {
  /** Whether callers without credentials are isolated from each other. */
  readonly isPublic: boolean
  /** Whether no API key is required. */
  readonly isKeyless: boolean
}

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
    // Greedy up to the last character that is not a space: linear, even for thousands of spaces inside.
    const given = /^bearer +(\S(?:.*[^ ])?) *$/i.exec(authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), expected)
  }
}

/**
 * Identifies the caller of a request for caches and sessions: different credentials have different ids.
 *
 * Callers without credentials share one id, unless the service is public: then they have none, and nothing is stored
 * for them. If it has no key either, credentials are unchecked and identify nobody: anyone may send any.
 */
export function ownerOf(authorization: string | null, { isPublic, isKeyless }: CallerRules): string | null {
  if (isPublic && (isKeyless || authorization === null)) return null
  return authorization === null ? 'anonymous' : digest(authorization).toString('hex')
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
