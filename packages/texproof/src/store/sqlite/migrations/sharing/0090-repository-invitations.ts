import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Links that make a person a collaborator. */
export const repositoryInvitations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('repository_invitation')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('created_by', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('email', 'text')
      .addColumn('permission', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('repository_invitation_repository')
      .on('repository_invitation')
      .column('repository_id')
      .execute()
  },
}
