/** Sign-in through OpenID Connect: redirect to the issuer, callback, and a username on first sign-in. */
import type { Context } from 'hono'

import { localPath } from '../../accounts/session/local-path.ts'
import { issuerCallback } from '../../accounts/oidc/issuer-callback.ts'
import { openRequest, sealPerson } from '../../accounts/oidc/issuer-step.ts'
import type { PendingRequest } from '../../accounts/oidc/issuer-step.ts'
import { refuseJoin } from '../../accounts/oidc/join-by-issuer.ts'
import type { IdentityJoinRefusal } from '../../accounts/oidc/join-by-issuer.ts'
import { linkIdentity } from '../../accounts/oidc/link-identity.ts'
import type { ExternalIdentity } from '../../accounts/oidc/open-issuer.ts'
import { startSession } from './start-session.ts'
import { issuerStep, openIssuerRequest } from './open-issuer-request.ts'
import type { OidcDeps } from './open-issuer-request.ts'
import { clearStepCookie, setStepCookie, readStepCookie } from '../session/cookies.ts'
import { viewerOf } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'
import { sendIssuerSettings } from './oidc-link.ts'
import { sendLogin } from './login.ts'

/** `GET /login/oidc?next=`: redirects to the issuer. */
export async function startOidc(c: Context, deps: OidcDeps): Promise<Response> {
  const next = localPath(c.req.query('next'))
  if (viewerOf(c) !== null) return c.redirect(next, 303)
  const url = await openIssuerRequest(c, deps, { next, linksUserId: null })
  return url === null ? sendUnreachable(c, deps, next) : c.redirect(url, 302)
}

/** `GET /login/oidc/callback`: the response of the issuer. The state in the browser is used once, whatever happens. */
export async function finishOidc(c: Context, deps: OidcDeps): Promise<Response> {
  const { config, issuer, oidc, log } = deps
  const step = issuerStep(c.req.query('state') ?? '')
  const request = await openRequest(config.dataDir, readStepCookie(c, step))
  clearStepCookie(c, step)
  if (request === null)
    return refuse(c, deps, {
      next: '/',
      problem: 'This sign-in was started in another browser or more than 10 minutes ago. Try again.',
    })
  const { search } = new URL(c.req.url)
  const outcome = await issuer.finish(new URL(`${config.baseUrl}${issuerCallback}${search}`), request)
  if (outcome.kind === 'verified') {
    if (request.linksUserId !== null) return finishLink(c, deps, { person: outcome.person, request })
    return enter(c, deps, { person: outcome.person, next: request.next })
  }
  log.warn({ component: 'oidc', outcome: outcome.kind, detail: outcome.detail }, 'sign-in by issuer')
  const problem = {
    declined: `Sign-in with ${oidc.name} was cancelled or denied. Try again.`,
    'not-trusted': `The response of ${oidc.name} could not be verified. Try again. The reason is in the server log.`,
    unreachable: `${oidc.name} is not responding. Sign in with your password, or try again in a minute.`,
  }[outcome.kind]
  return refuse(c, deps, { next: request.next, problem })
}

/** Signs in a user of the identity provider: as with a password, followed by the second factor if there is one. */
async function enter(
  c: Context,
  deps: OidcDeps,
  { person, next }: { readonly person: ExternalIdentity; readonly next: string },
): Promise<Response> {
  const { store, config, oidc } = deps
  const user = await store.identities.findUser(person)
  if (user?.isDisabled)
    return refuse(c, deps, { next, problem: 'This account is disabled. Ask the administrator of this host.' })
  if (user !== null) return startSession(c, { store }, { user, next, isRemembered: false })
  const rules = { isJoinAllowed: oidc.isJoinAllowed, isConfined: config.sandbox !== 'none' }
  const reason = await refuseJoin(store, person, rules)
  if (reason !== null) return refuse(c, deps, { next, problem: explainRefusal(reason, oidc.name) })
  setStepCookie(c, 'oidc-person', await sealPerson(config.dataDir, { ...person, next }))
  return c.redirect('/login/oidc/join', 303)
}

async function finishLink(
  c: Context,
  deps: OidcDeps,
  { person, request }: { readonly person: ExternalIdentity; readonly request: PendingRequest },
): Promise<Response> {
  const { store, oidc } = deps
  const user = viewerOf(c)
  if (user === null || user.id !== request.linksUserId)
    return refuse(c, deps, {
      next: '/',
      problem: 'You are no longer signed in to the account with which you started. Sign in and start again.',
    })
  const refusal = await linkIdentity(store, { user, person }, { issuerName: oidc.name, address: clientOf(c).address })
  if (refusal === null) return c.redirect('/settings/security/oidc', 303)
  const problem =
    refusal === 'linked-already'
      ? `Another account of ${oidc.name} is linked. Unlink it first.`
      : `This account of ${oidc.name} is linked to another user.`
  return sendIssuerSettings(c, deps, { form: problem })
}

/** Explains why a user of the identity provider gets no account. */
export function explainRefusal(reason: IdentityJoinRefusal, name: string): string {
  switch (reason) {
    case 'closed':
      return `No account on this host is linked to your account at ${name}. Sign in with your password, then link it under Settings, Security.`
    case 'no-verified-email':
      return `${name} has not verified your email address. Accounts on this host require a verified address.`
    case 'wrong-domain':
      return 'The domain of your email address is not allowed on this host. Ask the administrator for an account.'
    case 'email-taken':
      return `An account with your email address already exists. Sign in with its password, then link ${name} under Settings, Security.`
    case 'linked-elsewhere':
      return `You already have an account on this host. Sign in with ${name} again.`
    case 'login-taken':
      return 'This username is taken. Choose another one.'
    case 'reserved-login':
      return 'This username is reserved. Choose another one.'
    case 'invalid-login':
      return 'Use 1 to 39 letters, digits and single hyphens. The username cannot start or end with a hyphen.'
    case 'invalid-email':
    case 'invalid-password':
      return `Your ${name} profile cannot be used to create an account here. Ask the administrator.`
  }
}

/** The sign-in page with the problem; the password remains available. */
function refuse(
  c: Context,
  deps: OidcDeps,
  { next, problem }: { readonly next: string; readonly problem: string },
): Promise<Response> {
  return sendLogin(c, deps, { name: '', next, problems: { form: problem }, status: 401 })
}

function sendUnreachable(c: Context, deps: OidcDeps, next: string): Promise<Response> {
  c.header('retry-after', '60')
  const problem = `${deps.oidc.name} is not responding. Sign in with your password, or try again in a minute.`
  return sendLogin(c, deps, { name: '', next, problems: { form: problem }, status: 503 })
}
