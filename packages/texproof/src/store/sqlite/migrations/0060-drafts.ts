import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Texts that a user has changed in the editor and not committed. */
export const drafts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('draft')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('size_bytes', 'integer', (column) => column.notNull())
      .addColumn('opened_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('draft_key', ['user_id', 'repository_id', 'branch', 'path'])
      .execute()
    await db.schema.createIndex('draft_repository').on('draft').column('repository_id').execute()
  },
}
