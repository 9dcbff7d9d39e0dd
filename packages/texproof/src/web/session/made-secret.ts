import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import { cookieName, cookieOptions } from './cookies.ts'

/** Longer than a slow browser needs for the next page. */
const MAX_AGE_S = 60

/**
 * Responds to a form that created a secret text with another page, which shows it once: only its hash is stored. Reloading
 * that page creates no other one.
 */
export function redirectWithSecret(c: Context, path: string, text: string): Response {
  setCookie(c, cookieName(c, 'made'), text, { ...cookieOptions(c), maxAge: MAX_AGE_S })
  return c.redirect(path, 303)
}

/**
 * The secret that was created just now, which no later page gets; null = none. Others may have set the cookie: the page looks
 * it up.
 */
export function takeSecret(c: Context): string | null {
  const text = getCookie(c, cookieName(c, 'made'))
  if (text === undefined) return null
  deleteCookie(c, cookieName(c, 'made'), cookieOptions(c))
  return text
}
