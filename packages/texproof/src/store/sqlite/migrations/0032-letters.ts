import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sealed emails that wait for the mail server. */
export const letters: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('letter')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('attempt_count', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('letter_due').on('letter').column('due_at').execute()
  },
}
