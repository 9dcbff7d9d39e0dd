import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Repositories that follow a repository on another server. */
export const mirrors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('repository').addColumn('mirror_url', 'text').execute()
    await db.schema
      .createTable('mirror')
      .addColumn('repository_id', 'integer', (column) =>
        column.primaryKey().references('repository.id').onDelete('cascade'),
      )
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('is_fetching', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('fetched_at', 'bigint', (column) => column.notNull())
      .addColumn('problem', 'text')
      .addColumn('failure_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('rewritten_at', 'bigint')
      .addColumn('rewritten_refs', 'text')
      .execute()
    await db.schema.createIndex('mirror_due').on('mirror').column('due_at').execute()
  },
}
