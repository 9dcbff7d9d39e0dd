/**
 * Personal access tokens: `pst_`, 30 random base-62 digits, 6 more that check them.
 *
 * The check lets a mistyped or invented token fail without a look into the database, and lets a scanner of leaked
 * secrets tell a real token from a look-alike. 30 digits are 178 bits, so a plain hash is enough to store one.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'pst_'
const secretLength = 30
const checkLength = 6

/** Text of a token that is well formed; that it exists is another matter. */
export function parseToken(text: string): string | null {
  if (!/^pst_[0-9A-Za-z]{36}$/.test(text)) return null
  const secret = text.slice(prefix.length, prefix.length + secretLength)
  return text.endsWith(checkDigits(secret)) ? text : null
}

/** A new token; `randomBelow` gives a whole number under its argument and must be unpredictable. */
export function makeToken(randomBelow: (limit: number) => number): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomBelow(alphabet.length))).join('')
  return prefix + secret + checkDigits(secret)
}

/** SHA-256, hex: the only form in which a token is stored. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'hex')
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
