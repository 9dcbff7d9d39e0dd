import { createHash, timingSafeEqual } from 'node:crypto'

import { invalidInput } from '../options/invalid-input.ts'
import { RequestFault } from './wire/request-fault.ts'

/** Whom a service serves. */
export interface CallerRules {
  /** Whether callers without credentials are isolated from each other. */
  readonly isPublic: boolean
  /** Whether no API key is required. */
  readonly isKeyless: boolean
}

/** A header cannot contain these: control characters and characters beyond Latin-1. */
// oxlint-disable-next-line no-control-regex
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Reads a configured key. The white space around it is dropped, as in the header of a request: a key that is read from a
 * file often ends with a line break. Nothing else than white space is an empty key.
 *
 * @throws CompileInputError for a key that no request can send
 */
export function parseApiKey(name: string, configured: unknown): string {
  if (configured === undefined || configured === null) return ''
  if (typeof configured !== 'string') throw invalidInput(name, 'must be a string')
  const key = configured.trim()
  if (UNSENDABLE.test(key)) throw invalidInput(name, 'cannot be sent as a header: use visible ASCII characters')
  return key
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
