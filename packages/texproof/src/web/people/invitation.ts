/** `/settings/invitations/{token}`: accept or decline an invitation to a repository. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRepositoryInvitation } from '../../accounts/join/find-repository-invitation.ts'
import { describeRegistrationRequest, findJoinMethod, type JoinMethod } from '../../accounts/join/join.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import { acceptInvitation } from '../../operations/repository/invite-collaborator.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer, viewerOf } from '../session/viewer.ts'
import { sendPage } from '../shell/page.ts'
import type { Html } from '../ui/html.ts'

const GONE =
  'This invitation has expired, or was used or revoked. If you have accepted it, the repository is on your home page. Otherwise, ask for a new one.'

/** The page. */
export async function showInvitation(c: Context, deps: Deps): Promise<Response> {
  const text = c.req.param('token') ?? ''
  const open = await findRepositoryInvitation(deps.store, text)
  if (open === null) throw new NotFound(GONE)
  const { repository, inviter, invitation } = open
  const name = `${repository.owner.login}/${repository.name}`
  const path = `/settings/invitations/${text}`
  const main = html`<section class="account-form">
    <h1>Invitation to ${name}</h1>
    <p>${inviter.login} invites you to ${invitation.permission === 'push' ? 'read and write' : 'read'} ${name}.</p>
    ${
      viewerOf(c) !== null
        ? html`<form method="post" action="${path}">
            ${formToken(c)}
            <p class="actions">
              <button class="button" name="answer" value="accept">Accept</button>
              <button class="drawn-button" name="answer" value="decline">Decline</button>
            </p>
          </form>`
        : html`<p><a class="button" href="/login?next=${encodeURIComponent(path)}">Sign in to accept</a></p>
            <p>
              No account yet?
              ${joinHint(await findJoinMethod(deps.store, await describeRegistrationRequest(deps, text)), { text, path })}
            </p>`
    }
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: `Invitation to ${name}`, main })
}

function joinHint(way: JoinMethod, { text, path }: { readonly text: string; readonly path: string }): Html | string {
  if (way === 'closed') return 'Ask an administrator of this host for one, then open this link again.'
  const code = typeof way === 'object' ? `code=${text}&` : ''
  // An address is confirmed by email first, which leads to another page.
  const again = way === 'email' ? ', then open this link again' : ''
  return html`<a href="/join?${code}next=${encodeURIComponent(path)}">Create an account</a>${again}.`
}

/** Accepts or declines it. */
export async function postInvitationAnswer(c: Context, { store }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const open = await findRepositoryInvitation(store, c.req.param('token') ?? '')
  if (open === null) throw new NotFound(GONE)
  if (readField(c, 'answer') !== 'accept') {
    await store.repositoryInvitations.remove(open.repository.id, open.invitation.id)
    return c.redirect('/', 303)
  }
  if (!(await acceptInvitation(store, open, user))) throw new NotFound(GONE)
  return c.redirect(repositoryPath(open.repository), 303)
}
