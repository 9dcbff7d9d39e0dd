import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { clearSessionCookie } from '../session/session.ts'
import { sessionOf } from '../session/viewer.ts'
import { redirectWithNotice } from '../session/notice.ts'

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
