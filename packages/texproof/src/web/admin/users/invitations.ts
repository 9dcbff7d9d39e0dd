/** The part of `/admin/users` that lists open invitations. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { revokeInvite } from '../../../accounts/join/invite.ts'
import type { Deps } from '../../../operations/deps.ts'
import type { OneTimeCode } from '../../../store/users/one-time-codes.ts'
import { NotFound } from '../../session/errors.ts'
import type { Html } from '../../ui/html.ts'
import { timeAgo } from '../../ui/format/time-ago.ts'
import { timeUntil } from '../../ui/format/time-until.ts'
import { formToken, readField } from '../../session/form.ts'
import { requireAdmin } from '../../session/viewer.ts'
import { redirectWithNotice } from '../../session/notice.ts'
import { filterField, usersPath } from './user-actions.ts'

const LISTED = 100

/** The list; empty without open invitations. `filter` = the filter of the accounts on the same page. */
export async function invitations(c: Context, { store }: Pick<Deps, 'store'>, filter: string): Promise<Html | ''> {
  const open = await store.codes.listOpen('invite', { limit: LISTED })
  if (open.length === 0) return ''
  const makers = await findMakers(store, open)
  return html`<h2 id="invitations">Pending invitations</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="invitations">
      <table class="settings-table stacked-table">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Created by</th>
            <th scope="col">Created</th>
            <th scope="col">Expires</th>
            <th scope="col"><span class="visually-hidden">Revoke</span></th>
          </tr>
        </thead>
        <tbody>
          ${open.map((invite) => row(c, invite, { creator: makers.get(invite.createdBy ?? '') ?? null, filter }))}
        </tbody>
      </table>
    </div>
    ${open.length === LISTED ? html`<p class="quiet">Showing the newest ${LISTED}.</p>` : ''}`
}

/** `POST /admin/users/invite/revoke`: revokes the link. */
export async function postRevokeInvite(c: Context, { store }: Deps): Promise<Response> {
  const actorId = requireAdmin(c).user.id
  if (!(await revokeInvite(store, { hash: readField(c, 'invite'), actorId })))
    throw new NotFound('This invitation was used or revoked, or has expired.')
  return redirectWithNotice(c, usersPath(readField(c, 'q')), 'invitation-revoked')
}

async function findMakers(store: Deps['store'], open: readonly OneTimeCode[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(open.flatMap(({ createdBy }) => createdBy ?? []))]
  const makers = await Promise.all(ids.map((id) => store.users.findById(id)))
  return new Map(makers.flatMap((user) => (user === null ? [] : [[user.id, user.login] as const])))
}

function row(
  c: Context,
  { hash, email, createdAt, expiresAt }: OneTimeCode,
  { creator, filter }: { readonly creator: string | null; readonly filter: string },
): Html {
  const whom = email ?? 'anyone with the link'
  return html`<tr>
    <th scope="row">${whom}</th>
    <td data-label="Created by">${creator ?? html`<span class="quiet">command line</span>`}</td>
    <td data-label="Created">${timeAgo(createdAt)}</td>
    <td data-label="Expires">${timeUntil(expiresAt)}</td>
    <td>
      <form method="post" action="/admin/users/invite/revoke">
        ${formToken(c)}${filterField(filter)}<button
          class="plain-button"
          name="invite"
          value="${hash}"
          aria-label="Revoke the invitation for ${whom}"
        >
          Revoke
        </button>
      </form>
    </td>
  </tr>`
}
