import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Builds of documents. */
export const builds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('build')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('ref', 'text', (column) => column.notNull())
      .addColumn('commit_id', 'text', (column) => column.notNull())
      .addColumn('tree_id', 'text', (column) => column.notNull())
      .addColumn('root_file', 'text', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('engine', 'text', (column) => column.notNull())
      .addColumn('bibliography', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('pdf_id', 'text')
      .addColumn('page_count', 'integer')
      .addColumn('error_count', 'integer', (column) => column.notNull())
      .addColumn('warning_count', 'integer', (column) => column.notNull())
      .addColumn('diagnostics', 'text', (column) => column.notNull())
      .addColumn('passes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .addUniqueConstraint('build_number', ['repository_id', 'number'])
      .execute()
    await db.schema.createIndex('build_state').on('build').columns(['state', 'created_at']).execute()
    await db.schema.createIndex('build_ref').on('build').columns(['repository_id', 'ref', 'id']).execute()
    await db.schema.createIndex('build_commit').on('build').columns(['repository_id', 'commit_id', 'id']).execute()
    await db.schema.createIndex('build_tree').on('build').columns(['repository_id', 'tree_id', 'id']).execute()
  },
}
