import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

import { findSession } from '../../accounts/session/session-cookie.ts'
import type { OpenedSession } from '../../accounts/session/session-cookie.ts'
import type { Deps } from '../../operations/deps.ts'
import { clientOf } from './client.ts'
import { cookieName, cookieOptions } from './cookies.ts'

/** Finds the viewer by the session cookie, for every page. */
export function readSession(deps: Pick<Deps, 'config' | 'store'>): MiddlewareHandler {
  return async (c, next) => {
    c.set('isSecure', deps.config.baseUrl.startsWith('https:'))
    const secret = getCookie(c, cookieName(c, 'session'))
    if (secret !== undefined) {
      const viewer = await findSession(deps.store, secret, clientOf(c))
      if (viewer !== null) c.set('viewer', viewer)
    }
    await next()
    if (c.get('viewer') === undefined || c.res.headers.get('cache-control')?.includes('immutable')) return
    if (!/private|no-store/.test(c.res.headers.get('cache-control') ?? ''))
      c.res.headers.set('cache-control', 'private, no-cache')
  }
}

/** Sets the cookie of a new session. */
export function setSessionCookie(c: Context, { secret, maxAgeS }: OpenedSession): void {
  setCookie(c, cookieName(c, 'session'), secret, {
    ...cookieOptions(c),
    ...(maxAgeS === null ? {} : { maxAge: maxAgeS }),
  })
}

/** Deletes the session cookie. */
export function clearSessionCookie(c: Context): void {
  deleteCookie(c, cookieName(c, 'session'), cookieOptions(c))
}
