/** `/login/second-step`: the second factor after a password: a code of the authenticator app or a passkey. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { localPath } from '../../accounts/session/local-path.ts'
import { askOwnPasskey } from '../../accounts/passkeys/check-own-passkey.ts'
import { findPasskeyParty } from '../../accounts/passkeys/passkey-party.ts'
import { findPendingSignIn, finishSignIn } from '../../accounts/second-factor/pending-sign-in.ts'
import type { SecondFactorOutcome, SecondFactorProof } from '../../accounts/second-factor/pending-sign-in.ts'
import { openSession } from '../../accounts/session/session-cookie.ts'
import type { SignInThrottles } from '../../accounts/session/sign-in.ts'
import type { Deps } from '../../operations/deps.ts'
import type { User } from '../../domain/types.ts'
import { NotFound } from '../session/errors.ts'
import { formProblems, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { passkeyButton } from '../ui/form/passkey-button.ts'
import { formField } from '../ui/form/form-field.ts'
import { formToken, readField } from '../session/form.ts'
import { setSessionCookie } from '../session/session.ts'
import { readProof } from '../session/read-proof.ts'
import { clearStepCookie, setStepCookie, readStepCookie } from '../session/cookies.ts'
import { retryAfter } from '../session/retry-after.ts'
import { clientOf } from '../session/client.ts'
import { sendLogin } from './login.ts'

const PATH = '/login/second-step'
const FIELDS = { text: 'code', credential: 'credential' } as const
const LATE = 'This sign-in expired. Sign in again.'

interface TwoFactorForm {
  readonly user: User
  readonly next: string
  readonly isRemembered: boolean
  readonly problems: FormProblems
  readonly status?: 200 | 401 | 429
}

/** The form; redirects to the sign-in page without a pending sign-in. */
export async function showTwoFactorSignIn(c: Context, deps: Deps): Promise<Response> {
  const next = localPath(c.req.query('next'))
  const user = await findPendingSignIn(deps.store, readStepCookie(c, 'second-step'))
  if (user === null) return c.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
  const isRemembered = c.req.query('remember') === 'yes'
  return sendTwoFactorSignIn(c, deps, { user, next, isRemembered, problems: noProblems })
}

/** `POST /login/second-step/options`: WebAuthn request options as JSON. */
export async function postTwoFactorOptions(c: Context, { store, config }: Deps): Promise<Response> {
  const party = findPasskeyParty(config.baseUrl)
  const user = await findPendingSignIn(store, readStepCookie(c, 'second-step'))
  if (party === null || user === null) throw new NotFound()
  const { options, step } = await askOwnPasskey(store, { user, party })
  setStepCookie(c, 'passkey', step)
  c.header('cache-control', 'no-store')
  return c.json(options)
}

/** `POST /login/second-step`: opens the session with a code of the app, a recovery code or a passkey. */
export async function postTwoFactorSignIn(c: Context, deps: Deps, throttles: SignInThrottles): Promise<Response> {
  const { store, config } = deps
  const next = localPath(readField(c, 'next'))
  const isRemembered = readField(c, 'remember') === 'yes'
  const client = clientOf(c)
  const proof = (await readProof(c, deps, FIELDS)) ?? { kind: 'text', text: '' }
  const outcome = await finishSignIn(
    { store, dataDir: config.dataDir, throttles },
    { secret: readStepCookie(c, 'second-step'), proof, client },
  )
  if (outcome.kind === 'late') {
    clearStepCookie(c, 'second-step')
    return sendLogin(c, deps, { name: '', next, problems: { form: LATE }, status: 401 })
  }
  if (outcome.kind !== 'known') return sendRefusal(c, deps, { outcome, proof, next, isRemembered })
  clearStepCookie(c, 'second-step')
  setSessionCookie(c, await openSession(store, outcome.user, { client, isRemembered, detail: outcome.by }))
  return c.redirect(next, 303)
}

function sendRefusal(
  c: Context,
  deps: Deps,
  refused: Pick<TwoFactorForm, 'next' | 'isRemembered'> & {
    readonly outcome: Exclude<SecondFactorOutcome, { kind: 'known' | 'late' }>
    readonly proof: SecondFactorProof
  },
): Promise<Response> {
  const { outcome, proof, next, isRemembered } = refused
  const form = { user: outcome.user, next, isRemembered }
  if (outcome.kind === 'throttled') {
    const problems = { form: retryAfter(c, outcome.waitMs) }
    return sendTwoFactorSignIn(c, deps, { ...form, problems, status: 429 })
  }
  if (proof.kind === 'passkey') {
    const problems = { form: 'This passkey is not registered to your account, or the request timed out. Try again.' }
    return sendTwoFactorSignIn(c, deps, { ...form, problems, status: 401 })
  }
  const problem =
    outcome.kind === 'refused'
      ? 'Invalid or used code. The app shows a new one every 30 seconds.'
      : 'This host cannot verify authenticator codes: its sealing key is missing. Use a recovery code, or ask the administrator.'
  return sendTwoFactorSignIn(c, deps, { ...form, problems: { code: problem }, status: 401 })
}

async function sendTwoFactorSignIn(c: Context, { store, config }: Deps, form: TwoFactorForm): Promise<Response> {
  const { user, next, isRemembered, problems, status = 200 } = form
  const canAsk = findPasskeyParty(config.baseUrl) !== null && (await store.passkeys.listOfUser(user.id)).length > 0
  const main = html`<section class="account-form">
    <h1>Two-factor authentication</h1>
    <p>Signing in as <b>${user.login}</b>.</p>
    ${formProblems(problems)}
    <form method="post" action="/login/second-step" data-passkey-form>
      ${formToken(c)}
      <input type="hidden" name="next" value="${next}" />
      ${isRemembered ? html`<input type="hidden" name="remember" value="yes" />` : ''}
      ${formField({
        name: 'code',
        label: 'Code',
        autocomplete: 'one-time-code',
        isFocused: true,
        hint: 'The six-digit code of your authenticator app, or a recovery code.',
        problems,
      })}
      <p><button class="button">Sign in</button></p>
      ${canAsk ? passkeyButton({ act: 'get', action: PATH, label: 'Use a passkey', isPrimary: false }) : ''}
    </form>
    <p class="quiet">
      Lost your authenticator app and recovery codes? Ask the administrator of this host to run
      <code>texproof user reset-factor NAME</code>
    </p>
    <p><a href="/login">Sign in as another user</a></p>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Two-factor authentication', main, status, scripts: canAsk ? ['passkey'] : [] })
}
