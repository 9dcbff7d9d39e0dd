import type { Context, Env, Hono } from 'hono'

import { issuerCallback } from '../../accounts/oidc/issuer-callback.ts'
import { openIssuer } from '../../accounts/oidc/open-issuer.ts'
import type { Deps } from '../../operations/deps.ts'
import { NotFound } from '../session/errors.ts'
import type { OidcDeps } from './open-issuer-request.ts'
import { postOidcJoin, showOidcJoin } from './oidc-join.ts'
import { finishOidc, startOidc } from './oidc.ts'
import { postLinkIssuer, postUnlinkIssuer, showIssuerSettings } from './oidc-link.ts'

/** Sign-in through the identity provider; no routes without one. */
export function addOidcRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const oidcDeps = openOidc(deps)
  const page =
    (answer: (c: Context, deps: OidcDeps) => Promise<Response>) =>
    (c: Context): Promise<Response> => {
      if (oidcDeps === null) throw new NotFound()
      return answer(c, oidcDeps)
    }
  app.get('/login/oidc', page(startOidc))
  app.get(issuerCallback, page(finishOidc))
  app.get('/login/oidc/join', page(showOidcJoin))
  app.post('/login/oidc/join', page(postOidcJoin))
  app.get('/settings/security/oidc', page(showIssuerSettings))
  app.post('/settings/security/oidc/link', page(postLinkIssuer))
  app.post('/settings/security/oidc/unlink', page(postUnlinkIssuer))
}

function openOidc(deps: Deps): OidcDeps | null {
  const { oidc } = deps.config
  if (oidc === null) return null
  const onProblem = (detail: string): void =>
    deps.log.warn({ component: 'oidc', detail }, 'the issuer is not responding')
  return { ...deps, oidc, issuer: openIssuer(oidc, { onProblem }) }
}
