/** Codes of an authenticator app: six digits that change every 30 seconds, from a secret that the host shares with it. */
import { Secret, TOTP } from 'otpauth'

const secretBytes = 20
const stepMs = 30_000
/** Steps that a clock may be off, either way. */
const drift = 1

/** A fresh secret in base32, as apps take it: 160 bits. */
export function makeTimeSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** The address that an app reads from a QR code: `otpauth://totp/Texproof:alice%40papers.example?secret=…`. */
export function timeSecretAddress(
  secret: string,
  { login, host }: { readonly login: string; readonly host: string },
): string {
  return new TOTP({ issuer: 'Texproof', label: `${login}@${host}`, secret: Secret.fromBase32(secret) }).toString()
}

/**
 * Which step a code belongs to, one to either side of now; null when it does not fit. Whether the step was used is for
 * the store to say.
 *
 * Source: RFC 6238 with the values that apps take for granted: SHA-1, six digits, 30 seconds.
 */
export function findTimeStep(secret: string, code: string, now: number = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: drift })
  return delta === null ? null : Math.floor(now / stepMs) + delta
}
