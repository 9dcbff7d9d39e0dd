import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Pushes whose refs may have moved and whose builds may not be queued yet. */
export const pushJournal: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('push_journal')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('updates', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('push_journal_repository').on('push_journal').column('repository_id').execute()
  },
}
