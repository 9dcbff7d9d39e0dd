import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { User } from '../../domain/types.ts'
import { avatar } from '../ui/avatar.ts'
import { formatDate } from '../ui/format/format-date.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendPage } from '../shell/page.ts'
import { REPOSITORIES_PER_PAGE, repositoryList } from './repository-list.ts'
import { NotFound } from '../session/errors.ts'
import { readRepositoryListQuery } from './repository-list-query.ts'
import { viewerOf } from '../session/viewer.ts'

const TABS = [
  ['papers', 'Repositories'],
  ['stars', 'Stars'],
] as const

/** `/{owner}`: a user, and the repositories owned and starred that the viewer may see. */
export async function showProfile(c: Context, deps: Deps): Promise<Response> {
  const user = await deps.store.users.findByLogin(c.req.param('owner') ?? '')
  if (user === null || user.isDisabled) throw new NotFound()
  const viewer = viewerOf(c)
  const query = readRepositoryListQuery(c, TABS)
  const isStars = query.tab === 'stars'
  const stretch = await deps.store.repositories.listFiltered({
    filter: { kind: isStars ? 'starred' : 'owned', userId: user.id },
    viewerId: viewer?.id ?? null,
    text: query.text,
    order: query.order,
    window: { offset: (query.page - 1) * REPOSITORIES_PER_PAGE, limit: REPOSITORIES_PER_PAGE },
  })
  const isOwn = viewer?.id === user.id
  const trashed = isOwn ? await deps.store.repositories.listTrashed(user.id) : []
  const empty = emptyList(user, { isOwn, isStars })
  const list = await repositoryList(
    { path: `/${user.login}`, tabs: TABS, query, stretch, empty, isOwnerShown: isStars },
    deps,
  )
  const main = html`<div class="bar profile">
      ${avatar(user, 64)}
      <div>
        <h1>${user.name ?? user.login}</h1>
        <p class="quiet">
          ${user.name === null ? '' : html`${user.login}, `}joined
          <time datetime="${new Date(user.createdAt).toISOString()}">${formatDate(user.createdAt)}</time>
        </p>
        ${user.bio === null ? '' : html`<p class="bio">${user.bio}</p>`}
      </div>
      ${
        isOwn
          ? html`<p class="actions">
              ${trashed.length === 0 ? '' : html`<a href="/settings/trash">Trash (${trashed.length})</a>`}
              <a href="/settings/profile">Edit profile</a>
              <a class="button" href="/new">${icon('plus')} New repository</a>
            </p>`
          : ''
      }
    </div>
    <section aria-label="${isStars ? 'Stars' : 'Repositories'}">${list}</section>`
  return sendPage(c, { title: user.login, main })
}

function emptyList({ login }: User, { isOwn, isStars }: { readonly isOwn: boolean; readonly isStars: boolean }): Html {
  if (isStars) return html`<p class="quiet">${isOwn ? 'You have' : `${login} has`} no starred repositories yet.</p>`
  return html`<p class="quiet">${isOwn ? 'You have no repositories yet.' : `${login} has no public repositories.`}</p>`
}
