import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'

import type { Repository } from '../../domain/types.ts'
import { likePattern } from '../sqlite/like-pattern.ts'
import type { Stretch, Window } from '../repositories/repository-lists.ts'
import { selectRepositories, toRepository } from '../repositories/repository-rows.ts'
import type { Schema } from '../schema.ts'

/** A repository as whoever runs the host sees it. */
export interface OverseenRepository {
  readonly repository: Repository
  /** Why it is disabled; null where it is not, or where nobody said why. */
  readonly disabledReason: string | null
  /** Epoch milliseconds; null = never, or before this was noted. */
  readonly pushedAt: number | null
}

/** The builds that are not over. */
export interface QueueState {
  readonly queuedCount: number
  readonly runningCount: number
  /** Epoch milliseconds; null when none waits. */
  readonly oldestQueuedAt: number | null
}

/** Every repository of the host, whoever may see it: for its administrators alone. */
export interface RepositoryOversight {
  /** By full name. `text` is a part of the owner's or the repository's name in any case, `''` = all. */
  listAll(options: { readonly text: string; readonly window: Window }): Promise<Stretch<OverseenRepository>>
  /** null when there is no such repository. */
  oversee(id: number): Promise<OverseenRepository | null>
  /** How many builds wait and run, in every repository. */
  describeQueue(): Promise<QueueState>
  /** Content ids of every PDF that builds of a repository have made, each once. */
  listPdfIds(id: number): Promise<readonly string[]>
}

/** The oversight of one database. Nothing of it is cached: it is asked rarely and by few. */
export function createRepositoryOversight(db: Kysely<Schema>): RepositoryOversight {
  const rows = selectRepositories(db).select(['repository.disabled_reason', 'repository.pushed_at'])

  return {
    async listAll({ text, window }) {
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
      return { items: found.map(toOverseen), total: Number(count) }
    },

    async oversee(id) {
      const row = await rows.where('repository.id', '=', id).executeTakeFirst()
      return row === undefined ? null : toOverseen(row)
    },

    async describeQueue() {
      const states = await db
        .selectFrom('build')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
        .where('state', 'in', ['queued', 'running'])
        .groupBy('state')
        .execute()
      const queued = states.find(({ state }) => state === 'queued')
      const running = states.find(({ state }) => state === 'running')
      return {
        queuedCount: Number(queued?.count ?? 0),
        runningCount: Number(running?.count ?? 0),
        oldestQueuedAt: queued?.oldest ?? null,
      }
    },

    async listPdfIds(id) {
      const found = await db
        .selectFrom('build')
        .select('pdf_id')
        .distinct()
        .where('repository_id', '=', id)
        .where('pdf_id', 'is not', null)
        .execute()
      return found.flatMap(({ pdf_id: pdfId }) => pdfId ?? [])
    },
  }
}

type OverseenRow = Parameters<typeof toRepository>[0] & {
  readonly disabled_reason: string | null
  readonly pushed_at: number | null
}

function toOverseen(row: OverseenRow): OverseenRepository {
  return { repository: toRepository(row), disabledReason: row.disabled_reason, pushedAt: row.pushed_at }
}
