/**
 * What pages list: of one shelf, only what the viewer may see, filtered by a text, sorted, one page at a time. The rule
 * of who may see is in the query itself, so no page can leak by forgetting it. A disabled repository is seen by those
 * who administer it.
 */
import { expressionBuilder, sql } from 'kysely'
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'

import type { Repository } from '../../domain/types.ts'
import { likePattern } from '../sqlite/like-pattern.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import type { Stretch, Window } from './repository-lists.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from '../schema.ts'

/** Where a list is taken from; the user is whose shelf it is, not who looks. */
export type Shelf =
  | { readonly kind: 'public' }
  | { readonly kind: 'owned' | 'shared' | 'member' | 'starred'; readonly userId: string }

/** Newest change first, by name, or the most starred first. */
export type ShelfOrder = 'updated' | 'name' | 'stars'

export interface ShelfOptions {
  readonly shelf: Shelf
  /** Who looks; null = nobody is signed in. */
  readonly viewerId: string | null
  /** Part of a name, an owner or a description, in any case; `''` = all. */
  readonly text: string
  readonly order: ShelfOrder
  readonly window: Window
}

/** Lists of repositories as people browse them. */
export interface RepositoryShelves {
  listShelf(options: ShelfOptions): Promise<Stretch<Repository>>
}

/** The shelves of one database. */
export function createRepositoryShelves(db: Kysely<Schema>, read: ReadCache): RepositoryShelves {
  async function load({ shelf, viewerId, text, order, window }: ShelfOptions): Promise<Stretch<Repository>> {
    const is = expressionBuilder<Schema, 'repository'>()
    const shelved = db
      .selectFrom('repository')
      .where('state', '=', 'ready')
      .where(is.and([isOn(is, shelf), isVisible(is, viewerId), isNamed(is, text)]))
    const [column, direction] = ORDERS[order]
    const [rows, { count }] = await Promise.all([
      shelved
        .select('id')
        .orderBy(column, direction)
        .orderBy('id', 'desc')
        .offset(window.offset)
        .limit(window.limit)
        .execute(),
      shelved.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    const ids = rows.map(({ id }) => id)
    const found = ids.length === 0 ? [] : await selectRepositories(db).where('repository.id', 'in', ids).execute()
    const byId = new Map(found.map((row) => [row.id, toRepository(row)]))
    return { items: ids.flatMap((id) => byId.get(id) ?? []), total: Number(count) }
  }

  return {
    async listShelf(options) {
      return read(
        `shelf:${JSON.stringify(options)}`,
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

function isOn(is: Builder, shelf: Shelf): Expression<SqlBool> {
  switch (shelf.kind) {
    case 'public':
      return is('visibility', '=', 'public')
    case 'owned':
      return is('owner_id', '=', shelf.userId)
    case 'shared':
      return isInvited(is, shelf.userId)
    case 'member':
      return is.or([is('owner_id', '=', shelf.userId), isInvited(is, shelf.userId)])
    case 'starred':
      return is('id', 'in', is.selectFrom('star').select('repository_id').where('user_id', '=', shelf.userId))
  }
}

function isVisible(is: Builder, viewerId: string | null): Expression<SqlBool> {
  const isOpen = is.and([is('visibility', '=', 'public'), is('is_disabled', '=', 0)])
  if (viewerId === null) return isOpen
  const isLetIn = is.and([isInvited(is, viewerId), is('is_disabled', '=', 0)])
  return is.or([isOpen, isLetIn, is('owner_id', '=', viewerId), isInvited(is, viewerId, ['admin'])])
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
  const isLike = (column: 'full_name_key' | 'description'): Expression<SqlBool> =>
    sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
  return is.or([isLike('full_name_key'), isLike('description')])
}
