import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRegistrationRisk } from '../../accounts/join/open-registration.ts'
import { parseRegistration } from '../../accounts/join/registration.ts'
import { openSession } from '../../accounts/session/session-cookie.ts'
import { isSetUpCode, setUp } from '../../accounts/join/set-up.ts'
import { findInvalidDetails } from '../../accounts/users/add-user.ts'
import type { AddUserRefusal } from '../../accounts/users/add-user.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Store } from '../../store/store.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { formField, passwordRule } from '../ui/form/form-field.ts'
import { registrationOptions } from '../ui/form/registration-options.ts'
import { clientOf } from '../session/client.ts'
import { formToken, readField } from '../session/form.ts'
import { setSessionCookie } from '../session/session.ts'

const PROBLEMS: Readonly<Record<string, FormProblems>> = {
  'invalid-login': {
    login: 'Use 1 to 39 letters, digits and single hyphens. The username cannot start or end with a hyphen.',
  },
  'reserved-login': { login: 'This username is reserved. Choose another one.' },
  'invalid-password': { password: passwordRule },
  'login-taken': { login: 'This username is taken.' },
}

/** `GET /setup?code=`: creates the first administrator. */
export async function showSetup(c: Context, deps: Deps): Promise<Response> {
  const { store } = deps
  const code = c.req.query('code') ?? ''
  if (!(await isSetUpCode(store, code))) return sendExpiredLink(c, store)
  return sendSetup(c, deps, { code, login: '', mode: 'closed', emailDomain: '', problems: noProblems })
}

/** `POST /setup`: the first administrator, signed in. */
export async function postSetup(c: Context, deps: Deps): Promise<Response> {
  const { store } = deps
  const code = readField(c, 'code')
  if (!(await isSetUpCode(store, code))) return sendExpiredLink(c, store)
  const login = readField(c, 'login').trim()
  const [mode, emailDomain] = [readField(c, 'mode'), readField(c, 'email_domain')]
  const form = { code, login, mode, emailDomain }
  const password = readField(c, 'password')
  const registration = parseRegistration(mode, emailDomain)
  const invalid = findInvalidDetails({ login, password })
  if (registration === null || invalid.length > 0)
    return sendSetup(c, deps, {
      ...form,
      problems: {
        ...Object.fromEntries(invalid.flatMap((reason) => Object.entries(explain(reason)))),
        ...(registration === null ? { email_domain: 'Invalid domain. Use a domain such as uni.example.' } : {}),
      },
    })
  const outcome = await setUp(store, { code, login, password, registration })
  if (outcome.kind === 'refused') {
    if (outcome.reason === 'expired-code') return sendExpiredLink(c, store)
    return sendSetup(c, deps, { ...form, problems: explain(outcome.reason) })
  }
  setSessionCookie(c, await openSession(store, outcome.user, { client: clientOf(c), isRemembered: false }))
  return c.redirect('/admin/status', 303)
}

function explain(reason: AddUserRefusal): FormProblems {
  return PROBLEMS[reason] ?? { form: 'This account cannot be created.' }
}

interface SetupForm {
  readonly code: string
  readonly login: string
  readonly mode: string
  readonly emailDomain: string
  readonly problems: FormProblems
}

async function sendSetup(
  c: Context,
  deps: Deps,
  { code, login, mode, emailDomain, problems }: SetupForm,
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Set up this host</h1>
    <p>This account will be the administrator.</p>
    ${formProblems(problems)}
    <form method="post" action="/setup">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      ${formField({
        name: 'login',
        label: 'Username',
        autocomplete: 'username',
        value: login,
        hint: 'Letters, digits and hyphens. Part of the address of your repositories.',
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
      <fieldset>
        <legend>Registration</legend>
        ${registrationOptions(mode, await findRegistrationRisk(deps))}
        ${formField({
          name: 'email_domain',
          label: 'Allowed email domains',
          autocomplete: 'off',
          value: emailDomain,
          hint: 'Example: uni.example. Empty = any. Applies to "Anyone".',
          isOptional: true,
          problems,
        })}
      </fieldset>
      <p><button class="button">Create administrator</button></p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Set up', main, status: isRefused(problems) ? 422 : 200 })
}

/** Response to an invalid or expired link, and on a host that has an administrator. */
async function sendExpiredLink(c: Context, store: Store): Promise<Response> {
  const isSetUp = await store.users.hasAdministrator()
  const title = isSetUp ? 'Already set up' : 'Link expired'
  const next = isSetUp
    ? html`<p>This host is already set up. <a href="/login">Sign in</a></p>
        <p>On the server, <code>texproof user make-admin NAME</code> makes an existing user an administrator.</p>`
    : html`<p>This link was used or has expired. Restart Texproof to print a new one.</p>`
  const main = html`<section class="account-form">
    <h1>${title}</h1>
    ${next}
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title, main, status: 404 })
}
