import type { Context } from 'hono'
import { html } from 'hono/html'

import { localPath } from '../../accounts/session/local-path.ts'
import { findPasskeyParty } from '../../accounts/passkeys/passkey-party.ts'
import { signIn } from '../../accounts/session/sign-in.ts'
import type { PasswordThrottles } from '../../accounts/session/sign-in.ts'
import { isRegistrationOpen } from '../../accounts/join/open-registration.ts'
import { findRegistration } from '../../accounts/join/registration.ts'
import type { Deps } from '../../operations/deps.ts'
import { startSession } from './start-session.ts'
import { formProblems, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { passkeyButton } from '../ui/form/passkey-button.ts'
import { formField } from '../ui/form/form-field.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { viewerOf } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

/** Values of the form, and the problems to show. */
export interface LoginForm {
  readonly name: string
  readonly next: string
  readonly problems: FormProblems
  readonly status?: 200 | 401 | 429 | 503
}

/** `GET /login`: the form; redirects a signed-in user. */
export async function showLogin(c: Context, deps: Deps): Promise<Response> {
  const asked = c.req.query('next')
  const next = asked === undefined ? previousPage(c, deps.config) : localPath(asked)
  if (viewerOf(c) !== null) return c.redirect(next, 303)
  return sendLogin(c, deps, { name: '', next, problems: noProblems })
}

/** `POST /login`. A wrong name and a wrong password get the same response. */
export async function postLogin(c: Context, deps: Deps, throttles: PasswordThrottles): Promise<Response> {
  const { store } = deps
  const name = readField(c, 'name')
  const next = localPath(readField(c, 'next'))
  const client = clientOf(c)
  const outcome = await signIn(store, throttles, { name, password: readField(c, 'password'), client })
  if (outcome.kind === 'throttled') {
    const problems = { form: retryAfter(c, outcome.waitMs) }
    return sendLogin(c, deps, { name, next, problems, status: 429 })
  }
  if (outcome.kind === 'refused')
    return sendLogin(c, deps, { name, next, problems: { name: 'Incorrect username or password.' }, status: 401 })
  const isRemembered = readField(c, 'remember') === 'yes'
  return startSession(c, { store }, { user: outcome.user, next, isRemembered })
}

/** Responds with the form. */
export async function sendLogin(
  c: Context,
  { config, papers, store }: Pick<Deps, 'config' | 'papers' | 'store'>,
  form: LoginForm,
): Promise<Response> {
  const { name, next, problems, status = 200 } = form
  const { mode } = await findRegistration(store)
  const isOpen = await isRegistrationOpen({ config, papers, store })
  const hasPasskeys = findPasskeyParty(config.baseUrl) !== null
  const main = html`<section class="account-form">
    <h1>Sign in</h1>
    ${formProblems(problems)}
    <form method="post" action="/login" data-passkey-form>
      ${formToken(c)}
      <input type="hidden" name="next" value="${next}" />
      ${formField({ name: 'name', label: 'Username or email address', autocomplete: 'username', value: name, problems })}
      ${formField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <p>
        <label><input type="checkbox" name="remember" value="yes" /> Keep me signed in for 30 days</label>
      </p>
      <p><button class="button">Sign in</button></p>
      ${hasPasskeys ? passkeyButton({ act: 'get', action: '/login/passkey', label: 'Sign in with a passkey', isPrimary: false }) : ''}
    </form>
    ${config.oidc === null ? '' : html`<p><a class="drawn-button" href="/login/oidc?next=${encodeURIComponent(next)}">Sign in with ${config.oidc.name}</a></p>`}
    <p>
      <a href="/forgot">Forgot password?</a>
      ${isOpen ? html`· <a href="/join">Create an account</a>` : ''}
    </p>
    ${mode === 'invite' ? html`<p class="quiet">A new account requires an invitation.</p>` : ''}
  </section>`
  return sendPage(c, { title: 'Sign in', main, status, scripts: hasPasskeys ? ['passkey'] : [] })
}

/** Sign-in pages, to which a sign-in never returns. */
const SIGN_IN_PATHS = /^\/(?:login|logout|join|reset|forgot|setup)(?:\/|\?|$)/

/**
 * The page of this host named by the `Referer` header, or `/`. Pages whose text must not depend on their address use it
 * to return after sign-in.
 */
function previousPage(c: Context, { baseUrl }: { readonly baseUrl: string }): string {
  const referer = c.req.header('referer') ?? ''
  if (!URL.canParse(referer)) return '/'
  const { origin, host, pathname, search } = new URL(referer)
  const isOurs = origin === new URL(baseUrl).origin || host === c.req.header('host')
  const path = localPath(`${pathname}${search}`)
  return isOurs && !SIGN_IN_PATHS.test(path) ? path : '/'
}
