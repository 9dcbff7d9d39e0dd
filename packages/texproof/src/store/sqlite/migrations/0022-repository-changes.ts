import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Deleted branches that can be restored, and former names of repositories. */
export const repositoryChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('deleted_branch')
      // Never reused: it is part of the name of an internal ref.
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('commit_id', 'text', (column) => column.notNull())
      .addColumn('deleted_by', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('deleted_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('deleted_branch_repository').on('deleted_branch').column('repository_id').execute()
    await db.schema.createIndex('deleted_branch_age').on('deleted_branch').column('deleted_at').execute()
    await db.schema
      .createTable('former_name')
      .addColumn('full_name_key', 'text', (column) => column.primaryKey())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('renamed_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('former_name_repository').on('former_name').column('repository_id').execute()
  },
}
