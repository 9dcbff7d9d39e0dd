/**
 * Pushes in progress. A push moves refs in git, and its builds are added to the database afterwards; a crash in between
 * would leave a branch without its build forever. An entry is therefore written before git may move a ref, and removed
 * in the transaction that records the moved refs: the entries at the next start are exactly the pushes that need
 * post-receive.
 */
import { sql, type Kysely, type Selectable } from 'kysely'

import type { PushJournalTable, Schema } from '../schema.ts'
import type { CopiedPushes, LaterPush } from '../sqlite/database-file.ts'

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
  /** Records the refs that moved, by whom and when (`at`, epoch milliseconds, by default now), and removes the entry. */
  finish(entry: JournalEntry, moved: readonly JournalUpdate[], options?: { readonly at?: number }): Promise<void>
  /**
   * Whether an update happened: its ref is at its commit, or later pushes of the ref start from it. `commitId` is the
   * current commit of the ref.
   */
  isFollowed(
    entry: JournalEntry,
    update: JournalUpdate,
    options: { readonly commitId: string | null },
  ): Promise<boolean>
  /** Pushes of a repository since a copy of the database was taken, finished or not, oldest first. */
  listLater(repositoryId: number, copied: CopiedPushes): Promise<readonly LaterPush[]>
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

    async finish({ id, repositoryId, userId }, moved, { at = Date.now() } = {}) {
      const rows = moved.slice(0, MAX_NOTED).map(({ ref, oldCommitId, newCommitId }) => ({
        repository_id: repositoryId,
        user_id: userId ?? '',
        ref,
        old_commit_id: oldCommitId,
        new_commit_id: newCommitId,
        created_at: at,
      }))
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('push_journal').where('id', '=', id).execute()
        if (rows.length === 0) return
        await transaction
          .updateTable('repository')
          // Later pushes may have been recorded before one that is recovered.
          .set({ updated_at: sql`max(updated_at, ${at})`, pushed_at: sql`max(coalesce(pushed_at, 0), ${at})` })
          .where('id', '=', repositoryId)
          .execute()
        if (userId !== null) await transaction.insertInto('push').values(rows).execute()
      })
    },

    async isFollowed({ id, repositoryId, createdAt }, { ref, newCommitId }, { commitId }) {
      const open = await db
        .selectFrom('push_journal')
        .selectAll()
        .where('repository_id', '=', repositoryId)
        .where('id', '>', id)
        .orderBy('id')
        .execute()
      const passed = [newCommitId]
      for (const update of open.flatMap((row) => toEntry(row).updates))
        if (update.ref === ref && update.oldCommitId === passed.at(-1)) passed.push(update.newCommitId)
      if (passed.includes(commitId)) return true
      const later = await db
        .selectFrom('push')
        .select('old_commit_id')
        .where('repository_id', '=', repositoryId)
        .where('ref', '=', ref)
        .where('created_at', '>=', createdAt)
        .execute()
      return later.some(({ old_commit_id: oldCommitId }) => passed.includes(oldCommitId))
    },

    async listLater(repositoryId, { lastPushId, lastEntryId }) {
      // In one statement: a push that finishes between two statements would be missing in both results.
      const { rows } = await sql<{ user_id: string | null; updates: string; created_at: number }>`
        select user_id, updates, created_at from push_journal
         where repository_id = ${repositoryId} and id > ${lastEntryId}
        union all
        select user_id, json_group_array(json_object('ref', ref, 'oldCommitId', old_commit_id, 'newCommitId', new_commit_id)),
               created_at from push
         where repository_id = ${repositoryId} and id > ${lastPushId} group by user_id, created_at
         order by created_at`.execute(db)
      return rows.map(({ user_id: userId, updates, created_at: createdAt }) => ({
        repositoryId,
        userId,
        updates: JSON.parse(updates) as readonly JournalUpdate[],
        createdAt,
      }))
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
