import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When somebody last pushed; null for repositories that were pushed to before this was noted, or never. */
export const pushedAt: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('repository').addColumn('pushed_at', 'bigint').execute()
  },
}
