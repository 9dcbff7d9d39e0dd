import type { Kysely } from 'kysely'

import type { WorkerReport } from '../../domain/build/worker-protocol.ts'
import type { Schema } from '../schema.ts'

/** A worker asks for a job every 25 seconds, and renews its leases more often. */
export const WORKER_LOST_AFTER_MS = 90_000

/** A key with which workers take builds. The key itself is not stored. */
export interface WorkerKey {
  readonly id: number
  readonly name: string
  readonly createdAt: number
}

/** A worker that has connected. */
export interface SeenWorker extends WorkerReport {
  readonly keyName: string
  readonly seenAt: number
}

/** Keys of workers, and the workers themselves. Times are epoch milliseconds. */
export interface WorkerKeys {
  /** `hash` = SHA-256 of the key, hex. */
  add(key: { readonly name: string; readonly hash: string }): Promise<WorkerKey>
  /** Oldest first. */
  list(): Promise<readonly WorkerKey[]>
  findByHash(hash: string): Promise<WorkerKey | null>
  /** Removes the key and its workers; false if there is no such key. */
  remove(id: number): Promise<boolean>
  /** Records that a worker has connected now. */
  noteWorker(keyId: number, report: WorkerReport): Promise<void>
  /** The workers that have connected since a time, sorted by name. */
  listWorkers(options: { readonly since: number }): Promise<readonly SeenWorker[]>
  /** Forgets a worker that has ended. */
  removeWorker(id: string): Promise<void>
  /** Deletes workers that last connected before a time. */
  removeOldWorkers(options: { readonly before: number }): Promise<void>
}

/** Creates the worker keys of a database. */
export function createWorkerKeys(db: Kysely<Schema>): WorkerKeys {
  const keys = db.selectFrom('worker_key').select(['id', 'name', 'created_at as createdAt'])
  return {
    add: ({ name, hash }) =>
      db
        .insertInto('worker_key')
        .values({ name, hash, created_at: Date.now() })
        .returning(['id', 'name', 'created_at as createdAt'])
        .executeTakeFirstOrThrow(),

    list: () => keys.orderBy('id').execute(),

    findByHash: async (hash) => (await keys.where('hash', '=', hash).executeTakeFirst()) ?? null,

    async remove(id) {
      await db.deleteFrom('worker').where('key_id', '=', id).execute()
      const { numDeletedRows } = await db.deleteFrom('worker_key').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },

    async noteWorker(keyId, { id, name, slots, running, texRelease, packageCount, version }) {
      const seen = {
        key_id: keyId,
        name,
        slots,
        running,
        tex_release: texRelease,
        package_count: packageCount,
        version,
        seen_at: Date.now(),
      }
      await db
        .insertInto('worker')
        .values({ id, ...seen })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(seen))
        .execute()
    },

    listWorkers: ({ since }) =>
      db
        .selectFrom('worker')
        .innerJoin('worker_key', 'worker_key.id', 'worker.key_id')
        .select([
          'worker.id',
          'worker.name',
          'worker.slots',
          'worker.running',
          'worker.tex_release as texRelease',
          'worker.package_count as packageCount',
          'worker.version',
          'worker_key.name as keyName',
          'worker.seen_at as seenAt',
        ])
        .where('worker.seen_at', '>=', since)
        .orderBy('worker.name')
        .orderBy('worker.id')
        .execute(),

    async removeWorker(id) {
      await db.deleteFrom('worker').where('id', '=', id).execute()
    },

    async removeOldWorkers({ before }) {
      await db.deleteFrom('worker').where('seen_at', '<', before).execute()
    },
  }
}
