import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Repositories offered to another user. */
export const repositoryTransfers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('repository_transfer')
      .addColumn('repository_id', 'integer', (column) =>
        column.primaryKey().references('repository.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('repository_transfer_user').on('repository_transfer').column('user_id').execute()
  },
}
