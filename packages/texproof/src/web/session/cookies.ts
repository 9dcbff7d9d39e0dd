import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import type { StepSecret } from '../../accounts/session/step-secret.ts'

/** State kept between pages: a pending second factor, a passkey challenge, an OpenID Connect request and its user. */
export type Step = 'second-step' | 'passkey' | 'oidc' | 'oidc-person'

/** Sets the cookie of a step. */
export function setStepCookie(c: Context, step: Step, { secret, maxAgeS }: StepSecret): void {
  setCookie(c, cookieName(c, step), secret, { ...cookieOptions(c), maxAge: maxAgeS })
}

/** The secret of a step; empty without a cookie. */
export function readStepCookie(c: Context, step: Step): string {
  return getCookie(c, cookieName(c, step)) ?? ''
}

/** Deletes the cookie of a step. */
export function clearStepCookie(c: Context, step: Step): void {
  deleteCookie(c, cookieName(c, step), cookieOptions(c))
}

/** `__Host-` binds a cookie to this host and to TLS; browsers refuse it on plain HTTP. */
export function cookieName(c: Context, name: string): string {
  return c.get('isSecure') === true ? `__Host-texproof-${name}` : `texproof-${name}`
}

/** Not accessible to scripts and other sites. */
export function cookieOptions(c: Context) {
  return { path: '/', httpOnly: true, secure: c.get('isSecure') === true, sameSite: 'Lax' } as const
}
