import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who runs a build, and until when; the keys of workers, and the workers that were seen. */
export const buildLeases: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('build').addColumn('worker', 'text').execute()
    await db.schema.alterTable('build').addColumn('lease_expires_at', 'bigint').execute()
    for (const name of ['attempt', 'lost_leases'])
      await db.schema
        .alterTable('build')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    await db.schema
      .createTable('worker_key')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('worker')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'integer', (column) => column.notNull().references('worker_key.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('slots', 'integer', (column) => column.notNull())
      .addColumn('running', 'integer', (column) => column.notNull())
      .addColumn('tex_release', 'text')
      .addColumn('package_count', 'integer', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
