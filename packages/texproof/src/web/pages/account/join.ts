import type { Context } from 'hono'
import { html } from 'hono/html'

import { findInvite } from '../../../accounts/invite.ts'
import { findWayIn, join } from '../../../accounts/join.ts'
import type { Arrival, JoinRefusal } from '../../../accounts/join.ts'
import { networkOf } from '../../../accounts/network-of.ts'
import { findRegistration } from '../../../accounts/registration.ts'
import { openSession } from '../../../accounts/session-cookie.ts'
import type { Throttle } from '../../../accounts/throttle.ts'
import type { Deps } from '../../../deps.ts'
import { isEmail } from '../../../operations/add-user.ts'
import { formProblems, isRefused, noProblems } from '../../components/form-problems.ts'
import type { FormProblems } from '../../components/form-problems.ts'
import type { Html } from '../../components/html.ts'
import { sendPage } from '../../components/page.ts'
import { formField, passwordRule } from '../../components/sign-form.ts'
import { formToken, keepSession, readField } from '../../access/session.ts'
import { tellToWait } from '../../access/tell-to-wait.ts'
import { visitorOf } from '../../access/visitor.ts'
import { sendJoinLetter } from './join-letter.ts'

const PROBLEMS: Readonly<Record<JoinRefusal, string>> = {
  'invalid-login': 'A user name has 1 to 39 letters, digits and hyphens, and no hyphen at either end.',
  'login-taken': 'This user name is taken. Choose another one.',
  'invalid-email': 'This is not an e-mail address. Write one such as alice@uni.example.',
  'email-taken': 'There is an account with this e-mail address. Sign in with it.',
  'invalid-password': passwordRule,
  'wrong-domain': 'Accounts here need an e-mail address of the domain named below.',
  'dead-invite': 'This invitation has been used or is too old. Ask for another one.',
  closed: 'Accounts are made by the administrator of this host.',
}

/** What each refusal is about. */
const FIELDS: Readonly<Record<JoinRefusal, 'login' | 'email' | 'password' | 'form'>> = {
  'invalid-login': 'login',
  'login-taken': 'login',
  'invalid-email': 'email',
  'email-taken': 'email',
  'invalid-password': 'password',
  'wrong-domain': 'email',
  'dead-invite': 'form',
  closed: 'form',
}

/** `GET /join`: the form, for whoever may make an account; what to do, for everybody else. */
export async function showJoin(c: Context, deps: Deps): Promise<Response> {
  const code = c.req.query('code') ?? ''
  const email = (await findInvite(deps.store, code))?.email ?? ''
  return sendJoin(c, deps, { code, login: '', email: isEmail(email) ? email : '', problems: noProblems })
}

/** `POST /join`: a new account, signed in. */
export async function postJoin(c: Context, deps: Deps, throttle: Throttle): Promise<Response> {
  const { store } = deps
  const [code, login, email] = await Promise.all([readField(c, 'code'), readField(c, 'login'), readField(c, 'email')])
  const form = { code, login: login.trim(), email: email.trim() }
  const visitor = visitorOf(c)
  const network = networkOf(visitor.address)
  const waitMs = throttle.attempt(network)
  if (waitMs > 0) return sendJoin(c, deps, { ...form, problems: { form: tellToWait(c, waitMs) }, status: 429 })
  const outcome = await join(store, {
    ...arrivalOf(deps, code),
    login: form.login,
    email: form.email === '' ? null : form.email,
    password: await readField(c, 'password'),
  })
  if (outcome.kind === 'refused') {
    const { reason } = outcome
    return sendJoin(c, deps, { ...form, problems: { [FIELDS[reason]]: PROBLEMS[reason] } })
  }
  // Forty people of one institute with an invitation each are no crowd to be held off.
  if (outcome.isInvited) throttle.forgive(network)
  keepSession(c, await openSession(store, outcome.user, { visitor, isRemembered: false }))
  return c.redirect('/', 303)
}

interface JoinForm {
  readonly code: string
  readonly login: string
  readonly email: string
  readonly problems: FormProblems
  readonly status?: 429
}

function arrivalOf({ config, mail }: Deps, code: string): Arrival {
  return { code, isConfined: config.sandbox !== 'none', isMailing: mail.isConfigured }
}

async function sendJoin(c: Context, deps: Deps, form: JoinForm): Promise<Response> {
  const { store } = deps
  const { code, login, email, problems } = form
  const way = await findWayIn(store, arrivalOf(deps, code))
  if (way === 'letter') return sendJoinLetter(c, deps, { email, problems })
  if (way === 'closed')
    return sendClosed(c, deps, problems['form'] ?? (code === '' ? PROBLEMS.closed : PROBLEMS['dead-invite']))
  const { emailDomain } = await findRegistration(store)
  const needsEmail = way === 'open' && emailDomain !== null
  const main = html`<section class="account-form">
    <h1>Create your account</h1>
    ${formProblems(problems)}
    <form method="post" action="/join">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      ${formField({
        name: 'login',
        label: 'User name',
        autocomplete: 'username',
        value: login,
        hint: 'Letters, digits and hyphens: it stands in the address of your papers.',
        problems,
      })}
      ${formField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'email',
        value: email,
        hint: needsEmail
          ? `One that ends in @${emailDomain.replaceAll(', ', ' or @')}. It is shown to nobody.`
          : 'Shown to nobody.',
        isOptional: !needsEmail,
        problems,
      })}
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

async function sendClosed(c: Context, { config }: Deps, words: string | Html): Promise<Response> {
  const vouching = config.oidc?.isJoinAllowed === true && config.sandbox !== 'none' ? config.oidc.name : null
  const main = html`<section class="error-page">
    <h1>No account yet</h1>
    <p>${words}</p>
    ${vouching === null ? '' : html`<p>Or <a href="/login/oidc">sign in with ${vouching}</a>: whoever has an account there may have one here.</p>`}
    <p><a href="/login">Sign in</a></p>
  </section>`
  return sendPage(c, { title: 'No account yet', main, status: 403 })
}
