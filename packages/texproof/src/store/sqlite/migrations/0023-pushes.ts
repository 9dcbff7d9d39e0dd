import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Pushes, for the users who share a repository: who moved which ref, and when. */
export const pushes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('push')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('ref', 'text', (column) => column.notNull())
      .addColumn('old_commit_id', 'text')
      .addColumn('new_commit_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('push_repository').on('push').columns(['repository_id', 'id']).execute()
    await db.schema.createIndex('push_age').on('push').column('created_at').execute()
  },
}
