/**
 * Leases of running builds. The row of a build is its place in the queue: a process takes it for a limited time, and renews
 * it while it works. The number of the attempt increases each time, so that a holder whose lease has
 * been taken over can change nothing.
 */
import { sql, type Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** The right to run a build. */
export interface BuildLease {
  readonly buildId: number
  /** The process that runs it. */
  readonly worker: string
  readonly attempt: number
}

/** Times are epoch milliseconds. */
export interface BuildLeases {
  /** Starts a queued build; null if it is no longer queued, for example because it was cancelled. */
  take(buildId: number, options: { readonly worker: string; readonly leaseMs: number }): Promise<BuildLease | null>
  /** False if the lease is lost or the build is over. */
  renew(lease: BuildLease, options: { readonly leaseMs: number }): Promise<boolean>
  /** Renews the given leases that are still held. */
  renewAll(leases: readonly BuildLease[], options: { readonly leaseMs: number }): Promise<void>
  isHeld(lease: BuildLease): Promise<boolean>
  /** Returns the build to the queue; false if the lease is lost or the build is over. */
  release(lease: BuildLease): Promise<boolean>
  /** Returns the build to the queue like `release`, and counts the lease as lost. */
  expire(lease: BuildLease): Promise<boolean>
  /** Leases that ended before `now`, oldest build first. */
  listExpired(options: { readonly now: number }): Promise<readonly BuildLease[]>
  /** How many leases of a build were lost. */
  countLost(buildId: number): Promise<number>
  /** Filters these leases to those that are still held. */
  listHeld(leases: readonly BuildLease[]): Promise<readonly BuildLease[]>
  /**
   * Returns the builds of workers whose name starts with `prefix` to the queue, because their process has ended, and those
   * that started before leases existed.
   */
  releaseOf(prefix: string): Promise<void>
}

/** Builds that ran before leases existed have no worker. */
const NO_WORKER = ''

/** Creates the leases of a database. */
export function createBuildLeases(db: Kysely<Schema>): BuildLeases {
  const running = () => db.updateTable('build').where('state', '=', 'running')
  const requeued = { state: 'queued', started_at: null, pdf_id: null, worker: null, lease_expires_at: null } as const

  function held({ buildId, worker, attempt }: BuildLease) {
    const ofBuild = running().where('id', '=', buildId).where('attempt', '=', attempt)
    return worker === NO_WORKER ? ofBuild.where('worker', 'is', null) : ofBuild.where('worker', '=', worker)
  }

  return {
    async take(buildId, { worker, leaseMs }) {
      const now = Date.now()
      const row = await db
        .updateTable('build')
        .set({
          state: 'running',
          started_at: now,
          worker,
          lease_expires_at: now + leaseMs,
          attempt: sql<number>`attempt + 1`,
        })
        .where('id', '=', buildId)
        .where('state', '=', 'queued')
        .returning('attempt')
        .executeTakeFirst()
      return row === undefined ? null : { buildId, worker, attempt: row.attempt }
    },

    renew: async (lease, { leaseMs }) =>
      isChanged(
        await held(lease)
          .set({ lease_expires_at: Date.now() + leaseMs })
          .executeTakeFirst(),
      ),

    async renewAll(leases, { leaseMs }) {
      if (leases.length === 0) return
      await running()
        .set({ lease_expires_at: Date.now() + leaseMs })
        .where(({ and, or }) => or(leases.map(({ buildId, worker, attempt }) => and({ id: buildId, worker, attempt }))))
        .execute()
    },

    async isHeld({ buildId, worker, attempt }) {
      const row = await db
        .selectFrom('build')
        .select(['worker', 'attempt'])
        .where('id', '=', buildId)
        .where('state', '=', 'running')
        .executeTakeFirst()
      return row?.worker === worker && row.attempt === attempt
    },

    release: async (lease) => isChanged(await held(lease).set(requeued).executeTakeFirst()),

    expire: async (lease) =>
      isChanged(
        await held(lease)
          .set({ ...requeued, lost_leases: sql<number>`lost_leases + 1` })
          .executeTakeFirst(),
      ),

    async listExpired({ now }) {
      const rows = await db
        .selectFrom('build')
        .select(['id', 'worker', 'attempt'])
        .where('state', '=', 'running')
        .where(({ eb, or }) => or([eb('lease_expires_at', 'is', null), eb('lease_expires_at', '<', now)]))
        .orderBy('id')
        .execute()
      return rows.map(({ id, worker, attempt }) => ({ buildId: id, worker: worker ?? NO_WORKER, attempt }))
    },

    async countLost(buildId) {
      const row = await db.selectFrom('build').select('lost_leases').where('id', '=', buildId).executeTakeFirst()
      return row?.lost_leases ?? 0
    },

    async listHeld(leases) {
      if (leases.length === 0) return []
      const rows = await db
        .selectFrom('build')
        .select(['id', 'worker', 'attempt'])
        .where(
          'id',
          'in',
          leases.map(({ buildId }) => buildId),
        )
        .where('state', '=', 'running')
        .execute()
      const found = new Map(rows.map((row) => [row.id, row]))
      return leases.filter(({ buildId, worker, attempt }) => {
        const row = found.get(buildId)
        return row?.worker === worker && row.attempt === attempt
      })
    },

    async releaseOf(prefix) {
      await running()
        .set(requeued)
        .where(({ eb, or }) => or([eb('worker', 'is', null), eb('worker', 'like', `${prefix}%`)]))
        .execute()
    },
  }
}

function isChanged({ numUpdatedRows }: { readonly numUpdatedRows: bigint }): boolean {
  return numUpdatedRows > 0n
}
