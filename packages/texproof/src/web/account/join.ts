import type { Context } from 'hono'
import { html } from 'hono/html'

import { describeRegistrationRequest, findVerifiedEmail, findJoinMethod, join } from '../../accounts/join/join.ts'
import type { JoinRefusal } from '../../accounts/join/join.ts'
import { localPath } from '../../accounts/session/local-path.ts'
import { networkOf } from '../../accounts/session/network-of.ts'
import { findRegistration } from '../../accounts/join/registration.ts'
import { openSession } from '../../accounts/session/session-cookie.ts'
import type { Throttle } from '../../base/throttle.ts'
import type { Deps } from '../../operations/deps.ts'
import { isEmail } from '../../accounts/users/add-user.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { formField, passwordRule } from '../ui/form/form-field.ts'
import { formToken, readField } from '../session/form.ts'
import { setSessionCookie } from '../session/session.ts'
import { retryAfter } from '../session/retry-after.ts'
import { clientOf } from '../session/client.ts'
import { viewerOf } from '../session/viewer.ts'
import { sendJoinEmailForm } from './join-email.ts'

/** In the order of the form. Of two sentences for one field, the later one is shown. */
const PROBLEMS: Readonly<Record<JoinRefusal, string>> = {
  'invalid-login': 'Use 1 to 39 letters, digits and single hyphens. The username cannot start or end with a hyphen.',
  'reserved-login': 'This username is reserved. Choose another one.',
  'login-taken': 'This username is taken. Choose another one.',
  'wrong-domain': 'Use an email address of an allowed domain. See below.',
  'invalid-email': 'Invalid email address. Use an address such as alice@uni.example.',
  'email-taken': 'This email address cannot be used on this host. Use another one, or leave the field empty.',
  'invalid-password': passwordRule,
  'expired-invitation': 'This invitation was used or has expired. Ask for a new one.',
  closed: 'Ask the administrator of this host for an account.',
}

const NEEDS_INVITE = 'Open the link of your invitation, or ask the administrator of this host for one.'

const OWN_ACCOUNT = 'An account with your email address already exists. Sign in, or reset its password.'

/** The form field that each refusal concerns. */
const FIELDS: Readonly<Record<JoinRefusal, 'login' | 'email' | 'password' | 'form'>> = {
  'invalid-login': 'login',
  'reserved-login': 'login',
  'login-taken': 'login',
  'invalid-email': 'email',
  'email-taken': 'email',
  'invalid-password': 'password',
  'wrong-domain': 'email',
  'expired-invitation': 'form',
  closed: 'form',
}

/**
 * `GET /join`: the form for users who may create an account; otherwise instructions. A signed-in user has an account: only
 * the link of an unused invitation shows the form, because it creates another one.
 */
export async function showJoin(c: Context, deps: Deps): Promise<Response> {
  const code = c.req.query('code') ?? ''
  const way = await findJoinMethod(deps.store, await describeRegistrationRequest(deps, code))
  const email = (typeof way === 'object' ? way.email : null) ?? ''
  const next = localPath(c.req.query('next'))
  const viewer = viewerOf(c)
  if (viewer !== null && typeof way !== 'object') {
    if (code === '') return c.redirect(next, 303)
    return sendUsedInvitation(c, viewer.login)
  }
  return sendJoin(c, deps, { code, next, login: '', email: isEmail(email) ? email : '', problems: noProblems })
}

/** `POST /join`: creates an account and signs in. */
export async function postJoin(c: Context, deps: Deps, throttle: Throttle): Promise<Response> {
  const [code, login, email] = [readField(c, 'code'), readField(c, 'login'), readField(c, 'email')]
  const form = { code, next: localPath(readField(c, 'next')), login: login.trim(), email: email.trim() }
  const client = clientOf(c)
  const network = networkOf(client.address)
  const waitMs = await throttle.attempt(network)
  if (waitMs > 0) return sendJoin(c, deps, { ...form, problems: { form: retryAfter(c, waitMs) }, status: 429 })
  const outcome = await join(deps, {
    ...(await describeRegistrationRequest(deps, code)),
    address: client.address,
    login: form.login,
    email: form.email === '' ? null : form.email,
    password: readField(c, 'password'),
  })
  if (outcome.kind === 'refused') {
    const { reasons } = outcome
    // Only a verified address is known to belong to this user.
    const isOwn = reasons.includes('email-taken') && deps.mail.isConfigured
    const problems = isOwn ? { form: OWN_ACCOUNT } : explain(reasons)
    return sendJoin(c, deps, { ...form, problems })
  }
  // Invitations are not limited: forty people of one institute often share a network address.
  if (outcome.isInvited) await throttle.forgive(network)
  setSessionCookie(c, await openSession(deps.store, outcome.user, { client, isRemembered: false }))
  return c.redirect(form.next, 303)
}

/** The problems of the fields, in the order of the form. */
function explain(reasons: readonly JoinRefusal[]): FormProblems {
  const ordered = (Object.keys(PROBLEMS) as JoinRefusal[]).filter((reason) => reasons.includes(reason))
  return Object.fromEntries(ordered.map((reason) => [FIELDS[reason], PROBLEMS[reason]]))
}

interface JoinForm {
  readonly code: string
  /** Where the new user continues. */
  readonly next: string
  readonly login: string
  readonly email: string
  readonly problems: FormProblems
  readonly status?: 429
}

async function sendJoin(c: Context, deps: Deps, form: JoinForm): Promise<Response> {
  const { store } = deps
  const { code, next, login, email, problems } = form
  const way = await findJoinMethod(store, await describeRegistrationRequest(deps, code))
  if (way === 'email') return sendJoinEmailForm(c, deps, { email, problems })
  const { mode, emailDomain } = await findRegistration(store)
  if (way === 'closed') {
    const title = mode === 'invite' ? 'Registration requires an invitation' : 'Registration is closed'
    const words = mode === 'invite' ? NEEDS_INVITE : PROBLEMS.closed
    return sendClosed(c, deps, {
      title,
      words: code === '' ? words : (problems['form'] ?? PROBLEMS['expired-invitation']),
    })
  }
  const isMailing = deps.mail.isConfigured
  const invitedEmail = findVerifiedEmail(way, { isMailing })
  const main = html`<section class="account-form">
    <h1>Create your account</h1>
    ${formProblems(problems)}
    <form method="post" action="/join">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      <input type="hidden" name="next" value="${next}" />
      ${formField({
        name: 'login',
        label: 'Username',
        autocomplete: 'username',
        value: login,
        hint: 'Letters, digits and hyphens. Part of the address of your repositories.',
        problems,
      })}
      ${invitedEmail === null ? emailField({ email, domains: way === 'open' ? emailDomain : null, isMailing, problems }) : verifiedEmail(invitedEmail)}
      ${formField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 10 characters.',
        problems,
      })}
      <p><button class="button">Create account</button></p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Create your account', main, status: form.status ?? (isRefused(problems) ? 422 : 200) })
}

/** `domains`: allowed email domains; null = any address, or none. */
function emailField({
  email,
  domains,
  isMailing,
  problems,
}: Pick<JoinForm, 'email' | 'problems'> & { readonly domains: string | null; readonly isMailing: boolean }): Html {
  const rule = domains === null ? ['Optional.'] : [`Must end in @${domains.replaceAll(', ', ' or @')}.`]
  const proof = isMailing ? ['We will email you a link to confirm this address.'] : []
  return formField({
    name: 'email',
    label: 'Email address',
    type: 'email',
    autocomplete: 'email',
    value: email,
    hint: [...rule, ...proof, 'It stays private.'].join(' '),
    isOptional: domains === null,
    problems,
  })
}

function verifiedEmail(email: string): Html {
  return html`<p>Your email address is <b>${email}</b>, confirmed by the link you followed. It stays private.</p>`
}

/** The link of an invitation, opened again by the user who created an account with it. */
function sendUsedInvitation(c: Context, login: string): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>You have an account</h1>
    <p>This invitation was used or has expired. You are signed in as <b>${login}</b>.</p>
    <p><a href="/">Your repositories</a></p>
  </section>`
  return sendPage(c, { title: 'You have an account', main, status: 403 })
}

async function sendClosed(
  c: Context,
  { config }: Deps,
  { title, words }: { readonly title: string; readonly words: string | Html },
): Promise<Response> {
  const issuerName = config.oidc?.isJoinAllowed === true && config.sandbox !== 'none' ? config.oidc.name : null
  const main = html`<section class="account-form">
    <h1>${title}</h1>
    <p>${words}</p>
    ${issuerName === null ? '' : html`<p>Or <a href="/login/oidc">sign in with ${issuerName}</a> to create an account.</p>`}
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title, main, status: 403 })
}
