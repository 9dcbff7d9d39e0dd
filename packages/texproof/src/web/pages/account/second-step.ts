/** `/login/second-step`: between the password and the session, for whoever has an authenticator app. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { localPath } from '../../../accounts/local-path.ts'
import { findPendingSignIn, finishSignIn } from '../../../accounts/second-factor/pending-sign-in.ts'
import type { SecondStepOutcome } from '../../../accounts/second-factor/pending-sign-in.ts'
import { openSession } from '../../../accounts/session-cookie.ts'
import type { SignInThrottles } from '../../../accounts/sign-in.ts'
import type { Deps } from '../../../deps.ts'
import { formProblems, noProblems } from '../../components/form-problems.ts'
import type { FormProblems } from '../../components/form-problems.ts'
import { sendPage } from '../../components/page.ts'
import { formField } from '../../components/sign-form.ts'
import { formToken, keepSession, readField } from '../../access/session.ts'
import { dropStep, readStep } from '../../access/step-cookie.ts'
import { tellToWait } from '../../access/tell-to-wait.ts'
import { visitorOf } from '../../access/visitor.ts'
import { sendLogin } from './login.ts'

const LATE = 'This sign-in waited for more than 5 minutes, is over already, or the password was changed. Start again.'

interface SecondStepForm {
  readonly login: string
  readonly next: string
  readonly isRemembered: boolean
  readonly problems: FormProblems
  readonly status?: 200 | 401 | 429
}

/** The form; without a sign-in that waits for it, the beginning. */
export async function showSecondStep(c: Context, { store }: Deps): Promise<Response> {
  const next = localPath(c.req.query('next'))
  const user = await findPendingSignIn(store, readStep(c, 'second-step'))
  if (user === null) return c.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
  const isRemembered = c.req.query('remember') === 'yes'
  return sendSecondStep(c, { login: user.login, next, isRemembered, problems: noProblems })
}

/** `POST /login/second-step`: a code of the app or of the paper opens the session. */
export async function postSecondStep(
  c: Context,
  { store, config }: Deps,
  throttles: SignInThrottles,
): Promise<Response> {
  const next = localPath(await readField(c, 'next'))
  const isRemembered = (await readField(c, 'remember')) === 'yes'
  const visitor = visitorOf(c)
  const outcome = await finishSignIn(
    { store, dataDir: config.dataDir, throttles },
    { secret: readStep(c, 'second-step'), text: await readField(c, 'code'), visitor },
  )
  if (outcome.kind === 'late') {
    dropStep(c, 'second-step')
    return sendLogin(c, config, { name: '', next, problems: { form: LATE }, status: 401 })
  }
  if (outcome.kind !== 'known') return sendRefusal(c, outcome, { next, isRemembered })
  const detail = outcome.by === 'recovery-code' ? 'with a recovery code' : 'with a code of the app'
  dropStep(c, 'second-step')
  keepSession(c, await openSession(store, outcome.user, { visitor, isRemembered, detail }))
  return c.redirect(next, 303)
}

function sendRefusal(
  c: Context,
  outcome: Exclude<SecondStepOutcome, { kind: 'known' | 'late' }>,
  form: Pick<SecondStepForm, 'next' | 'isRemembered'>,
): Response | Promise<Response> {
  const { login } = outcome.user
  if (outcome.kind === 'throttled') {
    const problems = { form: tellToWait(c, outcome.waitMs) }
    return sendSecondStep(c, { login, ...form, problems, status: 429 })
  }
  const problem =
    outcome.kind === 'refused'
      ? 'This code does not fit, or was used before. The app shows another one every 30 s.'
      : 'The host has lost the key that it reads codes of the app with. Type a recovery code, or ask the administrator.'
  return sendSecondStep(c, { login, ...form, problems: { code: problem }, status: 401 })
}

function sendSecondStep(c: Context, form: SecondStepForm): Response | Promise<Response> {
  const { login, next, isRemembered, problems, status = 200 } = form
  const main = html`<section class="account-form">
    <h1>Second step</h1>
    <p>Signing in as <b>${login}</b>.</p>
    ${formProblems(problems)}
    <form method="post" action="/login/second-step">
      ${formToken(c)}
      <input type="hidden" name="next" value="${next}" />
      ${isRemembered ? html`<input type="hidden" name="remember" value="yes" />` : ''}
      ${formField({
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        isFocused: true,
        hint: 'Six digits from your authenticator app, or one of your recovery codes.',
        problems,
      })}
      <p><button class="button">Sign in</button></p>
    </form>
    <p class="quiet">
      Without app and recovery codes the administrator of this host can help:
      <code>texproof user reset-factor NAME</code>
    </p>
    <p><a href="/login">Sign in as somebody else</a></p>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Second step', main, status })
}
