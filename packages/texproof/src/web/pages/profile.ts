import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import { sendPage } from '../components/page.ts'
import { repositoryTable } from '../components/repository-table.ts'
import { NotFound } from '../not-found.ts'

const LISTED = 100

/** `/{owner}`: a user and their public repositories. */
export async function showProfile(c: Context, deps: Deps): Promise<Response> {
  const user = await deps.store.users.findByLogin(c.req.param('owner') ?? '')
  if (user === null || user.isDisabled) throw new NotFound()
  const { items, total } = await deps.store.repositories.listPublic({
    ownerId: user.id,
    order: { by: 'updated', direction: 'desc' },
    window: { offset: 0, limit: LISTED },
  })
  const main = html`<div class="profile">
      <h1>${user.name ?? user.login}</h1>
      ${user.name === null ? '' : html`<p class="quiet">${user.login}</p>`}
      ${user.bio === null ? '' : html`<p>${user.bio}</p>`}
    </div>
    <section>
      <h2>Public papers</h2>
      ${items.length === 0 ? html`<p class="quiet">None yet.</p>` : await repositoryTable(items, deps, { isOwnerShown: false })}
      ${total > items.length ? html`<p class="quiet">The ${items.length} newest of ${total}.</p>` : ''}
    </section>`
  return sendPage(c, { title: user.login, main })
}
