/**
 * Serializes the processes that move refs of one repository. Git's own locks and expected values keep refs correct without
 * it; with it, a lock file that git finds belongs to a process that has ended.
 *
 * The number of the push is the fencing token: a process that was considered dead no longer owns its push, so it
 * cannot get the lock when it continues.
 */
import { setTimeout as delay } from 'node:timers/promises'

import { sql, type Kysely } from 'kysely'

import { createLimiter } from '../../base/limiter.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'
import { StoreBusy } from '../sqlite/store-errors.ts'
import type { JournalEntry } from '../repositories/push-journal.ts'

export interface RepositoryLocks {
  /**
   * Waits for the lock of the entry's repository; resolves to the function that releases it.
   *
   * @throws StoreBusy after a minute, and if another process has taken over the push.
   */
  acquire(entry: Pick<JournalEntry, 'id' | 'repositoryId'>): Promise<() => Promise<void>>
}

const WAIT_MS = 60_000
const MAX_PAUSE_MS = 100

/** Creates the locks of a database; they do nothing if it has one server at a time. */
export function createRepositoryLocks(db: Kysely<Schema>, instanceId: string | null): RepositoryLocks {
  if (instanceId === null) return { acquire: async () => async () => {} }
  // Writers of this process wait in order, so that one of them at a time asks the database.
  const limiter = createLimiter({ atOncePerKey: 1 })

  async function tryLock({ id, repositoryId }: Pick<JournalEntry, 'id' | 'repositoryId'>): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await db
      .insertInto('repository_lock')
      .columns(['repository_id', 'instance_id', 'entry_id'])
      .expression(
        db
          .selectFrom('push_journal')
          .select(['repository_id', sql<string>`instance_id`.as('instance_id'), 'id'])
          .where('id', '=', id)
          .where('instance_id', '=', instanceId),
      )
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows > 0n) return true
    const own = await db.selectFrom('push_journal').select('instance_id').where('id', '=', id).executeTakeFirst()
    if (own?.instance_id !== instanceId)
      throw new StoreBusy({ cause: null }, 'another server has taken over this push; push again')
    // The push of the holder is complete, or has no process.
    await db
      .deleteFrom('repository_lock')
      .where('repository_id', '=', repositoryId)
      .where(
        sql<boolean>`not exists (select 1 from push_journal join instance on instance.id = push_journal.instance_id
          where push_journal.id = repository_lock.entry_id)`,
      )
      .execute()
    return false
  }

  /** The refs may have moved, so caches of other processes read them again. */
  async function release({ id, repositoryId }: Pick<JournalEntry, 'id' | 'repositoryId'>): Promise<void> {
    await transact(db, async (transaction) => {
      await transaction.deleteFrom('repository_lock').where('entry_id', '=', id).execute()
      await transaction
        .updateTable('repository')
        .set({ ref_generation: sql<number>`ref_generation + 1` })
        .where('id', '=', repositoryId)
        .execute()
    })
  }

  return {
    async acquire(entry) {
      const leave = await limiter.enter(String(entry.repositoryId), { waitMs: WAIT_MS })
      try {
        const endsAt = performance.now() + WAIT_MS
        for (let pauseMs = 5; !(await tryLock(entry)); pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
          if (performance.now() > endsAt)
            throw new StoreBusy({ cause: null }, 'another server is writing to this repository')
          await delay(pauseMs)
        }
      } catch (error) {
        leave()
        throw error
      }
      return () => release(entry).finally(leave)
    },
  }
}
