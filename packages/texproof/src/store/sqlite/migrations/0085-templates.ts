import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Repositories that their owners offer as templates. */
export const templates: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('template')
      .addColumn('repository_id', 'integer', (column) =>
        column.primaryKey().references('repository.id').onDelete('cascade'),
      )
      .addColumn('is_listed', 'integer', (column) => column.notNull())
      .execute()
  },
}
