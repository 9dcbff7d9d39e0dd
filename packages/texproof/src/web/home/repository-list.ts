import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { ListPage } from '../../store/repositories/repository-lists.ts'
import { repositoryListHref } from './repository-list-query.ts'
import type { RepositoryListQuery } from './repository-list-query.ts'
import type { Html } from '../ui/html.ts'
import { pageLinks } from '../ui/page-links.ts'
import { findListedPapers } from '../shell/repository/find-listed-paper.ts'
import { repositoryTable } from '../ui/repository-table.ts'

/** Maximum number of repositories on one page. */
export const REPOSITORIES_PER_PAGE = 30

const ORDERS = [
  ['updated', 'Last updated'],
  ['name', 'Name'],
  ['stars', 'Most stars'],
] as const

/** A repository list with its tabs and pages. */
export interface RepositoryListView {
  /** Path of the page that contains it. */
  readonly path: string
  /** The first one is the default. */
  readonly tabs: readonly (readonly [tab: string, label: string])[]
  readonly query: RepositoryListQuery
  readonly stretch: ListPage<Repository>
  /** Shown if the list is empty without a filter. */
  readonly empty: Html
  readonly isOwnerShown: boolean
}

/** Tabs, filter, table and pages: links and a form sent by GET. */
export async function repositoryList(
  view: RepositoryListView,
  deps: Pick<Deps, 'git' | 'papers' | 'log'>,
): Promise<Html> {
  const { path, tabs, query, stretch, empty, isOwnerShown } = view
  const usualTab = tabs[0]?.[0] ?? ''
  const address = (change: Partial<RepositoryListQuery>): string =>
    repositoryListHref(path, { ...query, page: 1, ...change }, usualTab)
  return html`<nav class="tabs" aria-label="Lists">
      ${tabs.map(
        ([tab, label]) =>
          html`<a href="${address({ tab })}" ${tab === query.tab ? html`aria-current="page"` : ''}>${label}</a>`,
      )}
    </nav>
    ${stretch.total === 0 && query.text === '' ? '' : filterForm(view, usualTab)} ${await list()}
    ${pageLinks({ page: query.page, perPage: REPOSITORIES_PER_PAGE, total: stretch.total, href: (page) => address({ page }) })}`

  async function list(): Promise<Html> {
    if (stretch.items.length > 0) return repositoryTable(await findListedPapers(deps, stretch.items), { isOwnerShown })
    if (stretch.total > 0)
      return html`<p class="quiet">There are no more repositories. <a href="${address({})}">Show the first page</a></p>`
    if (query.text === '') return empty
    return html`<p class="quiet">No results for "${query.text}". <a href="${address({ text: '' })}">Show all</a></p>`
  }
}

function filterForm({ path, query }: RepositoryListView, usualTab: string): Html {
  return html`<form class="filter" action="${path}" role="search" aria-label="Filter">
    ${query.tab === usualTab ? '' : html`<input type="hidden" name="show" value="${query.tab}" />`}
    <p>
      <label for="filter">Name or description</label>
      <input id="filter" name="q" type="search" value="${query.text}" />
    </p>
    <p>
      <label for="sort">Sort</label>
      <select id="sort" name="sort">
        ${ORDERS.map(([order, label]) => html`<option value="${order}" ${order === query.order ? html`selected` : ''}>${label}</option>`)}
      </select>
    </p>
    <p><button class="drawn-button">Filter</button></p>
  </form>`
}
