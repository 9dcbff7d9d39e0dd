import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Limits of individual users, and the values to compare with them. */
export const quotas: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('quota')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('user.id').onDelete('cascade'))
      .addColumn('repositories', 'integer')
      .addColumn('storage_bytes', 'bigint')
      .addColumn('build_minutes', 'integer')
      .addColumn('concurrent_pushes', 'integer')
      .execute()
    await db.schema.alterTable('repository').addColumn('size_bytes', 'bigint').execute()
    await db.schema
      .createIndex('build_repository_finished')
      .on('build')
      .columns(['repository_id', 'finished_at'])
      .execute()
  },
}
