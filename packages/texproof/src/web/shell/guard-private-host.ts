/**
 * Access control for hosts that require signing in (`require_sign_in`). It runs before every page, so that no page can
 * omit it: public paths are listed here, and all others are closed, whether they exist or not.
 */
import type { Context, MiddlewareHandler } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { findCaller } from '../session/find-caller.ts'
import { SignInNeeded } from '../session/errors.ts'
import { html } from 'hono/html'

import { isRegistrationOpen } from '../../accounts/join/open-registration.ts'
import { sendPage } from './page.ts'

/** Sign-in pages and their assets, share links, and invitations to repositories, whose address contains a secret. */
const openPaths = [
  '/login',
  '/logout',
  '/join',
  '/setup',
  '/reset',
  '/forgot',
  '/assets',
  '/s',
  '/settings/invitations',
] as const
const openFiles: ReadonlySet<string> = new Set(['/favicon.ico', '/robots.txt'])

/**
 * Refuses anonymous requests if the configuration requires sign-in.
 *
 * @throws SignInNeeded for every address but `/`, which shows a welcome page; BadCredential for an invalid token.
 */
export function guardPrivateHost(deps: Pick<Deps, 'config' | 'papers' | 'store'>): MiddlewareHandler {
  return async (c, next) => {
    if (!deps.config.isSignInRequired || isOpen(c.req.path)) return next()
    if ((await findCaller(c, deps.store)) !== null) {
      await next()
      keepFromSharedCaches(c)
      return
    }
    if (c.req.path === '/') return showPrivateHost(c, deps)
    throw new SignInNeeded()
  }
}

/** Marks public responses as private, because a shared cache would serve them to anonymous clients. */
function keepFromSharedCaches(c: Context): void {
  const kept = c.res.headers.get('cache-control') ?? ''
  if (/\bpublic\b/.test(kept)) c.res.headers.set('cache-control', kept.replace(/\bpublic\b/, 'private'))
}

function isOpen(path: string): boolean {
  return openFiles.has(path) || openPaths.some((open) => path === open || path.startsWith(`${open}/`))
}

/** `/` of a host that requires sign-in: its name, a sign-in link, and whom to ask for an account. */
async function showPrivateHost(
  c: Context,
  { config, papers, store }: Pick<Deps, 'config' | 'papers' | 'store'>,
): Promise<Response> {
  const canJoin = await isRegistrationOpen({ config, papers, store })
  const main = html`<section class="error-page">
    <h1>${config.name}</h1>
    <p>Sign in to read the papers on this host.</p>
    <p class="actions">
      <a class="button" href="/login">Sign in</a>
      ${canJoin ? html`<a href="/join">Create an account</a>` : ''}
    </p>
    ${config.contact === null ? '' : html`<p class="quiet">Administrator: ${config.contact}</p>`}
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: config.name, main, isBare: true })
}
