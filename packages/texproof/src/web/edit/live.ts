/** `GET /{owner}/{repo}/live/{branch}/{path}`: the connection of the editor with all others who edit the file. */
import type { IncomingMessage } from 'node:http'

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { WebSocket } from 'ws'

import { findSession } from '../../accounts/session/session-cookie.ts'
import { allScopes } from '../../domain/scopes.ts'
import { serveSocket } from '../../live/serve-socket.ts'
import type { SocketUser } from '../../live/serve-socket.ts'
import type { Deps } from '../../operations/deps.ts'
import { draftPlace } from '../../operations/edit/drafts.ts'
import { findWritableRepository } from '../../operations/repository/find-writable-repository.ts'
import { clientOf } from '../session/client.ts'
import { cookieName } from '../session/cookies.ts'
import { ForeignForm } from '../session/errors.ts'
import { isOriginOfThisHost } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { findEditLocation } from './find-edit-location.ts'
import type { EditLocation } from './find-edit-location.ts'

/** A connection that a page may open, for this user. */
export interface AcceptedConnection {
  readonly userId: string
  readonly serve: (connection: WebSocket) => void
}

/** Values of an upgrade request besides its headers. */
export interface UpgradeEnv {
  readonly incoming: IncomingMessage
  readonly acceptConnection: (accepted: AcceptedConnection) => void
}

/** Whether a target has the form of such an address. */
export function isLivePath(target: string): boolean {
  return /^\/[^/?]+\/[^/?]+\/live\//.test(target)
}

/**
 * Accepts a connection from a page of this host, for a user who may write. An ordinary request returns whether it would be
 * accepted: browsers do not tell scripts why a connection failed.
 */
export async function openLive(c: Context, deps: Deps): Promise<Response> {
  // Checked first: without a session, a private repository is not found, and the editor would not retry.
  const { user: viewer } = requireViewer(c)
  // Likewise, before the access of a user who did not open the page.
  const userOfPage = c.req.query('user')
  if (userOfPage !== undefined && userOfPage !== viewer.id)
    return c.text('Another user has signed in.', 409, { 'cache-control': 'no-store' })
  const location = await findEditLocation(c, deps)
  const { acceptConnection } = (c.env ?? {}) as Partial<UpgradeEnv>
  if (acceptConnection !== undefined) {
    if (!isOriginOfThisHost(c, deps.config.baseUrl)) throw new ForeignForm()
    const user = toSocketUser(c, deps, location)
    acceptConnection({ userId: user.userId, serve: (connection) => serveSocket(connection, deps.rooms, user) })
  }
  return c.text('Connect with WebSocket.', 426, { upgrade: 'websocket', 'cache-control': 'no-store' })
}

function toSocketUser(c: Context, deps: Deps, { repository, caller, branch, path }: EditLocation): SocketUser {
  const { store } = deps
  const { user } = caller
  const secret = getCookie(c, cookieName(c, 'session')) ?? ''
  const client = clientOf(c)
  return {
    userId: user.id,
    name: user.name ?? user.login,
    place: draftPlace(deps, { repositoryId: repository.id, branch, path }),
    async check() {
      const session = await findSession(store, secret, client)
      if (session === null || session.user.id !== user.id) return 'signed-out'
      const found = await store.repositories.findById(repository.id)
      if (found === null) return 'no-access'
      const asked = { caller: { user: session.user, scopes: allScopes, tokenId: null }, owner: found.owner.login }
      const writable = await findWritableRepository(store, { ...asked, name: found.name })
      return writable.kind === 'ok' && writable.repository.id === repository.id ? 'ok' : 'no-access'
    },
  }
}
