import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { parseId } from '../../domain/parse-id.ts'
import type { Token } from '../../domain/types.ts'
import { revokeToken } from '../../accounts/tokens/revoke-token.ts'
import { formatDate } from '../ui/format/format-date.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { timeUntil } from '../ui/format/time-until.ts'
import { NotFound } from '../session/errors.ts'
import { formToken } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { showMadeToken } from './new-token.ts'

/** Expiry times nearer than this are shown in hours. */
const SOON_MS = 48 * 3_600_000

/** `GET /settings/tokens`: a token that was just created; else every token, without its text, which is not stored. */
export async function showTokens(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const made = await showMadeToken(c, deps)
  if (made !== null) return made
  const tokens = await deps.store.tokens.listOfUser(user.id)
  const main = html`<p>Use a token instead of a password for git over HTTP, or to authenticate API requests.</p>
    <p><a class="button" href="/settings/tokens/new">${icon('plus')} New token</a></p>
    ${tokens.length === 0 ? html`<p class="quiet">You have no tokens yet.</p>` : tokenTable(c, tokens)}`
  return sendSettingsPage(c, { tab: 'tokens', title: 'Access tokens', main })
}

/** `POST /settings/tokens/{id}/revoke`: revokes the token. */
export async function postRevokeToken(c: Context, { store }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const tokenId = parseId(c.req.param('id'))
  const { address } = clientOf(c)
  const isRevoked = tokenId !== null && (await revokeToken(store, { user, tokenId, actorId: user.id, address }))
  if (!isRevoked) throw new NotFound('Token not found.')
  return redirectWithNotice(c, '/settings/tokens', 'token-revoked')
}

function tokenTable(c: Context, tokens: readonly Token[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Tokens">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Access</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <th scope="col"><span class="visually-hidden">Revoke</span></th>
        </tr>
      </thead>
      <tbody>
        ${tokens.map((token) => tokenRow(c, token))}
      </tbody>
    </table>
  </div>`
}

function tokenRow(c: Context, token: Token): Html {
  const { id, name, scopes, createdAt, expiresAt } = token
  return html`<tr>
    <th scope="row">${name}</th>
    <td data-label="Access">${scopes.includes('repo:write') ? 'read and write' : 'read'}</td>
    <td data-label="Created">${timeAgo(createdAt)}</td>
    <td class="one-line" data-label="Expires">${describeEnd(expiresAt)}</td>
    <td data-label="Last used">
      ${token.lastUsedAt === null ? 'never' : lastUse(token.lastUsedAt, token.lastUsedRoute)} ${lastRefusal(token)}
    </td>
    <td>
      <form method="post" action="/settings/tokens/${id}/revoke">
        ${formToken(c)}<button class="plain-button" aria-label="Revoke ${name}">Revoke</button>
      </form>
    </td>
  </tr>`
}

/** Time and route of the last use. */
function lastUse(at: number, route: string | null): Html {
  return html`${timeAgo(at)} ${route === null ? '' : html`<code class="route">${route}</code>`}`
}

/** The last refused request often explains why a script fails. */
function lastRefusal({ lastRefusedAt, lastRefusedRoute }: Token): Html | '' {
  if (lastRefusedAt === null) return ''
  const route = lastRefusedRoute === null ? null : inWordsOfForm(lastRefusedRoute)
  return html`<p class="refusal"><span class="proof-failed">✕ Refused</span> ${lastUse(lastRefusedAt, route)}</p>`
}

/** The recorded action names the scope; the form to create a token names what it permits. */
function inWordsOfForm(action: string): string {
  return action.replace(/ needs repo:write$/, ' needs read and write access')
}

function describeEnd(expiresAt: number | null): Html | string {
  if (expiresAt === null) return 'never'
  const leftMs = expiresAt - Date.now()
  if (leftMs <= 0) return html`<span class="proof-failed">expired</span>`
  return leftMs < SOON_MS ? timeUntil(expiresAt) : formatDate(expiresAt)
}
