import type { Kysely, Selectable } from 'kysely'

import type { DraftTable, Schema } from '../schema.ts'

/** Which file of which branch a user has a draft of. */
export interface DraftKey {
  readonly userId: string
  readonly repositoryId: number
  /** Short name. */
  readonly branch: string
  readonly path: string
}

/** A text that a user has changed and not committed. */
export interface Draft extends DraftKey {
  readonly text: string
  /** The commit at which the text was opened. */
  readonly openedId: string
  /** 1, 2, 3 …: rises with every change. */
  readonly revision: number
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** A draft without its text. */
export type DraftSummary = Omit<Draft, 'text'>

/** What a draft becomes. `baseRevision` = the revision that the text was changed from; 0 = there was none. */
export interface DraftChange extends DraftKey {
  readonly text: string
  readonly openedId: string
  readonly baseRevision: number
}

/** The table of drafts. A draft is durable when `save` returns. */
export interface Drafts {
  find(key: DraftKey): Promise<Draft | null>
  /** The new revision; null if the stored one is not `baseRevision`. */
  save(change: DraftChange): Promise<number | null>
  /** Removes the draft, unless it has a later revision. */
  remove(key: DraftKey, upToRevision?: number): Promise<void>
  /** Newest first. */
  listOfUser(userId: string, limit: number): Promise<readonly DraftSummary[]>
  /** The drafts of a user on one branch. */
  listOfBranch(key: Omit<DraftKey, 'path'>): Promise<readonly Draft[]>
  /** What all drafts of a user take. */
  measure(userId: string): Promise<{ readonly count: number; readonly bytes: number }>
}

const SUMMARY = ['user_id', 'repository_id', 'branch', 'path', 'opened_id', 'revision', 'updated_at'] as const

/** The table of drafts of one database. */
export function createDrafts(db: Kysely<Schema>): Drafts {
  return {
    async find(key) {
      const row = await selectDraft(db, key).selectAll().executeTakeFirst()
      return row === undefined ? null : toDraft(row)
    },

    async save({ text, openedId, baseRevision, ...key }) {
      const values = {
        text,
        size_bytes: Buffer.byteLength(text),
        opened_id: openedId,
        revision: baseRevision + 1,
        updated_at: Date.now(),
      }
      if (baseRevision === 0) {
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('draft')
          .values({ ...toColumns(key), ...values })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows === 1n ? 1 : null
      }
      const { numUpdatedRows } = await db
        .updateTable('draft')
        .set(values)
        .where('user_id', '=', key.userId)
        .where('repository_id', '=', key.repositoryId)
        .where('branch', '=', key.branch)
        .where('path', '=', key.path)
        .where('revision', '=', baseRevision)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n ? values.revision : null
    },

    async remove(key, upToRevision = Number.MAX_SAFE_INTEGER) {
      await db
        .deleteFrom('draft')
        .where('user_id', '=', key.userId)
        .where('repository_id', '=', key.repositoryId)
        .where('branch', '=', key.branch)
        .where('path', '=', key.path)
        .where('revision', '<=', upToRevision)
        .execute()
    },

    async listOfUser(userId, limit) {
      const rows = await db
        .selectFrom('draft')
        .select(SUMMARY)
        .where('user_id', '=', userId)
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toSummary)
    },

    async listOfBranch({ userId, repositoryId, branch }) {
      const rows = await db
        .selectFrom('draft')
        .selectAll()
        .where('user_id', '=', userId)
        .where('repository_id', '=', repositoryId)
        .where('branch', '=', branch)
        .execute()
      return rows.map(toDraft)
    },

    async measure(userId) {
      const { count, bytes } = await db
        .selectFrom('draft')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size_bytes').as('bytes')])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return { count, bytes: bytes ?? 0 }
    },
  }
}

function selectDraft(db: Kysely<Schema>, { userId, repositoryId, branch, path }: DraftKey) {
  return db
    .selectFrom('draft')
    .where('user_id', '=', userId)
    .where('repository_id', '=', repositoryId)
    .where('branch', '=', branch)
    .where('path', '=', path)
}

function toColumns({ userId, repositoryId, branch, path }: DraftKey) {
  return { user_id: userId, repository_id: repositoryId, branch, path }
}

function toSummary(row: Pick<Selectable<DraftTable>, (typeof SUMMARY)[number]>): DraftSummary {
  return {
    userId: row.user_id,
    repositoryId: row.repository_id,
    branch: row.branch,
    path: row.path,
    openedId: row.opened_id,
    revision: row.revision,
    updatedAt: row.updated_at,
  }
}

function toDraft(row: Selectable<DraftTable>): Draft {
  return { ...toSummary(row), text: row.text }
}
