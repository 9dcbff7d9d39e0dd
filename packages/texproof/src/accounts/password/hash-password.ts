/**
 * Passwords are stored as scrypt hashes that contain their parameters, `scrypt$17$8$1$salt$key`, so that the cost can
 * be raised later without locking anyone out.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { ScryptOptions } from 'node:crypto'

const cost = { logN: 17, r: 8, p: 1 }
const saltBytes = 16
const keyBytes = 32

/** Maximum bytes of a password: a longer one only costs time. */
export const maxPasswordBytes = 1_024

/** Hashes a password with a new salt. Takes some tenths of a second and 128 MB, off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const key = await deriveKey(password, salt, cost)
  return formatHash(salt, key)
}

/** A hash that matches no password and takes as long to compare as any other: for accounts that do not exist. */
export const hashOfNobody = formatHash(Buffer.alloc(saltBytes), Buffer.alloc(keyBytes))

/** Whether a password matches a hash; false for a hash in an unknown format. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored)
  if (parts === null || Buffer.byteLength(password) > maxPasswordBytes) return false
  const [, logN, r, p, salt = '', key = ''] = parts
  const expected = Buffer.from(key, 'base64url')
  const options = { logN: Number(logN), r: Number(r), p: Number(p) }
  const actual = await deriveKey(password, Buffer.from(salt, 'base64url'), options)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

function formatHash(salt: Buffer, key: Buffer): string {
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

function deriveKey(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  const N = 2 ** options.logN
  // OpenSSL counts slightly more than the 128·N·r bytes that it uses.
  const limits: ScryptOptions = { N, r: options.r, p: options.p, maxmem: 256 * N * options.r }
  return new Promise((resolve, reject) => {
    // Normalized, because keyboards may send different code points for the same character.
    scrypt(password.normalize('NFKC'), salt, keyBytes, limits, (error, key) => {
      if (error === null) resolve(key)
      else reject(new Error('derive key from password', { cause: error }))
    })
  })
}
