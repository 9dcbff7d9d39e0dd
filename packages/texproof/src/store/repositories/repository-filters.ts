/**
 * Lists of repositories for pages: filtered by the viewer's access and by a text, sorted, one page at a time. The
 * access rule is part of the query, so no page can omit it. Administrators of a disabled repository still see it.
 */
import { expressionBuilder, sql } from 'kysely'
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'

import type { Repository } from '../../domain/types.ts'
import { likePattern } from '../sqlite/like-pattern.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import type { ListPage, Window } from './repository-lists.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from '../schema.ts'

/** Which repositories; the user is their owner, member or stargazer, not the viewer. */
export type RepositoryFilter =
  | { readonly kind: 'public' }
  | { readonly kind: 'owned' | 'shared' | 'member' | 'starred'; readonly userId: string }

/** Sort order: newest change, name, or most stars first. */
export type FilterOrder = 'updated' | 'name' | 'stars'

export interface FilterOptions {
  readonly filter: RepositoryFilter
  /** null = anonymous. */
  readonly viewerId: string | null
  /** Part of a name, an owner or a description, in any case; `''` = all. */
  readonly text: string
  readonly order: FilterOrder
  readonly window: Window
}

/** Filtered lists of repositories. */
export interface FilteredRepositories {
  listFiltered(options: FilterOptions): Promise<ListPage<Repository>>
}

/** Creates the filtered lists of a database. */
export function createFilteredRepositories(db: Kysely<Schema>, read: ReadCache): FilteredRepositories {
  async function load({ filter, viewerId, text, order, window }: FilterOptions): Promise<ListPage<Repository>> {
    const is = expressionBuilder<Schema, 'repository'>()
    const filtered = db
      .selectFrom('repository')
      .where('state', '=', 'ready')
      .where(is.and([matches(is, filter), isVisible(is, viewerId), isNamed(is, text)]))
    const [column, direction] = ORDERS[order]
    const [rows, { count }] = await Promise.all([
      filtered
        .select('id')
        .orderBy(column, direction)
        .orderBy('id', 'desc')
        .offset(window.offset)
        .limit(window.limit)
        .execute(),
      filtered.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    const ids = rows.map(({ id }) => id)
    const found = ids.length === 0 ? [] : await selectRepositories(db).where('repository.id', 'in', ids).execute()
    const byId = new Map(found.map((row) => [row.id, toRepository(row)]))
    return { items: ids.flatMap((id) => byId.get(id) ?? []), total: Number(count) }
  }

  return {
    async listFiltered(options) {
      return read(
        `filtered:${JSON.stringify(options)}`,
        () => load(options),
        ({ items }) => 1 + items.length,
      )
    },
  }
}

const ORDERS = {
  updated: ['updated_at', 'desc'],
  name: ['full_name_key', 'asc'],
  stars: ['star_count', 'desc'],
} as const

type Builder = ExpressionBuilder<Schema, 'repository'>

function matches(is: Builder, filter: RepositoryFilter): Expression<SqlBool> {
  switch (filter.kind) {
    case 'public':
      return is('visibility', '=', 'public')
    case 'owned':
      return is('owner_id', '=', filter.userId)
    case 'shared':
      return isInvited(is, filter.userId)
    case 'member':
      return is.or([is('owner_id', '=', filter.userId), isInvited(is, filter.userId)])
    case 'starred':
      return is('id', 'in', is.selectFrom('star').select('repository_id').where('user_id', '=', filter.userId))
  }
}

function isVisible(is: Builder, viewerId: string | null): Expression<SqlBool> {
  const isOpen = is.and([is('visibility', '=', 'public'), is('is_disabled', '=', 0)])
  if (viewerId === null) return isOpen
  const isCollaborator = is.and([isInvited(is, viewerId), is('is_disabled', '=', 0)])
  return is.or([isOpen, isCollaborator, is('owner_id', '=', viewerId), isInvited(is, viewerId, ['admin'])])
}

function isInvited(
  is: Builder,
  userId: string,
  rights: readonly ('pull' | 'push' | 'admin')[] = ['pull', 'push', 'admin'],
): Expression<SqlBool> {
  const invitations = is.selectFrom('collaborator').select('repository_id').where('user_id', '=', userId)
  return is('id', 'in', invitations.where('permission', 'in', rights))
}

function isNamed(is: Builder, text: string): Expression<SqlBool> {
  if (text === '') return sql<SqlBool>`1 = 1`
  const pattern = likePattern(text)
  return is.or([
    sql<SqlBool>`full_name_key like ${pattern} escape '\\'`,
    sql<SqlBool>`${is.fn('lower', ['description'])} like ${pattern} escape '\\'`,
  ])
}
