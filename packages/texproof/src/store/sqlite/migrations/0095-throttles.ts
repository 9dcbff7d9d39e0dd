import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Failed attempts, counted by all servers of a PostgreSQL database. */
export const throttles: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('throttle')
      .addColumn('key_hash', 'text', (column) => column.primaryKey())
      .addColumn('failure_count', 'integer', (column) => column.notNull())
      .addColumn('blocked_until', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
