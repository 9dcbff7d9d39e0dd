import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Links that show one PDF without an account. */
export const shareLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('share_link')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('created_by', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('ref', 'text', (column) => column.notNull())
      .addColumn('document', 'text')
      .addColumn('view_count', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .execute()
    await db.schema.createIndex('share_link_repository').on('share_link').column('repository_id').execute()
  },
}
