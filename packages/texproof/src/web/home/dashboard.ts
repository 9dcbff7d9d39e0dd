import type { Context } from 'hono'
import { html } from 'hono/html'

import { findPendingEmail } from '../../accounts/email/email-verification.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { RepositoryFilter } from '../../store/repositories/repository-filters.ts'
import { activityList } from './activity-list.ts'
import { listDrafts } from '../../operations/edit/drafts.ts'
import { listOfferedRepositories } from '../../operations/repository/transfer-repository.ts'
import { findSignedIn } from '../session/find-caller.ts'
import { attentionList } from './attention-list.ts'
import { draftList } from './draft-list.ts'
import { firstSteps } from './first-steps.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendPage } from '../shell/page.ts'
import { REPOSITORIES_PER_PAGE, repositoryList } from './repository-list.ts'
import { findActivity } from './find-activity.ts'
import { findAttention } from './find-attention.ts'
import { readRepositoryListQuery } from './repository-list-query.ts'

const TABS = [
  ['all', 'All'],
  ['mine', 'Mine'],
  ['shared', 'Shared'],
  ['starred', 'Starred'],
  ['public', 'Public'],
] as const

type Tab = (typeof TABS)[number][0]

/** Tabs of a user without papers: the papers of others come first. */
const FIRST_TABS = [
  ['public', 'Public repositories'],
  ['shared', 'Shared'],
  ['starred', 'Starred'],
] as const

/** How many of the viewer's newest repositories are watched. */
const WATCHED = 50

/** `/` for a signed-in user: their papers, and items that need attention. */
export async function showDashboard(c: Context, deps: Deps, viewer: User): Promise<Response> {
  const { repositories } = deps.store
  const own = await repositories.listFiltered({
    filter: { kind: 'member', userId: viewer.id },
    viewerId: viewer.id,
    text: '',
    order: 'updated',
    window: { offset: 0, limit: WATCHED },
  })
  const isNew = own.total === 0
  const tabs: readonly (readonly [Tab, string])[] = isNew ? FIRST_TABS : TABS
  const query = readRepositoryListQuery(c, tabs)
  const { text, order, page, tab } = query
  const watched = { user: viewer, repositories: own.items }
  const caller = findSignedIn(c)
  const [stretch, attention, activity, drafts, offered] = await Promise.all([
    repositories.listFiltered({
      filter: repositoriesOfTab(tab, viewer),
      viewerId: viewer.id,
      text,
      order,
      window: { offset: (page - 1) * REPOSITORIES_PER_PAGE, limit: REPOSITORIES_PER_PAGE },
    }),
    findAttention(deps, watched),
    findActivity(deps, watched),
    caller === null ? [] : listDrafts(deps.store, caller),
    listOfferedRepositories(deps.store, viewer),
  ])
  const hasAside = attention.length + activity.length + drafts.length + offered.length > 0
  const list = await repositoryList(
    { path: '/', tabs, query, stretch, empty: emptyList(tab), isOwnerShown: true },
    deps,
  )
  const main = html`<div class="bar dashboard-head">
      <h1>Your repositories</h1>
      <p class="actions"><a class="button" href="/new">${icon('plus')} New repository</a></p>
    </div>
    ${isNew && viewer.email === null ? await pendingEmailNotice(deps, viewer) : ''}
    ${isNew ? firstSteps(c, deps.config, viewer) : ''}
    <div class="${hasAside ? 'dashboard' : ''}">
      <section aria-label="Repositories">${list}</section>
      ${
        hasAside
          ? html`<aside>
              ${offered.length === 0 ? '' : offerList(offered)} ${drafts.length === 0 ? '' : draftList(drafts)}
              ${attention.length === 0 ? '' : attentionList(attention)}
              ${activity.length === 0 ? '' : activityList(activity)}
            </aside>`
          : ''
      }
    </div>`
  return sendPage(c, { title: 'Your repositories', main })
}

/** Reminds new users to confirm their address. */
async function pendingEmailNotice({ store }: Deps, viewer: User): Promise<Html | ''> {
  const pending = await findPendingEmail(store, viewer)
  if (pending === null) return ''
  return html`<p class="notice" role="status">
    We sent an email to <b>${pending.email}</b>. Follow its link to confirm the address.
    <a href="/settings/profile">Send it again, or change it</a>
  </p>`
}

function repositoriesOfTab(tab: Tab, { id: userId }: User): RepositoryFilter {
  if (tab === 'public') return { kind: 'public' }
  return { kind: ({ all: 'member', mine: 'owned', shared: 'shared', starred: 'starred' } as const)[tab], userId }
}

function emptyList(tab: Tab): Html {
  const words = {
    all: 'No repositories yet.',
    mine: 'You have no repositories yet.',
    shared: 'Nobody has shared a repository with you yet.',
    starred: 'No starred repositories yet.',
    public: 'No public repositories yet.',
  }
  return html`<p class="quiet">${words[tab]}</p>`
}

/** Repositories that others want to transfer to the viewer. */
function offerList(offered: readonly Repository[]): Html {
  return html`<section class="activity" aria-labelledby="offers">
    <h2 id="offers">Transfer requests</h2>
    <ul>
      ${offered.map(
        ({ id, owner, name }) =>
          html`<li>
            <p><a href="/settings/transfers/${id}">${owner.login}/${name}</a></p>
            <p class="what">${owner.login} wants to transfer this repository to you.</p>
          </li>`,
      )}
    </ul>
  </section>`
}
