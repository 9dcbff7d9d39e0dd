import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { clearSessionCookie } from '../session/session.ts'
import { sessionOf } from '../session/viewer.ts'
import { formToken } from '../session/form.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { sendPage } from '../shell/page.ts'

/** `GET /logout`, which users type: asks first, because other sites can link to it. */
export async function showLogout(c: Context): Promise<Response> {
  const viewer = sessionOf(c)
  if (viewer === null) return redirectWithNotice(c, '/', 'signed-out')
  const main = html`<section class="account-form">
    <h1>Sign out</h1>
    <p>You are signed in as <b>${viewer.user.login}</b>.</p>
    <form method="post" action="/logout">${formToken(c)}<button class="button">Sign out</button></form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Sign out', main })
}

/** `POST /logout`: ends the session at the host, then in the browser. */
export async function postLogout(c: Context, { store }: Deps): Promise<Response> {
  const viewer = sessionOf(c)
  if (viewer !== null) {
    await store.sessions.remove(viewer.session.id, { userId: viewer.user.id })
    await store.events.add({ kind: 'signed-out', userId: viewer.user.id, actorId: viewer.user.id })
  }
  clearSessionCookie(c)
  return redirectWithNotice(c, '/', 'signed-out')
}
