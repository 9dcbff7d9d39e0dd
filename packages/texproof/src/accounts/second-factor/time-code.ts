/** Codes of an authenticator app: six digits that change every 30 seconds, computed from a shared secret. */
import { Secret, TOTP } from 'otpauth'

const secretBytes = 20
const stepMs = 30_000
/** Steps that a clock may be off in either direction. */
const drift = 1

/** A new secret of 160 bits in base32, the format of apps. */
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
 * The time step of a code, at most one from now; null if it does not match. The store checks whether the step was used.
 *
 * Source: RFC 6238 with the defaults of apps: SHA-1, six digits, 30 seconds.
 */
export function findTimeStep(secret: string, code: string, now: number = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: drift })
  return delta === null ? null : Math.floor(now / stepMs) + delta
}
