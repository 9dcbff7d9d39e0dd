import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'

import type { Repository } from '../../domain/types.ts'
import { likePattern } from '../sqlite/like-pattern.ts'
import type { ListPage, Window } from '../repositories/repository-lists.ts'
import { selectRepositories, toRepository } from '../repositories/repository-rows.ts'
import type { Schema } from '../schema.ts'

/** A repository, for administrators. */
export interface AdminRepository {
  readonly repository: Repository
  /** Why it is disabled; null if it is not, or without a reason. */
  readonly disabledReason: string | null
  /** Epoch milliseconds; null = never, or before this was recorded. */
  readonly pushedAt: number | null
}

/** Every repository of the host, for administrators only. */
export interface RepositoryQueries {
  /** Repositories by full name. `text` is a part of the owner's or the repository's name in any case, `''` = all. */
  listRepositories(options: { readonly text: string; readonly window: Window }): Promise<ListPage<AdminRepository>>
  /** Null if there is no such repository. */
  findRepository(id: number): Promise<AdminRepository | null>
}

/** Creates the repository queries of a database. Nothing is cached: administrators rarely use them. */
export function createRepositoryQueries(db: Kysely<Schema>): RepositoryQueries {
  const rows = selectRepositories(db).select(['repository.disabled_reason', 'repository.pushed_at'])

  return {
    async listRepositories({ text, window }) {
      const isNamed = sql<SqlBool>`repository.full_name_key like ${likePattern(text)} escape '\\'`
      const [found, { count }] = await Promise.all([
        rows.where(isNamed).orderBy('repository.full_name_key').offset(window.offset).limit(window.limit).execute(),
        db
          .selectFrom('repository')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('state', '=', 'ready')
          .where(isNamed)
          .executeTakeFirstOrThrow(),
      ])
      return { items: found.map(toAdminRepository), total: Number(count) }
    },

    async findRepository(id) {
      const row = await rows.where('repository.id', '=', id).executeTakeFirst()
      return row === undefined ? null : toAdminRepository(row)
    },
  }
}

type AdminRow = Parameters<typeof toRepository>[0] & {
  readonly disabled_reason: string | null
  readonly pushed_at: number | null
}

function toAdminRepository(row: AdminRow): AdminRepository {
  return { repository: toRepository(row), disabledReason: row.disabled_reason, pushedAt: row.pushed_at }
}
