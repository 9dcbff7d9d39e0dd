/**
 * Recovery codes for users who have lost their phone. Each has 80 random bits, so a plain hash is enough. They do not
 * depend on the sealing key, so they still work if it is lost. Characters that look like digits are read as digits.
 */
import { hash, randomBytes } from 'node:crypto'

const codesAtOnce = 10
const codeLength = 16
/** Crockford's base 32: no i, l, o, u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Codes as shown once, `4gk8-w2mp-…`, and as stored. */
export interface RecoveryCodes {
  readonly texts: readonly string[]
  readonly hashes: readonly string[]
}

/** Creates ten codes of one user. */
export function makeRecoveryCodes(userId: string): RecoveryCodes {
  const texts = Array.from({ length: codesAtOnce }, makeCode)
  return { texts, hashes: texts.map((text) => hashRecoveryCode(userId, text) ?? '') }
}

/** The stored form of a code, in whichever spelling it was typed; null if it is not a recovery code. */
export function hashRecoveryCode(userId: string, typed: string): string | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  if (code.length !== codeLength || [...code].some((symbol) => !alphabet.includes(symbol))) return null
  return hash('sha256', `${userId}:${code}`, 'hex')
}

function makeCode(): string {
  // 256 is a multiple of 32: every character is equally likely.
  const symbols = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length] ?? '')
  return symbols.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}
