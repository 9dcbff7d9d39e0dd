import { sql, type Kysely, type Selectable } from 'kysely'

import type { MirrorTable, Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** State of a mirror: its last fetch, and the next one. Times are epoch milliseconds. */
export interface MirrorState {
  /** Time of the last successful fetch, initially of the import. */
  readonly fetchedAt: number
  /** Why the last fetch failed, for the user; null if it succeeded. */
  readonly problem: string | null
  /** Failed fetches since the last one that succeeded. */
  readonly failureCount: number
  readonly isFetching: boolean
  /** When it is fetched next; in the past while it waits. While it is fetched, when another server takes over. */
  readonly dueAt: number
  /** Branches and tags that the source last replaced by others without their commits; null = never. */
  readonly rewritten: { readonly at: number; readonly refs: readonly string[] } | null
}

/** A mirror whose time has come. */
export interface DueMirror {
  readonly repositoryId: number
  readonly url: string
  readonly failureCount: number
  readonly ownerId: string
}

/** Owners at their limit of concurrent fetches, whose mirrors are skipped. */
interface BusyOwners {
  readonly busyOwnerIds: readonly string[]
}

/** The outcome of a fetch. */
export interface MirrorFetch {
  readonly at: number
  readonly problem: string | null
  readonly dueAt: number
  /** Short names. */
  readonly rewritten: readonly string[]
}

/** Repositories that follow a repository on another server. Their address is part of the repository. */
export interface Mirrors {
  add(
    repositoryId: number,
    mirror: { readonly url: string; readonly at: number; readonly dueAt: number },
  ): Promise<void>
  /** Null if the repository is not a mirror. */
  find(repositoryId: number): Promise<MirrorState | null>
  /** When the next mirror is due, except archived, disabled and deleted ones; null = none. */
  findNextDue(busy: BusyOwners): Promise<number | null>
  /** The mirror that has been due for the longest time, for one server: it is due again at `until`. */
  take(times: BusyOwners & { readonly now: number; readonly until: number }): Promise<DueMirror | null>
  /** Changes the time at which another server takes over the fetch, unless it has an outcome. */
  renew(repositoryId: number, until: number): Promise<void>
  record(repositoryId: number, fetch: MirrorFetch): Promise<void>
  /** Schedules the next fetch, and ends a fetch that has no outcome. */
  setDue(repositoryId: number, dueAt: number): Promise<void>
  /** Makes the mirror an ordinary repository. */
  remove(repositoryId: number): Promise<void>
}

/** Creates the table of mirrors of a database. */
export function createMirrors(db: Kysely<Schema>): Mirrors {
  const active = ({ busyOwnerIds }: BusyOwners) =>
    db
      .selectFrom('mirror')
      .where('repository_id', 'in', (query) => {
        const repositories = query
          .selectFrom('repository')
          .select('id')
          .where('mirror_url', 'is not', null)
          .where('state', '=', 'ready')
          .where('is_archived', '=', 0)
          .where('is_disabled', '=', 0)
        return busyOwnerIds.length === 0 ? repositories : repositories.where('owner_id', 'not in', busyOwnerIds)
      })
      .orderBy('due_at')
      .limit(1)
  const setUrl = (transaction: Kysely<Schema>, repositoryId: number, url: string | null) =>
    transaction.updateTable('repository').set({ mirror_url: url }).where('id', '=', repositoryId).execute()

  return {
    add: (repositoryId, { url, at, dueAt }) =>
      transact(db, async (transaction) => {
        await setUrl(transaction, repositoryId, url)
        await transaction
          .insertInto('mirror')
          .values({ repository_id: repositoryId, due_at: dueAt, fetched_at: at })
          .execute()
      }),

    async find(repositoryId) {
      const row = await db.selectFrom('mirror').selectAll().where('repository_id', '=', repositoryId).executeTakeFirst()
      return row === undefined ? null : toState(row)
    },

    async findNextDue(busy) {
      const row = await active(busy).select('due_at').executeTakeFirst()
      return row?.due_at ?? null
    },

    async take({ now, until, ...busy }) {
      const first = active(busy).select('repository_id').where('due_at', '<=', now).forUpdate().skipLocked()
      const row = await db
        .updateTable('mirror')
        .set({ due_at: until, is_fetching: 1 })
        .where('repository_id', '=', first)
        .returning(['repository_id', 'failure_count'])
        .executeTakeFirst()
      if (row === undefined) return null
      const { repository_id: repositoryId, failure_count: failureCount } = row
      const found = await db
        .selectFrom('repository')
        .select(['mirror_url', 'owner_id'])
        .where('id', '=', repositoryId)
        .executeTakeFirst()
      const url = found?.mirror_url ?? null
      return found === undefined || url === null ? null : { repositoryId, url, failureCount, ownerId: found.owner_id }
    },

    async renew(repositoryId, until) {
      await db
        .updateTable('mirror')
        .set({ due_at: until })
        .where('repository_id', '=', repositoryId)
        .where('is_fetching', '=', 1)
        .execute()
    },

    async record(repositoryId, { at, problem, dueAt, rewritten }) {
      await db
        .updateTable('mirror')
        .set({
          due_at: dueAt,
          is_fetching: 0,
          problem,
          ...(problem === null
            ? { fetched_at: at, failure_count: 0 }
            : { failure_count: sql<number>`failure_count + 1` }),
          ...(rewritten.length === 0 ? {} : { rewritten_at: at, rewritten_refs: JSON.stringify(rewritten) }),
        })
        .where('repository_id', '=', repositoryId)
        .execute()
    },

    async setDue(repositoryId, dueAt) {
      await db
        .updateTable('mirror')
        .set({ due_at: dueAt, is_fetching: 0 })
        .where('repository_id', '=', repositoryId)
        .execute()
    },

    remove: (repositoryId) =>
      transact(db, async (transaction) => {
        await setUrl(transaction, repositoryId, null)
        await transaction.deleteFrom('mirror').where('repository_id', '=', repositoryId).execute()
      }),
  }
}

function toState(row: Selectable<MirrorTable>): MirrorState {
  const { due_at, is_fetching, fetched_at, problem, failure_count, rewritten_at, rewritten_refs } = row
  return {
    fetchedAt: fetched_at,
    problem,
    failureCount: failure_count,
    isFetching: is_fetching === 1,
    dueAt: due_at,
    rewritten:
      rewritten_at === null || rewritten_refs === null
        ? null
        : { at: rewritten_at, refs: JSON.parse(rewritten_refs) as readonly string[] },
  }
}
