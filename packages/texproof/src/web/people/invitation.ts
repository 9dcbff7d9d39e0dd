/** `/settings/invitations/{token}`: accept or decline an invitation to a repository. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { findRegistration } from '../../accounts/join/registration.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import { acceptInvitation, findInvitation } from '../../operations/repository/invite-collaborator.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer, viewerOf } from '../session/viewer.ts'
import { sendPage } from '../shell/page.ts'

const GONE = 'This invitation has expired, or was used or revoked. Ask for a new one.'

/** The page. */
export async function showInvitation(c: Context, { mail, store }: Deps): Promise<Response> {
  const text = c.req.param('token') ?? ''
  const open = await findInvitation(store, text)
  if (open === null) throw new NotFound(GONE)
  const { repository, inviter, invitation } = open
  const name = `${repository.owner.login}/${repository.name}`
  const path = `/settings/invitations/${text}`
  const { mode, emailDomain } = await findRegistration(store)
  // An address is confirmed by email first, which leads to another page.
  const isConfirmed = emailDomain !== null && mail.isConfigured
  const main = html`<section class="settings-form">
    <h1>Invitation to ${name}</h1>
    <p>${inviter.login} invites you to ${invitation.permission === 'push' ? 'read and write' : 'read'} ${name}.</p>
    ${
      viewerOf(c) !== null
        ? html`<form method="post" action="${path}">
            ${formToken(c)}
            <p>
              <button class="button" name="answer" value="accept">Accept</button>
              <button class="drawn-button" name="answer" value="decline">Decline</button>
            </p>
          </form>`
        : html`<p><a class="button" href="/login?next=${encodeURIComponent(path)}">Sign in to accept</a></p>
            <p>
              ${
                mode === 'open'
                  ? html`No account yet?
                      <a href="/join?next=${encodeURIComponent(path)}">Create an account</a
                      >${isConfirmed ? ', then open this link again' : ''}.`
                  : 'No account yet? Ask an administrator of this host for one, then open this link again.'
              }
            </p>`
    }
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: `Invitation to ${name}`, main })
}

/** Accepts or declines it. */
export async function postInvitationAnswer(c: Context, { store }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const open = await findInvitation(store, c.req.param('token') ?? '')
  if (open === null) throw new NotFound(GONE)
  if (readField(c, 'answer') !== 'accept') {
    await store.repositoryInvitations.remove(open.repository.id, open.invitation.id)
    return c.redirect('/', 303)
  }
  if (!(await acceptInvitation(store, open, user))) throw new NotFound(GONE)
  return c.redirect(repositoryPath(open.repository), 303)
}
