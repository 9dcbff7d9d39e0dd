/**
 * Pushes in progress. A push moves refs in git, and its builds are added to the database afterwards; a crash in between
 * would leave a branch without its build forever. An entry is therefore written before git may move a ref, and removed
 * in the transaction that records the moved refs: the entries at the next start are exactly the pushes that need
 * post-receive.
 */
import { sql, type Insertable, type Kysely, type Selectable } from 'kysely'

import type { PushJournalTable, PushTable, Schema } from '../schema.ts'
import { transact } from '../transact.ts'
import { listRefEvents, queueWebhookEvents } from '../webhooks/queue-webhook-events.ts'
import { backedUpEntryKey, type CopiedPushes, type LaterPush } from '../sqlite/database-copy.ts'

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
  /**
   * Takes the unfinished entries of processes that have ended, oldest first: on SQLite all, on PostgreSQL entries of
   * instances that are no longer registered. An instance without a registration gets none.
   */
  claim(): Promise<readonly JournalEntry[]>
  /**
   * Records the refs that moved, by whom and when, and removes the entry. `at` is when a recovered push began, in epoch
   * milliseconds. Does nothing if the entry is gone: an earlier attempt has recorded the push.
   */
  finish(entry: JournalEntry, moved: readonly JournalUpdate[], options?: { readonly at?: number }): Promise<void>
  /**
   * The updates that happened: their ref is at their commit, or later pushes of the ref start from it. `current` has the
   * commits of the refs now.
   */
  listMoved(entry: JournalEntry, current: ReadonlyMap<string, string>): Promise<readonly JournalUpdate[]>
  /** Pushes of a repository since a copy of the database was taken, finished or not, oldest first. */
  listLater(repositoryId: number, copied: CopiedPushes): Promise<readonly LaterPush[]>
}

/** Maximum number of refs of a push that are recorded and sent to webhooks. */
const MAX_NOTED = 20

/** Creates the push journal of a database. */
export function createPushJournal(db: Kysely<Schema>, instanceId: string | null): PushJournal {
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
          instance_id: instanceId,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toEntry(row)
    },

    async list() {
      const rows = await db.selectFrom('push_journal').selectAll().orderBy('id').execute()
      return rows.map(toEntry)
    },

    async claim() {
      const isAbandoned = sql<boolean>`not exists (select 1 from instance where instance.id = push_journal.instance_id)`
      const abandoned = db.selectFrom('push_journal').selectAll().orderBy('id')
      const rows = instanceId === null ? await abandoned.execute() : await abandoned.where(isAbandoned).execute()
      if (instanceId === null || rows.length === 0) return rows.map(toEntry)
      // Two instances may claim at once: the second one waits for the rows, and finds that they have an owner.
      const claimed = await db
        .updateTable('push_journal')
        .set({ instance_id: instanceId })
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .where(isAbandoned)
        // What an instance without a registration takes would still be abandoned, and be claimed twice.
        .where(({ exists, selectFrom }) => exists(selectFrom('instance').select('id').where('id', '=', instanceId)))
        .returningAll()
        .execute()
      return claimed.map(toEntry).toSorted((left, right) => left.id - right.id)
    },

    async finish({ id, repositoryId }, moved, { at: begunAt } = {}) {
      const at = begunAt ?? Date.now()
      const noted = moved.slice(0, MAX_NOTED)
      await transact(db, async (transaction) => {
        const entry = await transaction
          .deleteFrom('push_journal')
          .where('id', '=', id)
          // Null if the account was deleted during the push.
          .returning('user_id as userId')
          .executeTakeFirst()
        if (entry === undefined) return
        if (instanceId !== null) await transaction.deleteFrom('repository_lock').where('entry_id', '=', id).execute()
        if (noted.length === 0) return
        await transaction
          .updateTable('repository')
          // Later pushes may have been recorded before one that is recovered.
          .set({
            updated_at: sql`case when updated_at > ${at} then updated_at else ${at} end`,
            pushed_at: sql`case when pushed_at > ${at} then pushed_at else ${at} end`,
            ...(instanceId === null ? {} : { ref_generation: sql<number>`ref_generation + 1` }),
          })
          .where('id', '=', repositoryId)
          .execute()
        const { userId } = entry
        if (userId !== null)
          await transaction
            .insertInto('push')
            .values(noted.map((update) => toPushRow(update, { repositoryId, userId, at })))
            .execute()
        const events = listRefEvents(noted, userId)
        // Entries of a backup are recovered: a push of this process needs no look.
        const isFromBackup = begunAt !== undefined && id <= (await findLastBackedUp(transaction))
        await queueWebhookEvents(transaction, repositoryId, events, { isFromBackup })
      })
    },

    async listMoved(entry, current) {
      const commitOf = (ref: string): string | null => current.get(ref) ?? null
      const others = entry.updates.filter(({ ref, newCommitId }) => commitOf(ref) !== newCommitId)
      if (others.length === 0) return entry.updates
      // Together: thousands of refs may be refused, while other pushes of thousands are open.
      const later = await readLaterUpdates(db, entry, new Set(others.map(({ ref }) => ref)))
      return entry.updates.filter(({ ref, newCommitId }) => {
        const passed = [newCommitId]
        for (const update of later.open.get(ref) ?? [])
          if (update.oldCommitId === passed.at(-1)) passed.push(update.newCommitId)
        return passed.includes(commitOf(ref)) || (later.finished.get(ref) ?? []).some((from) => passed.includes(from))
      })
    },

    async listLater(repositoryId, { lastPushId, lastEntryId }) {
      // One statement: a push that finishes between two statements would be missing in both results.
      const { rows } = await sql<LaterRow>`
        select user_id, created_at, updates, null as ref, null as old_commit_id, null as new_commit_id, id
          from push_journal where repository_id = ${repositoryId} and id > ${lastEntryId}
        union all
        select user_id, created_at, null, ref, old_commit_id, new_commit_id, id
          from push where repository_id = ${repositoryId} and id > ${lastPushId}
         order by created_at, id`.execute(db)
      const pushes = new Map<string, LaterPush & { readonly updates: JournalUpdate[] }>()
      for (const { user_id: userId, created_at: createdAt, ...row } of rows) {
        // The refs of one push have the same time.
        const key = row.updates === null ? `${userId} ${createdAt}` : `entry ${row.id}`
        const push = pushes.get(key) ?? { repositoryId, userId, updates: [], createdAt }
        pushes.set(key, push)
        push.updates.push(...toUpdates(row))
      }
      return [...pushes.values()]
    },
  }
}

/** The newest entry that came with the backup from which this host was restored; 0 = none. */
async function findLastBackedUp(db: Kysely<Schema>): Promise<number> {
  const setting = db.selectFrom('host_setting').select('value').where('key', '=', backedUpEntryKey)
  return Number((await setting.executeTakeFirst())?.value ?? 0)
}

/** What later pushes do with refs: open ones by their updates, finished ones by the commits from which they moved a ref. */
async function readLaterUpdates(
  db: Kysely<Schema>,
  { id, repositoryId, createdAt }: JournalEntry,
  refs: ReadonlySet<string>,
): Promise<{
  readonly open: ReadonlyMap<string, readonly JournalUpdate[]>
  readonly finished: ReadonlyMap<string, readonly (string | null)[]>
}> {
  // In this order: a push that finishes in between is in both.
  const entries = await db
    .selectFrom('push_journal')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('id', '>', id)
    .orderBy('id')
    .execute()
  const pushes = await db
    .selectFrom('push')
    .select(['ref', 'old_commit_id as oldCommitId'])
    .where('repository_id', '=', repositoryId)
    .where('created_at', '>=', createdAt)
    .execute()
  const updates = entries.flatMap((row) => toEntry(row).updates)
  const ofRefs = <Item extends { readonly ref: string }>(items: readonly Item[]) =>
    items.filter(({ ref }) => refs.has(ref))
  const open = Map.groupBy(ofRefs(updates), ({ ref }) => ref)
  const finished = Map.groupBy(ofRefs(pushes), ({ ref }) => ref)
  return {
    open,
    finished: new Map([...finished].map(([ref, moves]) => [ref, moves.map(({ oldCommitId }) => oldCommitId)])),
  }
}

interface LaterRow {
  readonly id: number
  readonly user_id: string | null
  readonly created_at: number
  /** Null for a finished push, which has one row for each ref. */
  readonly updates: string | null
  readonly ref: string
  readonly old_commit_id: string | null
  readonly new_commit_id: string | null
}

function toUpdates(
  row: Pick<LaterRow, 'updates' | 'ref' | 'old_commit_id' | 'new_commit_id'>,
): readonly JournalUpdate[] {
  if (row.updates !== null) return JSON.parse(row.updates) as readonly JournalUpdate[]
  return [{ ref: row.ref, oldCommitId: row.old_commit_id, newCommitId: row.new_commit_id }]
}

function toPushRow(
  { ref, oldCommitId, newCommitId }: JournalUpdate,
  { repositoryId, userId, at }: { readonly repositoryId: number; readonly userId: string; readonly at: number },
): Insertable<PushTable> {
  return {
    repository_id: repositoryId,
    user_id: userId,
    ref,
    old_commit_id: oldCommitId,
    new_commit_id: newCommitId,
    created_at: at,
  }
}

/** Parses a row. Only `begin` writes the JSON column. */
function toEntry(row: Selectable<PushJournalTable>): JournalEntry {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    userId: row.user_id,
    updates: JSON.parse(row.updates) as readonly JournalUpdate[],
    createdAt: row.created_at,
  }
}
