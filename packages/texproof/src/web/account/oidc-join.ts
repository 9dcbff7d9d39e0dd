/** `/login/oidc/join`: a user who signs in through the identity provider for the first time chooses a username. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { openPerson } from '../../accounts/oidc/issuer-step.ts'
import type { PendingPerson } from '../../accounts/oidc/issuer-step.ts'
import { joinByIssuer, suggestLogin } from '../../accounts/oidc/join-by-issuer.ts'
import { startSession } from './start-session.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { formField } from '../ui/form/form-field.ts'
import type { OidcDeps } from './open-issuer-request.ts'
import { formToken, readField } from '../session/form.ts'
import { clearStepCookie, readStepCookie } from '../session/cookies.ts'
import { clientOf } from '../session/client.ts'
import { explainRefusal } from './oidc.ts'

/** The form; the sign-in page for a request that did not come from the identity provider, or that expired. */
export async function showOidcJoin(c: Context, deps: OidcDeps): Promise<Response> {
  const person = await openPerson(deps.config.dataDir, readStepCookie(c, 'oidc-person'))
  if (person === null) return c.redirect('/login', 303)
  return sendForm(c, deps, { person, login: suggestLogin(person), problems: noProblems })
}

/** `POST`: a new account, signed in. */
export async function postOidcJoin(c: Context, deps: OidcDeps): Promise<Response> {
  const { store, config, oidc } = deps
  const person = await openPerson(config.dataDir, readStepCookie(c, 'oidc-person'))
  if (person === null) return c.redirect('/login', 303)
  const login = readField(c, 'login').trim()
  const rules = { isJoinAllowed: oidc.isJoinAllowed, isConfined: config.sandbox !== 'none' }
  const outcome = await joinByIssuer(deps, { person, login, address: clientOf(c).address, rules })
  if (outcome.kind === 'refused')
    return sendForm(c, deps, { person, login, problems: { login: explainRefusal(outcome.reason, oidc.name) } })
  clearStepCookie(c, 'oidc-person')
  return startSession(c, { store }, { user: outcome.user, next: person.next, isRemembered: false })
}

async function sendForm(
  c: Context,
  { oidc, mail }: OidcDeps,
  form: { readonly person: PendingPerson; readonly login: string; readonly problems: FormProblems },
): Promise<Response> {
  const { person, login, problems } = form
  const main = html`<section class="account-form">
    <h1>Create your account</h1>
    <p>
      You are signed in at ${oidc.name}${person.name === null ? '' : html` as ${person.name}`}.
      ${describeEmail(person, mail.isConfigured)}
    </p>
    ${formProblems(problems)}
    <form method="post" action="/login/oidc/join">
      ${formToken(c)}
      ${formField({
        name: 'login',
        label: 'Username',
        autocomplete: 'username',
        value: login,
        hint: 'Letters, digits and hyphens. Part of the address of your repositories.',
        problems,
      })}
      <p><button class="button">Create account</button></p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Create your account', main, status: isRefused(problems) ? 422 : 200 })
}

function describeEmail({ email, unprovedEmail }: PendingPerson, isMailing: boolean): Html | string {
  if (email !== null) return html`Your email address is ${email}. It stays private.`
  if (unprovedEmail === null || !isMailing) return 'Your account has no email address yet. You can add one later.'
  return html`We will email you a link to confirm ${unprovedEmail}. The address stays private.`
}
