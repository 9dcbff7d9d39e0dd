import { sql, type Kysely, type Transaction } from 'kysely'

import type { BuildRun } from '../../domain/build-minutes.ts'
import type { QuotaOverrides } from '../../domain/quotas.ts'
import type { Schema } from '../schema.ts'

/** The storage of a user's repositories. */
export interface OwnedStorage {
  /** Includes repositories that are being created, but not those in the trash. */
  readonly repositoryCount: number
  /** Size of the git repositories, including those in the trash. */
  readonly sizeBytes: number
}

/** Limits of individual users, and the usage of their repositories. */
export interface QuotaStore {
  /** null = the limit of the host. */
  findOverrides(userId: string): Promise<QuotaOverrides>
  setOverrides(userId: string, overrides: QuotaOverrides): Promise<void>
  measureOwned(userId: string): Promise<OwnedStorage>
  /** Builds of a user's repositories that ended after `since`, or are running. */
  listRuns(userId: string, options: { readonly since: number }): Promise<readonly BuildRun[]>
  /** Milliseconds of these builds between `since` and `now`. */
  measureRuns(userId: string, window: { readonly since: number; readonly now: number }): Promise<number>
  setRepositorySize(repositoryId: number, sizeBytes: number): Promise<void>
  /** Repositories whose size is unknown. */
  listUnmeasured(options: { readonly limit: number }): Promise<readonly number[]>
}

/** Creates the quotas of a database. */
export function createQuotaStore(db: Kysely<Schema>): QuotaStore {
  function runs(userId: string, since: number) {
    const started = db
      .selectFrom('build')
      .innerJoin('repository', 'repository.id', 'build.repository_id')
      .select(['build.started_at as startedAt', 'build.finished_at as finishedAt'])
      .where('repository.owner_id', '=', userId)
      .where('build.started_at', 'is not', null)
    // SQLite would read every build of the user for an OR of the two.
    return started
      .where('build.finished_at', '>', since)
      .unionAll(started.where('build.state', '=', 'running').where('build.finished_at', 'is', null))
  }

  return {
    async findOverrides(userId) {
      const row = await db.selectFrom('quota').selectAll().where('user_id', '=', userId).executeTakeFirst()
      return {
        repositories: row?.repositories ?? null,
        storageBytes: row?.storage_bytes ?? null,
        buildMinutes: row?.build_minutes ?? null,
        concurrentPushes: row?.concurrent_pushes ?? null,
      }
    },

    async setOverrides(userId, overrides) {
      const values = {
        repositories: overrides.repositories,
        storage_bytes: overrides.storageBytes,
        build_minutes: overrides.buildMinutes,
        concurrent_pushes: overrides.concurrentPushes,
      }
      await db
        .insertInto('quota')
        .values({ user_id: userId, ...values })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
        .execute()
    },

    measureOwned: (userId) => measureOwned(db, userId),

    async listRuns(userId, { since }) {
      const rows = await runs(userId, since).execute()
      return rows.flatMap(({ startedAt, finishedAt }) => (startedAt === null ? [] : [{ startedAt, finishedAt }]))
    },

    async measureRuns(userId, { since, now }) {
      const spentMs = sql<number | null>`sum(coalesce("finishedAt", ${now})
        - case when "startedAt" > ${since} then "startedAt" else ${since} end)`
      const row = await db
        .selectFrom(runs(userId, since).as('run'))
        .select(spentMs.as('spentMs'))
        .executeTakeFirstOrThrow()
      return Number(row.spentMs ?? 0)
    },

    async setRepositorySize(repositoryId, sizeBytes) {
      await db.updateTable('repository').set({ size_bytes: sizeBytes }).where('id', '=', repositoryId).execute()
    },

    async listUnmeasured({ limit }) {
      const rows = await db
        .selectFrom('repository')
        .select('id')
        .where('size_bytes', 'is', null)
        .where('state', 'in', ['ready', 'trashed'])
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

/** Measures, and keeps other transactions from giving the user a repository until this one ends. */
export async function lockOwned(transaction: Transaction<Schema>, userId: string): Promise<OwnedStorage> {
  // A weaker lock would not wait for the rows of repositories that are being created.
  await transaction.selectFrom('user').select('id').where('id', '=', userId).forUpdate().execute()
  return measureOwned(transaction, userId)
}

async function measureOwned(db: Kysely<Schema>, userId: string): Promise<OwnedStorage> {
  const row = await db
    .selectFrom('repository')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('state', 'in', ['creating', 'ready']).as('count'),
      fn.sum<number | null>('size_bytes').as('bytes'),
    ])
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { repositoryCount: Number(row.count), sizeBytes: Number(row.bytes ?? 0) }
}
