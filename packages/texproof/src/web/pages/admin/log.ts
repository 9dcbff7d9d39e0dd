import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../../deps.ts'
import type { AccountEvent } from '../../../store/account-events.ts'
import { sendAdminPage } from '../../components/admin-page.ts'
import { describeEvent } from '../../components/describe-event.ts'
import type { Html } from '../../components/html.ts'
import { timeAgo } from '../../components/time-ago.ts'
import { requireAdmin } from '../../viewer.ts'

const PER_PAGE = 100

/** `GET /admin/log?before=`: who did what, newest first. */
export async function showAdminLog(c: Context, { store }: Deps): Promise<Response> {
  requireAdmin(c)
  const before = Number(c.req.query('before') ?? Number.NaN)
  const beforeId = Number.isSafeInteger(before) ? before : null
  const events = await store.events.list({ userId: null, limit: PER_PAGE, beforeId })
  const last = events.at(-1)
  const main = html`<div class="scroll">
      <table class="settings-table">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Account</th>
            <th scope="col">By</th>
            <th scope="col">From</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${events.map(eventRow)}
        </tbody>
      </table>
    </div>
    ${
      events.length < PER_PAGE || last === undefined
        ? ''
        : html`<nav class="pages" aria-label="Pages"><a href="/admin/log?before=${last.id}" rel="next">Older</a></nav>`
    }`
  return sendAdminPage(c, { tab: 'log', title: 'Log', main })
}

function eventRow(event: AccountEvent): Html {
  return html`<tr>
    <th scope="row">${describeEvent(event)}</th>
    <td>${event.login ?? ''}</td>
    <td>${event.actor ?? 'the command line'}</td>
    <td>${event.address ?? ''}</td>
    <td>${timeAgo(event.createdAt)}</td>
  </tr>`
}
