import type { Kysely, SqlBool } from 'kysely'
import { sql } from 'kysely'

import type { Schema } from '../schema.ts'

/** A build of any repository, for administrators. */
export interface AdminBuild {
  readonly id: number
  readonly owner: string
  readonly repository: string
  /** Within its repository. */
  readonly number: number
  /** Full ref name. */
  readonly ref: string
  readonly rootFile: string
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

/** Outcomes of the builds in a period. */
export interface BuildTally {
  readonly succeededCount: number
  readonly failedCount: number
  /** Successful builds that reused the result of an earlier build of the same files, without running TeX. */
  readonly reusedCount: number
}

/** A repository and how many of its builds failed. */
export interface FailingRepository {
  readonly owner: string
  readonly repository: string
  readonly failedCount: number
  readonly count: number
}

/** The builds in progress. */
export interface QueueState {
  readonly queuedCount: number
  readonly runningCount: number
  /** Epoch milliseconds; null if none waits. */
  readonly oldestQueuedAt: number | null
}

/** Builds of every repository, for administrators of the host. Times are epoch milliseconds. */
export interface BuildQueries {
  /** Builds in progress: running ones first, then waiting ones in the order of the queue. */
  listOpenBuilds(options: { readonly limit: number }): Promise<readonly AdminBuild[]>
  /** The number of waiting and running builds. */
  describeQueue(): Promise<QueueState>
  tallyBuilds(options: { readonly since: number }): Promise<BuildTally>
  /** The slowest builds, slowest first. */
  listSlowestBuilds(options: { readonly since: number; readonly limit: number }): Promise<readonly AdminBuild[]>
  /** Sorted by the number of failed builds, most first. */
  listFailingRepositories(options: {
    readonly since: number
    readonly limit: number
  }): Promise<readonly FailingRepository[]>
}

/** Creates the build queries of a database. */
export function createBuildQueries(db: Kysely<Schema>): BuildQueries {
  const rows = db
    .selectFrom('build')
    .innerJoin('repository', 'repository.id', 'build.repository_id')
    .innerJoin('user', 'user.id', 'repository.owner_id')
    .select([
      'build.id',
      'user.login as owner',
      'repository.name as repository',
      'build.number',
      'build.ref',
      'build.root_file as rootFile',
      'build.state',
      'build.created_at as createdAt',
      'build.started_at as startedAt',
      'build.finished_at as finishedAt',
    ])

  return {
    listOpenBuilds: ({ limit }) =>
      rows
        .where('build.state', 'in', ['queued', 'running'])
        .orderBy('build.state', 'desc')
        .orderBy('build.id')
        .limit(limit)
        .execute(),

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

    async tallyBuilds({ since }) {
      const states = await db
        .selectFrom('build')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.count<number>('started_at').as('run')])
        .where('created_at', '>=', since)
        .where('state', 'in', ['succeeded', 'failed'])
        .groupBy('state')
        .execute()
      const [good, failed] = ['succeeded', 'failed'].map((name) => states.find(({ state }) => state === name))
      return {
        succeededCount: Number(good?.count ?? 0),
        failedCount: Number(failed?.count ?? 0),
        reusedCount: Number(good?.count ?? 0) - Number(good?.run ?? 0),
      }
    },

    listSlowestBuilds: ({ since, limit }) => {
      const duration = sql`build.finished_at - build.started_at`
      // An index contains all that it reads of builds that are not among the slowest.
      const slowest = db
        .selectFrom('build')
        .select('build.id')
        .where('build.state', 'in', ['succeeded', 'failed', 'cancelled'])
        .where('build.created_at', '>=', since)
        .where('build.finished_at', 'is not', null)
        .where('build.started_at', 'is not', null)
        .orderBy(duration, 'desc')
        .limit(limit)
      return rows.where('build.id', 'in', slowest).orderBy(duration, 'desc').execute()
    },

    async listFailingRepositories({ since, limit }) {
      const isFailed = sql<SqlBool>`build.state = 'failed'`
      const failing = db
        .selectFrom('build')
        .select(({ fn }) => [
          'build.repository_id',
          fn.countAll<number>().filterWhere(isFailed).as('failedCount'),
          fn.countAll<number>().as('count'),
        ])
        .where('build.created_at', '>=', since)
        .where('build.state', 'in', ['succeeded', 'failed'])
        .groupBy('build.repository_id')
        .having(({ fn }) => fn.countAll<number>().filterWhere(isFailed), '>', 0)
        .orderBy('failedCount', 'desc')
        .limit(limit)
      const found = await db
        .selectFrom(failing.as('failing'))
        .innerJoin('repository', 'repository.id', 'failing.repository_id')
        .innerJoin('user', 'user.id', 'repository.owner_id')
        .select(['user.login as owner', 'repository.name as repository', 'failing.failedCount', 'failing.count'])
        .orderBy('failing.failedCount', 'desc')
        .execute()
      return found.map(({ failedCount, count, ...row }) => ({
        ...row,
        failedCount: Number(failedCount),
        count: Number(count),
      }))
    },
  }
}
