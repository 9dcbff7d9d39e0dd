/**
 * Pages of repositories.
 *
 * A list is read in two queries: first the sorted ids, then the rows of one page. Both are kept by the read cache. A
 * page far down the list of a user with ten thousand repositories therefore costs as much as the first page of a short
 * list, and the count is the length of the cached ids. The same page is the same object until the next commit.
 */
import { sql } from 'kysely'
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'

import type { GrantedPermission } from '../../domain/access.ts'
import type { Repository, Visibility } from '../../domain/types.ts'
import { likePattern } from '../sqlite/like-pattern.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from '../schema.ts'

/** Sort order of a list; `full_name` ignores case. */
export interface RepositoryOrder {
  readonly by: 'created' | 'updated' | 'full_name'
  readonly direction: 'asc' | 'desc'
}

/** A part of a list. */
export interface Window {
  readonly offset: number
  readonly limit: number
}

/** A selection of the repositories that a user owns or is a collaborator of. */
export interface MembershipFilter {
  readonly isOwner: boolean
  readonly isCollaborator: boolean
  /** null = both. */
  readonly visibility: Visibility | null
}

/** A page of a list, and the number of items that can be reached: at most 10,000. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly total: number
}

/** A repository and the permission of a certain collaborator. */
export interface SharedRepository {
  readonly repository: Repository
  readonly collaboration: GrantedPermission | null
}

/** Lists of repositories. */
export interface RepositoryLists {
  /** Public repositories, of one owner or of all. */
  listPublic(options: PublicListOptions): Promise<ListPage<Repository>>
  /**
   * Repositories that the viewer may read, and whose name, owner or description contains the text, ignoring case;
   * newest first.
   */
  search(options: SearchOptions): Promise<readonly Repository[]>
  /** Number of public repositories of an owner, without limit. */
  countPublic(ownerId: string): Promise<number>
  /** Repositories that a user owns or is a collaborator of. */
  listOfMember(userId: string, options: MemberListOptions): Promise<ListPage<SharedRepository>>
}

/** The search text and the viewer. */
export interface SearchOptions {
  readonly text: string
  /** null = anonymous. */
  readonly viewerId: string | null
  readonly limit: number
}

/** A selection of the public repositories. */
export interface PublicListOptions {
  /** null = all owners. */
  readonly ownerId: string | null
  readonly order: RepositoryOrder
  readonly window: Window
}

/** A selection of a member's repositories. */
export interface MemberListOptions {
  readonly filter: MembershipFilter
  readonly order: RepositoryOrder
  readonly window: Window
}

/** Source: REST specification §4, Pagination 3. */
const deepestItem = 10_000

/** Creates the repository lists of a database. */
export function createRepositoryLists(db: Kysely<Schema>, read: ReadCache): RepositoryLists {
  async function listIds(order: RepositoryOrder, condition: Condition): Promise<readonly number[]> {
    const column = order.by === 'full_name' ? 'full_name_key' : order.by === 'created' ? 'created_at' : 'updated_at'
    const rows = await db
      .selectFrom('repository')
      .select('id')
      .where('state', '=', 'ready')
      .where(condition)
      .orderBy(column, order.direction)
      // With equal times, items could move between two pages.
      .orderBy('id', order.direction)
      .limit(deepestItem)
      .execute()
    return rows.map((row) => row.id)
  }

  async function loadPublic(ids: readonly number[]): Promise<readonly Repository[]> {
    const rows = await selectRepositories(db)
      .where('repository.id', 'in', ids)
      .where('repository.visibility', '=', 'public')
      .execute()
    return inOrderOf(ids, rows.map(toRepository), (repository) => repository.id)
  }

  async function loadShared(ids: readonly number[], userId: string): Promise<readonly SharedRepository[]> {
    const rows = await selectRepositories(db)
      .leftJoin('collaborator', (join) =>
        join.onRef('collaborator.repository_id', '=', 'repository.id').on('collaborator.user_id', '=', userId),
      )
      .select('collaborator.permission')
      .where('repository.id', 'in', ids)
      .where((is) => is.or([is('repository.owner_id', '=', userId), is('collaborator.user_id', '=', userId)]))
      .execute()
    const shared = rows.map((row) => ({ repository: toRepository(row), collaboration: row.permission }))
    return inOrderOf(ids, shared, (item) => item.repository.id)
  }

  function readListPage<T>(key: string, window: Window, load: ListPageLoader<T>): ListPage<T> | Promise<ListPage<T>> {
    const { offset, limit } = window
    return read(
      `${key}:${offset}:${limit}`,
      async () => {
        const ids = await read(key, load.ids, (list) => 1 + list.length / 100)
        const page = ids.slice(offset, offset + limit)
        return { items: page.length === 0 ? [] : await load.items(page), total: ids.length }
      },
      (page) => 1 + 3 * page.items.length,
    )
  }

  return {
    async listPublic({ ownerId, order, window }) {
      const key = `public:${ownerId ?? '*'}:${order.by}:${order.direction}`
      return readListPage(key, window, {
        ids: () => listIds(order, (is) => isPublic(is, ownerId)),
        items: loadPublic,
      })
    },

    async search({ text, viewerId, limit }) {
      const pattern = likePattern(text)
      const isNamed = sql<SqlBool>`repository.full_name_key like ${pattern} escape '\\'`
      const rows = await selectRepositories(db)
        .where('repository.state', '=', 'ready')
        .where('repository.is_disabled', '=', 0)
        .where((is) =>
          is.or([isNamed, sql<SqlBool>`${is.fn('lower', ['repository.description'])} like ${pattern} escape '\\'`]),
        )
        .where((is) =>
          is.or([
            is('repository.visibility', '=', 'public'),
            ...(viewerId === null
              ? []
              : [
                  is('repository.owner_id', '=', viewerId),
                  is(
                    'repository.id',
                    'in',
                    is.selectFrom('collaborator').select('repository_id').where('user_id', '=', viewerId),
                  ),
                ]),
          ]),
        )
        .orderBy('repository.updated_at', 'desc')
        .orderBy('repository.id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRepository)
    },

    async countPublic(ownerId) {
      const answer = await read(`public-count:${ownerId}`, () =>
        db
          .selectFrom('repository')
          .select((is) => is.fn.countAll<number>().as('count'))
          .where('owner_id', '=', ownerId)
          .where('visibility', '=', 'public')
          .where('state', '=', 'ready')
          .executeTakeFirstOrThrow(),
      )
      return Number(answer.count)
    },

    async listOfMember(userId, { filter, order, window }) {
      const { isOwner, isCollaborator, visibility } = filter
      const key = `member:${userId}:${isOwner}:${isCollaborator}:${visibility ?? '*'}:${order.by}:${order.direction}`
      return readListPage(key, window, {
        ids: () => listIds(order, (is) => isMember(is, userId, filter)),
        items: (ids) => loadShared(ids, userId),
      })
    },
  }
}

interface ListPageLoader<T> {
  readonly ids: () => Promise<readonly number[]>
  readonly items: (ids: readonly number[]) => Promise<readonly T[]>
}

type Builder = ExpressionBuilder<Schema, 'repository'>
type Condition = (is: Builder) => Expression<SqlBool>

function isPublic(is: Builder, ownerId: string | null): Expression<SqlBool> {
  const visible = is('visibility', '=', 'public')
  return ownerId === null ? visible : is.and([visible, is('owner_id', '=', ownerId)])
}

function isMember(is: Builder, userId: string, filter: MembershipFilter): Expression<SqlBool> {
  const owned = filter.isOwner ? [is('owner_id', '=', userId)] : []
  const invited = filter.isCollaborator
    ? [is('id', 'in', is.selectFrom('collaborator').select('repository_id').where('user_id', '=', userId))]
    : []
  const belongs = is.or([...owned, ...invited])
  return filter.visibility === null ? belongs : is.and([belongs, is('visibility', '=', filter.visibility)])
}

function inOrderOf<T>(ids: readonly number[], items: readonly T[], idOf: (item: T) => number): readonly T[] {
  const byId = new Map(items.map((item) => [idOf(item), item]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
