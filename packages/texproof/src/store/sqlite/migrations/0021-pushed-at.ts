import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Time of the last push; null for repositories that were not pushed to since this is recorded. */
export const pushedAt: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('repository').addColumn('pushed_at', 'bigint').execute()
  },
}
