import type { Context } from 'hono'
import { html } from 'hono/html'

import { parseId } from '../../domain/parse-id.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Session } from '../../store/users/sessions.ts'
import { describeAgent } from './describe-agent.ts'
import type { Html } from '../ui/html.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { NotFound } from '../session/errors.ts'
import { formToken } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { clientOf } from '../session/client.ts'
import type { Store } from '../../store/store.ts'

/** `GET /settings/sessions`: every signed-in browser. */
export async function showSessions(c: Context, { store }: Deps): Promise<Response> {
  const { user, session } = requireViewer(c)
  const sessions = await store.sessions.listOfUser(user.id)
  const main = html`<p>Browsers where you are signed in.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Sessions">
      <table class="settings-table stacked-table">
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Network</th>
            <th scope="col">Signed in</th>
            <th scope="col">Last seen</th>
            <th scope="col"><span class="visually-hidden">Sign out</span></th>
          </tr>
        </thead>
        <tbody>
          ${sessions.map((each) => sessionRow(c, each, each.id === session.id))}
        </tbody>
      </table>
    </div>
    ${
      sessions.length < 2
        ? ''
        : html`<form method="post" action="/settings/sessions/end">
            ${formToken(c)}<button class="button">Sign out everywhere else</button>
          </form>`
    }`
  return sendSettingsPage(c, { tab: 'sessions', title: 'Sessions', main })
}

/** `POST /settings/sessions/{id}/end`: signs out that browser. */
export async function postEndSession(c: Context, { store }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const id = parseId(c.req.param('id'))
  if (id === null || !(await store.sessions.remove(id, { userId: user.id }))) throw new NotFound('Session not found.')
  await record(c, store, 'session-ended')
  return redirectWithNotice(c, '/settings/sessions', 'session-ended')
}

/** `POST /settings/sessions/end`: signs out every other browser. */
export async function postEndAllSessions(c: Context, { store }: Deps): Promise<Response> {
  const { user, session } = requireViewer(c)
  await store.sessions.removeOfUser(user.id, { exceptId: session.id })
  await record(c, store, 'sessions-ended')
  return redirectWithNotice(c, '/settings/sessions', 'sessions-ended')
}

async function record(c: Context, store: Store, kind: string): Promise<void> {
  const { id } = requireViewer(c).user
  await store.events.add({ kind, userId: id, actorId: id, address: clientOf(c).address })
}

function sessionRow(c: Context, { id, agent, address, createdAt, lastSeenAt }: Session, isThis: boolean): Html {
  const browser = describeAgent(agent)
  return html`<tr>
    <th scope="row">${browser}</th>
    <td data-label="Network">${coarse(address)}</td>
    <td data-label="Signed in">${timeAgo(createdAt)}</td>
    <td data-label="Last seen">${isThis ? 'this browser' : timeAgo(lastSeenAt)}</td>
    <td>
      ${
        isThis
          ? ''
          : html`<form method="post" action="/settings/sessions/${id}/end">
              ${formToken(c)}<button class="plain-button" aria-label="Sign out ${browser}">Sign out</button>
            </form>`
      }
    </td>
  </tr>`
}

/** The network without its last part: enough to recognize it. */
function coarse(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 3).join(':')}:*`
  return address.replace(/\.\d+$/, '.*')
}
