/**
 * Access tokens: `pst_`, 30 random base-62 digits, and a checksum of 6 digits.
 *
 * With the checksum, a mistyped token is refused without a database query, and scanners for leaked secrets can detect
 * real tokens. 30 digits are 178 bits, so a plain hash is sufficient to store a token.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'pst_'
const workerPrefix = 'psw_'
const secretLength = 30
const checkLength = 6

/** Returns the text if it is a well-formed token, which may not exist. */
export function parseToken(text: string): string | null {
  if (!/^pst_[0-9A-Za-z]{36}$/.test(text)) return null
  const secret = text.slice(prefix.length, prefix.length + secretLength)
  return text.endsWith(checkDigits(secret)) ? text : null
}

/** Creates a token; `randomBelow` returns an integer below its argument and must be unpredictable. */
export function makeToken(randomBelow: (limit: number) => number): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomBelow(alphabet.length))).join('')
  return prefix + secret + checkDigits(secret)
}

/** Creates the key of a worker, in the same form with another prefix. */
export function makeWorkerKey(randomBelow: (limit: number) => number): string {
  return makeToken(randomBelow).replace(prefix, workerPrefix)
}

/** Returns the text if it is a well-formed worker key, which may not exist. */
export function parseWorkerKey(text: string): string | null {
  const isKey = text.startsWith(workerPrefix) && parseToken(text.replace(workerPrefix, prefix)) !== null
  return isKey ? text : null
}

/** SHA-256, hex: the only form in which a token is stored. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'hex')
}

/** The hash of a text that is a well-formed token; otherwise null. */
export function hashOfToken(text: string): string | null {
  return parseToken(text) === null ? null : hashToken(text)
}

function checkDigits(secret: string): string {
  let rest = crc32(secret)
  let digits = ''
  for (let index = 0; index < checkLength; index += 1) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
