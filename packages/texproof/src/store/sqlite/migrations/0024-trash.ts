import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When a repository was moved to the trash; null for all others. */
export const trash: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('repository').addColumn('trashed_at', 'bigint').execute()
    await db.schema.createIndex('repository_trash').on('repository').column('trashed_at').execute()
  },
}
