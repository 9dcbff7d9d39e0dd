import type { Context, Env, Hono } from 'hono'

import { openForgotThrottles } from '../../accounts/credentials/forgot-password.ts'
import { openPasswordThrottles, openSecondFactorThrottles } from '../../accounts/session/sign-in.ts'
import type { Deps } from '../../operations/deps.ts'
import { postForgot, showForgot, showForgotSent } from './forgot-password.ts'
import { postJoinEmail, showJoinSent } from './join-email.ts'
import { postJoin, showJoin } from './join.ts'
import { postLogin, showLogin } from './login.ts'
import { postLogout, showLogout } from './logout.ts'
import { postPasskeyQuestion, postPasskeySignIn } from './passkey-sign-in.ts'
import { postReset, showReset } from './reset-password.ts'
import { postTwoFactorSignIn, postTwoFactorOptions, showTwoFactorSignIn } from './two-factor-sign-in.ts'
import { postSetup, showSetup } from './setup.ts'

/** The pages of accounts. They precede `/:owner`; their names are reserved. */
export function addAccountRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const { store } = deps
  const throttles = openPasswordThrottles(store)
  const twoFactorThrottles = openSecondFactorThrottles(store)
  const passkeys = store.throttles.open('passkey', { allowed: 30, firstWaitMs: 30_000, longestWaitMs: 15 * 60_000 })
  const joining = store.throttles.open('join', { allowed: 20, firstWaitMs: 30_000, longestWaitMs: 15 * 60_000 })
  const forgetting = openForgotThrottles(store, 'forgot')
  const joinEmailThrottles = openForgotThrottles(store, 'join')
  app.get('/login', (c: Context) => showLogin(c, deps))
  app.post('/login', (c: Context) => postLogin(c, deps, throttles))
  app.post('/login/passkey/options', (c: Context) => postPasskeyQuestion(c, deps, passkeys))
  app.post('/login/passkey', (c: Context) => postPasskeySignIn(c, deps, passkeys))
  app.get('/login/second-step', (c: Context) => showTwoFactorSignIn(c, deps))
  app.post('/login/second-step/options', (c: Context) => postTwoFactorOptions(c, deps))
  app.post('/login/second-step', (c: Context) => postTwoFactorSignIn(c, deps, twoFactorThrottles))
  app.get('/join', (c: Context) => showJoin(c, deps))
  app.post('/join', (c: Context) => postJoin(c, deps, joining))
  app.post('/join/email', (c: Context) => postJoinEmail(c, deps, joinEmailThrottles))
  app.get('/join/sent', (c: Context) => showJoinSent(c))
  app.get('/forgot', (c: Context) => showForgot(c, deps))
  app.post('/forgot', (c: Context) => postForgot(c, deps, forgetting))
  app.get('/forgot/sent', (c: Context) => showForgotSent(c))
  app.get('/reset', (c: Context) => showReset(c, deps))
  app.post('/reset', (c: Context) => postReset(c, deps))
  app.get('/logout', (c: Context) => showLogout(c))
  app.post('/logout', (c: Context) => postLogout(c, deps))
  app.get('/setup', (c: Context) => showSetup(c, deps))
  app.post('/setup', (c: Context) => postSetup(c, deps))
}
