/**
 * The door of a host that shows nothing to strangers (`require_sign_in`). It stands before every page, so that no page
 * can be forgotten: what is open is listed here, and everything else is shut, whether it exists or not.
 */
import type { Context, MiddlewareHandler } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { findCaller } from '../session/find-caller.ts'
import { showClosedDoor } from './closed-door.ts'
import { SignInNeeded } from '../session/errors.ts'

/** Ways in, what their pages are drawn with, and links that somebody gave out. */
const openPaths = ['/login', '/logout', '/join', '/setup', '/reset', '/forgot', '/assets', '/s'] as const
const openFiles: ReadonlySet<string> = new Set(['/favicon.ico', '/robots.txt'])

/**
 * Refuses whoever is not signed in where the configuration wants it.
 *
 * @throws SignInNeeded for every address but `/`, which says whose host this is; BadCredential for a token that opens
 * nothing.
 */
export function guardPrivateHost(deps: Pick<Deps, 'config' | 'papers' | 'store'>): MiddlewareHandler {
  return async (c, next) => {
    if (!deps.config.isSignInRequired || isOpen(c.req.path)) return next()
    if ((await findCaller(c, deps.store)) !== null) {
      await next()
      keepFromSharedCaches(c)
      return
    }
    if (c.req.path === '/') return showClosedDoor(c, deps)
    throw new SignInNeeded()
  }
}

/** What everybody here may read is public to its page, but a cache in front of this host would hand it to strangers. */
function keepFromSharedCaches(c: Context): void {
  const kept = c.res.headers.get('cache-control') ?? ''
  if (/\bpublic\b/.test(kept)) c.res.headers.set('cache-control', kept.replace(/\bpublic\b/, 'private'))
}

function isOpen(path: string): boolean {
  return openFiles.has(path) || openPaths.some((open) => path === open || path.startsWith(`${open}/`))
}
