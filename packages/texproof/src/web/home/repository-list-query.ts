import type { Context } from 'hono'

import type { FilterOrder } from '../../store/repositories/repository-filters.ts'
import { readPage } from '../ui/page-links.ts'

const MAX_TEXT_LENGTH = 200

/** Tab, filter, order and page of a repository list, from an address. */
export interface RepositoryListQuery<Tab extends string = string> {
  readonly tab: Tab
  /** `''` = no filter. */
  readonly text: string
  readonly order: FilterOrder
  /** 1 = the first. */
  readonly page: number
}

/** Reads `?show=…&q=…&sort=…&page=…`; unknown values are ignored. The first tab is the default. */
export function readRepositoryListQuery<Tab extends string>(
  c: Context,
  tabs: readonly (readonly [tab: Tab, label: string])[],
): RepositoryListQuery<Tab> {
  const [first] = tabs[0] ?? []
  if (first === undefined) throw new Error('a repository list needs a tab')
  const sort = c.req.query('sort')
  return {
    tab: tabs.find(([tab]) => tab === c.req.query('show'))?.[0] ?? first,
    text: (c.req.query('q') ?? '').trim().slice(0, MAX_TEXT_LENGTH),
    order: sort === 'name' || sort === 'stars' ? sort : 'updated',
    page: readPage(c.req.query('page')),
  }
}

/** The address of a list with these options at `path`; defaults are omitted. */
export function repositoryListHref(
  path: string,
  { tab, text, order, page }: RepositoryListQuery,
  usualTab: string,
): string {
  const query = new URLSearchParams()
  if (tab !== usualTab) query.set('show', tab)
  if (text !== '') query.set('q', text)
  if (order !== 'updated') query.set('sort', order)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? path : `${path}?${query}`
}
