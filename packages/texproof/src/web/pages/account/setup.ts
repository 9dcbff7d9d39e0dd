import type { Context } from 'hono'
import { html } from 'hono/html'

import { parseRegistration } from '../../../accounts/registration.ts'
import { openSession } from '../../../accounts/session-cookie.ts'
import { isSetUpCode, setUp } from '../../../accounts/set-up.ts'
import type { Deps } from '../../../deps.ts'
import { sendPage } from '../../components/page.ts'
import { formField, formProblem, passwordRule } from '../../components/sign-form.ts'
import { NotFound } from '../../answer/not-found.ts'
import { formToken, keepSession, readField } from '../../access/session.ts'
import { visitorOf } from '../../access/visitor.ts'

const PROBLEMS: Readonly<Record<string, string>> = {
  'invalid-login': 'A user name has letters, digits and single hyphens inside, at most 39, and is not a word of ours.',
  'invalid-password': passwordRule,
  'login-taken': 'This user name is taken.',
}

/** `GET /setup?code=`: makes the first administrator. To everybody without a working code there is no such page. */
export async function showSetup(c: Context, { store }: Deps): Promise<Response> {
  const code = c.req.query('code') ?? ''
  if (!(await isSetUpCode(store, code))) throw new NotFound()
  return sendSetup(c, { code, login: '', problem: null })
}

/** `POST /setup`: the first administrator, signed in. */
export async function postSetup(c: Context, { store }: Deps): Promise<Response> {
  const code = await readField(c, 'code')
  if (!(await isSetUpCode(store, code))) throw new NotFound()
  const login = (await readField(c, 'login')).trim()
  const registration = parseRegistration(await readField(c, 'mode'), await readField(c, 'email_domain'))
  if (registration === null) return sendSetup(c, { code, login, problem: 'A domain looks like uni.example.' })
  const outcome = await setUp(store, { code, login, password: await readField(c, 'password'), registration })
  if (outcome.kind === 'refused') {
    if (outcome.reason === 'dead-code') throw new NotFound()
    return sendSetup(c, { code, login, problem: PROBLEMS[outcome.reason] ?? 'This account cannot be made.' })
  }
  keepSession(c, await openSession(store, outcome.user, { visitor: visitorOf(c), isRemembered: false }))
  return c.redirect('/admin/status', 303)
}

interface SetupForm {
  readonly code: string
  readonly login: string
  readonly problem: string | null
}

async function sendSetup(c: Context, { code, login, problem }: SetupForm): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Set this host up</h1>
    <p>You become its administrator.</p>
    ${formProblem(problem)}
    <form method="post" action="/setup">
      ${formToken(c)}
      <input type="hidden" name="code" value="${code}" />
      ${formField({
        name: 'login',
        label: 'User name',
        autocomplete: 'username',
        value: login,
        hint: 'Letters, digits and hyphens: it stands in the address of your papers.',
      })}
      ${formField({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 10 characters.',
      })}
      <fieldset>
        <legend>Who may make an account?</legend>
        <p>
          <label><input type="radio" name="mode" value="closed" checked /> Nobody: I make them</label>
        </p>
        <p>
          <label><input type="radio" name="mode" value="invite" /> Whoever has an invitation</label>
        </p>
        <p>
          <label><input type="radio" name="mode" value="open" /> Anyone</label>
        </p>
        ${formField({
          name: 'email_domain',
          label: 'Only with an e-mail address at',
          autocomplete: 'off',
          hint: 'Such as uni.example; empty = any. Counts for "Anyone".',
          isOptional: true,
        })}
      </fieldset>
      <p><button class="button">Create administrator</button></p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Set up', main, status: problem === null ? 200 : 422 })
}
