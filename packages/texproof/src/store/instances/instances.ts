/**
 * The servers of a PostgreSQL database, and commands that move refs. Each has a row, which it changes every few seconds
 * while it is alive. Clocks are not compared: the others observe that the row no longer changes.
 */
import { sql, type Kysely } from 'kysely'

import type { Schema } from '../schema.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'

/** A registered process. */
export interface RegisteredInstance {
  readonly id: string
  readonly host: string
  readonly beat: number
}

export interface Instances {
  /** Id of this process. */
  readonly id: string
  /** Registers this process, or records that it is alive; true = it was not registered. */
  beat(host: string): Promise<boolean>
  /** All but this process. */
  listOthers(): Promise<readonly RegisteredInstance[]>
  /** Removes processes that have ended. Their unfinished pushes can then be claimed. */
  remove(ids: readonly string[]): Promise<void>
  /** Whether another process has an unfinished push of a repository. */
  isWrittenElsewhere(repositoryId: number): Promise<boolean>
  /** A number that changes when refs of a repository have moved. */
  readGeneration(repositoryId: number): Promise<number>
}

/** Creates the instances of a database; null if it has one server at a time. */
export function createInstances(
  db: Kysely<Schema>,
  { id, read }: { readonly id: string | null; readonly read: ReadCache },
): Instances | null {
  if (id === null) return null
  return {
    id,
    async beat(host) {
      const { numUpdatedRows } = await db
        .updateTable('instance')
        .set({ beat: sql<number>`beat + 1` })
        .where('id', '=', id)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return false
      await db.insertInto('instance').values({ id, host, beat: 0, started_at: Date.now() }).execute()
      return true
    },
    listOthers: () => db.selectFrom('instance').select(['id', 'host', 'beat']).where('id', '!=', id).execute(),
    async remove(ids) {
      if (ids.length === 0) return
      await db.deleteFrom('instance').where('id', 'in', ids).execute()
      await db.deleteFrom('repository_lock').where('instance_id', 'in', ids).execute()
    },
    async isWrittenElsewhere(repositoryId) {
      const row = await db
        .selectFrom('push_journal')
        .select('id')
        .where('repository_id', '=', repositoryId)
        .where('instance_id', '!=', id)
        .executeTakeFirst()
      return row !== undefined
    },
    async readGeneration(repositoryId) {
      const { generation } = await read(`ref generation ${repositoryId}`, async () => {
        const row = await db
          .selectFrom('repository')
          .select('ref_generation as generation')
          .where('id', '=', repositoryId)
          .executeTakeFirst()
        return row ?? { generation: 0 }
      })
      return generation
    },
  }
}
