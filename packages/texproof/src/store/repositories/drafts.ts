import type { Kysely, Selectable, Transaction } from 'kysely'

import type { Schema, SharedDraftTable } from '../schema.ts'
import { transact } from '../transact.ts'

/** Which file of which branch a draft is of. */
export interface DraftKey {
  readonly repositoryId: number
  /** Short name. */
  readonly branch: string
  readonly path: string
}

/** A draft without its text. */
export interface DraftSummary extends DraftKey {
  readonly id: number
  /** The commit at which the text was opened. */
  readonly openedId: string
  /** 1, 2, 3 …: rises with every change. */
  readonly revision: number
  /** False = the text equals the commit; kept for browsers that were offline. */
  readonly isChanged: boolean
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** A draft: an update of Yjs, and those that followed it. */
export interface StoredDraft extends DraftSummary {
  /** Which history of changes the text has: changes of another one cannot be merged. */
  readonly epoch: string
  readonly state: Uint8Array
  readonly updates: readonly Uint8Array[]
  readonly authors: readonly DraftAuthor[]
}

/** A user who changed a draft since the last commit. */
export interface DraftAuthor {
  readonly userId: string
  /** Revision of the last change of this user. */
  readonly revision: number
}

/** Changes of one draft to store. */
export interface DraftAppend {
  readonly key: DraftKey
  /** null = the draft is new. */
  readonly id: number | null
  readonly epoch: string
  /** State on which the first update of a new draft is based. */
  readonly state: Uint8Array
  readonly openedId: string
  readonly isChanged: boolean
  readonly sizeBytes: number
  /** Their revisions end with `revision`. */
  readonly updates: readonly Uint8Array[]
  readonly revision: number
  readonly authors: readonly DraftAuthor[]
  /** Authors whose last change is not later than this are removed: a commit contains it. @default none */
  readonly committedRevision?: number
}

/** The table of drafts. Changes are durable when `append` returns. */
export interface Drafts {
  find(key: DraftKey): Promise<StoredDraft | null>
  /** Stores changes of several drafts in one transaction; returns their ids in the same order, null = removed or changed elsewhere. */
  append(changes: readonly DraftAppend[]): Promise<readonly (number | null)[]>
  /** Replaces the updates up to a revision by a state that contains them; false = it was removed, or compacted elsewhere. */
  compact(id: number, to: { readonly state: Uint8Array; readonly revision: number }): Promise<boolean>
  /** Removes a draft unless it has another revision. */
  remove(id: number, revision: number): Promise<void>
  /** Drafts that a user changed, newest first. */
  listOfUser(userId: string, limit: number): Promise<readonly DraftSummary[]>
  /** Changed drafts of one branch. */
  listOfBranch(key: Omit<DraftKey, 'path'>): Promise<readonly DraftSummary[]>
  /** Ids of the changed drafts of one branch that a user changed since the last commit. */
  listIdsOfAuthor(key: Omit<DraftKey, 'path'>, userId: string): Promise<readonly number[]>
  /** Number and size of all changed drafts that a user began. */
  measure(userId: string): Promise<{ readonly count: number; readonly bytes: number }>
  /** Removes the rows of unchanged drafts that are older than a time. */
  removeUnchanged(before: number): Promise<void>
}

const SUMMARY = [
  'shared_draft.id',
  'repository_id',
  'branch',
  'path',
  'opened_id',
  'shared_draft.revision',
  'is_changed',
  'updated_at',
] as const

/** The table of drafts of one database. */
export function createDrafts(db: Kysely<Schema>): Drafts {
  return {
    find: (key) => transact(db, (transaction) => findDraft(transaction, key)),

    append: (changes) =>
      transact(db, async (transaction) => {
        const present = await findPresentAuthors(transaction, changes)
        const ids: (number | null)[] = []
        for (const change of changes) {
          const authors = change.authors.filter(({ userId }) => present.has(userId))
          ids.push(await appendTo(transaction, { ...change, authors }))
        }
        return ids
      }),

    compact: (id, { state, revision }) =>
      transact(db, async (transaction) => {
        // If two servers compact a draft, the second one reads the result of the first.
        await transaction.selectFrom('shared_draft').select('id').where('id', '=', id).forUpdate().execute()
        const updates = transaction.selectFrom('draft_update').where('draft_id', '=', id)
        // Without it, the stored state may contain later changes than this one.
        const last = await updates.select('revision').where('revision', '=', revision).executeTakeFirst()
        if (last === undefined) return false
        await transaction.updateTable('shared_draft').set({ state }).where('id', '=', id).execute()
        await transaction
          .deleteFrom('draft_update')
          .where('draft_id', '=', id)
          .where('revision', '<=', revision)
          .execute()
        return true
      }),

    async remove(id, revision) {
      await db.deleteFrom('shared_draft').where('id', '=', id).where('revision', '=', revision).execute()
    },

    async listOfUser(userId, limit) {
      const rows = await db
        .selectFrom('shared_draft')
        .innerJoin('draft_author', 'draft_author.draft_id', 'shared_draft.id')
        .select(SUMMARY)
        .where('draft_author.user_id', '=', userId)
        .where('is_changed', '=', 1)
        .orderBy('updated_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toSummary)
    },

    async listOfBranch({ repositoryId, branch }) {
      const rows = await db
        .selectFrom('shared_draft')
        .select(SUMMARY)
        .where('repository_id', '=', repositoryId)
        .where('branch', '=', branch)
        .where('is_changed', '=', 1)
        .execute()
      return rows.map(toSummary)
    },

    async listIdsOfAuthor({ repositoryId, branch }, userId) {
      const rows = await db
        .selectFrom('shared_draft')
        .innerJoin('draft_author', 'draft_author.draft_id', 'shared_draft.id')
        .select('shared_draft.id')
        .where('repository_id', '=', repositoryId)
        .where('branch', '=', branch)
        .where('is_changed', '=', 1)
        .where('draft_author.user_id', '=', userId)
        .execute()
      return rows.map(({ id }) => id)
    },

    async measure(userId) {
      const { count, bytes } = await db
        .selectFrom('shared_draft')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size_bytes').as('bytes')])
        .where('creator_id', '=', userId)
        .where('is_changed', '=', 1)
        .executeTakeFirstOrThrow()
      return { count, bytes: bytes ?? 0 }
    },

    async removeUnchanged(before) {
      await db.deleteFrom('shared_draft').where('is_changed', '=', 0).where('updated_at', '<', before).execute()
    },
  }
}

async function findDraft(
  db: Transaction<Schema>,
  { repositoryId, branch, path }: DraftKey,
): Promise<StoredDraft | null> {
  const row = await db
    .selectFrom('shared_draft')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('branch', '=', branch)
    .where('path', '=', path)
    // No update is appended between this statement and the next.
    .forShare()
    .executeTakeFirst()
  if (row === undefined) return null
  const { id } = row
  const updates = await db
    .selectFrom('draft_update')
    .select('bytes')
    .where('draft_id', '=', id)
    .orderBy('revision')
    .execute()
  const authors = await db
    .selectFrom('draft_author')
    .select(['user_id', 'revision'])
    .where('draft_id', '=', id)
    .orderBy('user_id')
    .execute()
  return {
    ...toSummary(row),
    epoch: row.epoch,
    state: new Uint8Array(row.state),
    updates: updates.map(({ bytes }) => new Uint8Array(bytes)),
    authors: authors.map(({ user_id: userId, revision }) => ({ userId, revision })),
  }
}

/**
 * The authors whose accounts exist. A connection outlives the account of its user for a moment: stored as an author, that
 * user would make the whole transaction fail, at every attempt.
 */
async function findPresentAuthors(
  db: Transaction<Schema>,
  changes: readonly DraftAppend[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(changes.flatMap(({ authors }) => authors.map(({ userId }) => userId)))
  if (ids.size === 0) return ids
  const rows = await db
    .selectFrom('user')
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function appendTo(db: Transaction<Schema>, change: DraftAppend): Promise<number | null> {
  const { updates, revision, authors, committedRevision } = change
  const values = {
    size_bytes: change.sizeBytes,
    opened_id: change.openedId,
    revision,
    is_changed: change.isChanged ? 1 : 0,
    updated_at: Date.now(),
  }
  const row =
    change.id === null
      ? await insertDraft(db, change, values)
      : await updateDraft(db, {
          id: change.id,
          before: revision - updates.length,
          author: authors[0]?.userId ?? null,
          values,
        })
  if (row === null) return null
  const { id } = row
  const first = revision - updates.length + 1
  for (const [index, bytes] of updates.entries())
    await db
      .insertInto('draft_update')
      .values({ draft_id: id, revision: first + index, bytes })
      .execute()
  for (const author of authors)
    await db
      .insertInto('draft_author')
      .values({ draft_id: id, user_id: author.userId, revision: author.revision })
      .onConflict((conflict) => conflict.columns(['draft_id', 'user_id']).doUpdateSet({ revision: author.revision }))
      .execute()
  if (committedRevision !== undefined)
    await db.deleteFrom('draft_author').where('draft_id', '=', id).where('revision', '<=', committedRevision).execute()
  return id
}

type Values = Pick<Selectable<SharedDraftTable>, 'size_bytes' | 'opened_id' | 'revision' | 'is_changed' | 'updated_at'>

/** null = the repository was deleted, or another process has begun the draft. */
async function insertDraft(db: Transaction<Schema>, { key, epoch, state, authors }: DraftAppend, values: Values) {
  const { repositoryId, branch, path } = key
  const repository = await db.selectFrom('repository').select('id').where('id', '=', repositoryId).executeTakeFirst()
  if (repository === undefined) return null
  const row = await db
    .insertInto('shared_draft')
    .values({
      repository_id: repositoryId,
      branch,
      path,
      epoch,
      state,
      creator_id: authors[0]?.userId ?? null,
      ...values,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row ?? null
}

/** null = the draft was removed, or another process has changed it. */
async function updateDraft(
  db: Transaction<Schema>,
  {
    id,
    before,
    author,
    values,
  }: { readonly id: number; readonly before: number; readonly author: string | null; readonly values: Values },
) {
  const row = await db
    .updateTable('shared_draft')
    .set(values)
    // An unchanged draft is not counted for any user: the next author becomes its creator.
    .$if(author !== null && values.is_changed === 1, (update) =>
      update.set('creator_id', (eb) =>
        eb.case().when('is_changed', '=', 0).then(author).else(eb.ref('creator_id')).end(),
      ),
    )
    .where('id', '=', id)
    .where('revision', '=', before)
    .returning('id')
    .executeTakeFirst()
  return row ?? null
}

function toSummary(
  row: Pick<
    Selectable<SharedDraftTable>,
    'id' | 'repository_id' | 'branch' | 'path' | 'opened_id' | 'revision' | 'is_changed' | 'updated_at'
  >,
): DraftSummary {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    branch: row.branch,
    path: row.path,
    openedId: row.opened_id,
    revision: row.revision,
    isChanged: row.is_changed === 1,
    updatedAt: row.updated_at,
  }
}
