/** The copy of the database in a backup, which is completed while the backup is written. It has the schema of this version. */
import { DatabaseSync } from 'node:sqlite'

import { notSentAgain } from '../webhooks/queue-webhook-events.ts'
import { readDatabase, type DatabaseFile } from './database-file.ts'

/** Key of the setting with the last id of the push journal in a backup: the events of these pushes may have been sent since. */
export const backedUpEntryKey = 'backup.last_entry_id'

/** The newest ids in a copy of the database. */
export interface CopiedPushes {
  readonly lastPushId: number
  readonly lastEntryId: number
}

/** A push after the copy was taken, as a journal entry. */
export interface LaterPush {
  readonly repositoryId: number
  /** Null if the account was deleted. */
  readonly userId: string | null
  readonly updates: readonly {
    readonly ref: string
    readonly oldCommitId: string | null
    readonly newCommitId: string | null
  }[]
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** An open copy. */
export interface DatabaseCopy extends DatabaseFile {
  /** Marks a repository without git directory for removal: the next start removes its row, see `listUnfinished`. */
  giveUpRepository(id: number): void
  /** The ids of its newest pushes. */
  findCopiedPushes(): CopiedPushes
  /**
   * Adds pushes since `copied` to the journal, except those that it contained then, and makes the branches whose names they
   * use again former branches, see `Builds`.
   */
  addPushes(pushes: readonly LaterPush[], copied: CopiedPushes): void
  /**
   * Removes sessions and one-time links except invitations, which would give access. Of what the host sends after the copy
   * was taken, nothing is sent again: queued emails are removed, and the deliveries of webhooks and the events of pushes in
   * the journal fail.
   */
  removeTransient(): void
}

/**
 * Opens the copy.
 *
 * @throws Error when the file is not a database.
 */
export function openDatabaseCopy(path: string): DatabaseCopy {
  const database = new DatabaseSync(path)
  return {
    ...readDatabase(database),

    giveUpRepository(id) {
      database.prepare(`update repository set state = 'removing' where id = ?`).run(id)
    },

    findCopiedPushes() {
      const newest = (table: string): number =>
        Number(database.prepare(`select coalesce(max(id), 0) as id from ${table}`).get()?.['id'])
      return { lastPushId: newest('push'), lastEntryId: newest('push_journal') }
    },

    addPushes(pushes, { lastEntryId }) {
      const known = database.prepare(
        `select 1 from push_journal, json_each(updates)
          where push_journal.id <= ? and repository_id = ? and value ->> 'ref' = ? and value ->> 'newCommitId' is ?`,
      )
      const add = database.prepare(
        `insert into push_journal (repository_id, user_id, updates, created_at)
         values (?, (select id from user where id = ?), ?, ?)`,
      )
      const findLast = database.prepare(
        `select max(id) as id from build where repository_id = ? and ref = ? and ended_with_id is null`,
      )
      const end = database.prepare(
        `update build set ended_with_id = ? where repository_id = ? and ref = ? and ended_with_id is null`,
      )
      for (const { repositoryId, userId, updates, createdAt } of pushes) {
        const fresh = updates.filter(
          ({ ref, newCommitId }) => known.get(lastEntryId, repositoryId, ref, newCommitId) === undefined,
        )
        if (fresh.length > 0) add.run(repositoryId, userId, JSON.stringify(fresh), createdAt)
        // The copy has no builds of a branch that was created after it.
        for (const { ref, oldCommitId } of fresh)
          if (oldCommitId === null && ref.startsWith('refs/heads/'))
            end.run(findLast.get(repositoryId, ref)?.['id'] ?? null, repositoryId, ref)
      }
    },

    removeTransient() {
      // Deleted data is overwritten, too: the file leaves the protection of the host.
      database.exec('pragma secure_delete = on')
      database.exec(
        `delete from session; delete from one_time_code where purpose not in ('invite', 'coauthor'); delete from letter`,
      )
      database
        .prepare(`update webhook_delivery set state = 'failed', problem = ? where state = 'queued'`)
        .run(notSentAgain)
      database
        .prepare(`insert or replace into host_setting (key, value) select ?, coalesce(max(id), 0) from push_journal`)
        .run(backedUpEntryKey)
    },
  }
}
