import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Several servers on one PostgreSQL database: who they are, which pushes are theirs, and who moves refs. */
export const instances: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('instance')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('beat', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('repository_lock')
      .addColumn('repository_id', 'integer', (column) =>
        column.primaryKey().references('repository.id').onDelete('cascade'),
      )
      .addColumn('instance_id', 'text', (column) => column.notNull())
      .addColumn('entry_id', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.alterTable('push_journal').addColumn('instance_id', 'text').execute()
    await db.schema
      .alterTable('repository')
      .addColumn('ref_generation', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
