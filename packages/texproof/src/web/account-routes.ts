import type { Context, Env, Hono } from 'hono'

import { createSignInThrottles } from '../accounts/sign-in.ts'
import type { Deps } from '../deps.ts'
import { postLogin, showLogin } from './pages/account/login.ts'
import { postLogout } from './pages/account/logout.ts'
import { postSetup, showSetup } from './pages/account/setup.ts'

/** The pages of accounts. They stand before `/:owner`: no user is called like one of them. */
export function addAccountRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  const throttles = createSignInThrottles()
  app.get('/login', (c: Context) => showLogin(c))
  app.post('/login', (c: Context) => postLogin(c, deps, throttles))
  app.post('/logout', (c: Context) => postLogout(c, deps))
  app.get('/setup', (c: Context) => showSetup(c, deps))
  app.post('/setup', (c: Context) => postSetup(c, deps))
}
