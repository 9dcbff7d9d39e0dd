import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import type { StepSecret } from '../../accounts/session/step-secret.ts'

/** What goes on from one page to the next: a sign-in, a question to a passkey, a way by an issuer and whom it sent. */
export type Step = 'second-step' | 'passkey' | 'oidc' | 'oidc-person'

/** Gives the browser the cookie of a step. */
export function setStepCookie(c: Context, step: Step, { secret, maxAgeS }: StepSecret): void {
  setCookie(c, cookieName(c, step), secret, { ...cookieOptions(c), maxAge: maxAgeS })
}

/** The secret of a step; empty when the browser has none. */
export function readStepCookie(c: Context, step: Step): string {
  return getCookie(c, cookieName(c, step)) ?? ''
}

/** Takes the cookie of a step away. */
export function clearStepCookie(c: Context, step: Step): void {
  deleteCookie(c, cookieName(c, step), cookieOptions(c))
}

/** `__Host-` binds a cookie to this host and to TLS; browsers refuse it on plain HTTP. */
export function cookieName(c: Context, name: string): string {
  return c.get('isSecure') === true ? `__Host-texproof-${name}` : `texproof-${name}`
}

/** Out of reach of scripts and other sites. */
export function cookieOptions(c: Context) {
  return { path: '/', httpOnly: true, secure: c.get('isSecure') === true, sameSite: 'Lax' } as const
}
