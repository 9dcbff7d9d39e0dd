import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import type { StepSecret } from '../../accounts/session/step-secret.ts'

/**
 * State kept between pages: a pending second factor, a passkey challenge, an OpenID Connect request and its user. Each request
 * has its own cookie, because several tabs may be at the identity provider.
 */
export type Step = 'second-step' | 'passkey' | `oidc.${string}` | 'oidc-person'

/** Sets the cookie of a step. */
export function setStepCookie(c: Context, step: Step, { secret, maxAgeS }: StepSecret): void {
  setCookie(c, cookieName(c, step), secret, { ...cookieOptions(c), maxAge: maxAgeS })
}

/** The secret of a step; empty without a cookie. */
export function readStepCookie(c: Context, step: Step): string {
  return getCookie(c, cookieName(c, step)) ?? ''
}

/** The steps whose names start with `prefix` and that have a cookie. */
export function listSteps(c: Context, prefix: 'oidc.'): readonly Step[] {
  const start = cookieName(c, prefix)
  const names = Object.keys(getCookie(c)).filter((name) => name.startsWith(start))
  return names.map((name): Step => `${prefix}${name.slice(start.length)}`)
}

/** Deletes the cookie of a step. */
export function clearStepCookie(c: Context, step: Step): void {
  deleteCookie(c, cookieName(c, step), cookieOptions(c))
}

/** `__Host-` binds a cookie to this host and to TLS; browsers refuse it on plain HTTP. */
export function cookieName(c: Context, name: string): string {
  return c.get('isSecure') === true ? `__Host-texproof-${name}` : `texproof-${name}`
}

/** Options of cookies that are not accessible to scripts and other sites. */
export function cookieOptions(c: Context) {
  return { path: '/', httpOnly: true, secure: c.get('isSecure') === true, sameSite: 'Lax' } as const
}

/** Longer than a slow browser needs for the next page. */
const NEXT_PAGE_MAX_AGE_S = 60

/**
 * Responds to a form with another page, which takes the value from a cookie: the name of a notice, or a secret that was made,
 * of which only the hash is stored. Reloading that page repeats nothing.
 */
export function redirectWithValue(c: Context, path: string, name: 'notice' | 'made', value: string): Response {
  setCookie(c, cookieName(c, name), value, { ...cookieOptions(c), maxAge: NEXT_PAGE_MAX_AGE_S })
  return c.redirect(path, 303)
}

/** The value for this page, which no later page gets; null = none. Others may have set the cookie. */
export function takeValue(c: Context, name: 'notice' | 'made'): string | null {
  const value = getCookie(c, cookieName(c, name))
  if (value === undefined) return null
  deleteCookie(c, cookieName(c, name), cookieOptions(c))
  return value
}
