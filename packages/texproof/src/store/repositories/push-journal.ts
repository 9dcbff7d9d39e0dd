/**
 * Pushes in progress. A push moves refs in git, and its builds are added to the database afterwards; a crash in between
 * would leave a branch without its build forever. An entry is therefore written before git may move a ref, and removed
 * in the transaction that records the moved refs: the entries at the next start are exactly the pushes that need
 * post-receive.
 */
import type { Kysely, Selectable } from 'kysely'

import type { PushJournalTable, Schema } from '../schema.ts'

/** One ref that has moved or will move. */
export interface JournalUpdate {
  /** Full name. */
  readonly ref: string
  /** null = the ref is created. */
  readonly oldCommitId: string | null
  /** null = the ref is deleted. */
  readonly newCommitId: string | null
}

/** The planned changes to the refs of a repository. */
export interface NewJournalEntry {
  readonly repositoryId: number
  readonly userId: string
  /** Empty if only the default branch changes. */
  readonly updates: readonly JournalUpdate[]
}

/** A stored entry. */
export interface JournalEntry extends Omit<NewJournalEntry, 'userId'> {
  readonly id: number
  /** Null if the account was deleted. */
  readonly userId: string | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The journal. */
export interface PushJournal {
  begin(entry: NewJournalEntry): Promise<JournalEntry>
  /** Unfinished entries, oldest first. */
  list(): Promise<readonly JournalEntry[]>
  /** Records the refs that moved, by whom and when, and removes the entry. */
  finish(entry: JournalEntry, moved: readonly JournalUpdate[]): Promise<void>
}

/** For a push that moves more refs, only this many are recorded. */
const MAX_NOTED = 20

/** Creates the push journal of a database. */
export function createPushJournal(db: Kysely<Schema>): PushJournal {
  return {
    async begin({ repositoryId, userId, updates }) {
      const texts = updates.map(({ ref, oldCommitId, newCommitId }) => ({ ref, oldCommitId, newCommitId }))
      const row = await db
        .insertInto('push_journal')
        .values({
          repository_id: repositoryId,
          user_id: userId,
          updates: JSON.stringify(texts),
          created_at: Date.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toEntry(row)
    },

    async list() {
      const rows = await db.selectFrom('push_journal').selectAll().orderBy('id').execute()
      return rows.map(toEntry)
    },

    async finish({ id, repositoryId, userId }, moved) {
      const now = Date.now()
      const rows = moved.slice(0, MAX_NOTED).map(({ ref, oldCommitId, newCommitId }) => ({
        repository_id: repositoryId,
        user_id: userId ?? '',
        ref,
        old_commit_id: oldCommitId,
        new_commit_id: newCommitId,
        created_at: now,
      }))
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('push_journal').where('id', '=', id).execute()
        if (rows.length === 0) return
        await transaction
          .updateTable('repository')
          .set({ updated_at: now, pushed_at: now })
          .where('id', '=', repositoryId)
          .execute()
        if (userId !== null) await transaction.insertInto('push').values(rows).execute()
      })
    },
  }
}

/** Only `begin` writes the JSON column. */
function toEntry(row: Selectable<PushJournalTable>): JournalEntry {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    userId: row.user_id,
    updates: JSON.parse(row.updates) as readonly JournalUpdate[],
    createdAt: row.created_at,
  }
}
