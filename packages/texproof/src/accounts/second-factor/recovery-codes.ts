/**
 * Codes on paper, for the day the phone is gone. Each has 80 random bits, so a plain hash is enough; they do not depend
 * on the sealing key, so they still open when that is lost. Letters that look like digits are read as these.
 */
import { hash, randomBytes } from 'node:crypto'

const codesAtOnce = 10
const codeLength = 16
/** Crockford's base 32: no i, l, o, u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Codes as they are shown once, `4gk8-w2mp-…`, and as they are stored. */
export interface RecoveryCodes {
  readonly texts: readonly string[]
  readonly hashes: readonly string[]
}

/** Makes ten codes of one user. */
export function makeRecoveryCodes(userId: string): RecoveryCodes {
  const texts = Array.from({ length: codesAtOnce }, makeCode)
  return { texts, hashes: texts.map((text) => hashRecoveryCode(userId, text) ?? '') }
}

/** The stored form of a code, however it was typed; null for what is no such code. */
export function hashRecoveryCode(userId: string, typed: string): string | null {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1')
  if (code.length !== codeLength || [...code].some((email) => !alphabet.includes(email))) return null
  return hash('sha256', `${userId}:${code}`, 'hex')
}

function makeCode(): string {
  // 256 is a multiple of 32: every email is as likely as another.
  const emails = [...randomBytes(codeLength)].map((byte) => alphabet[byte % alphabet.length] ?? '')
  return emails.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}
