import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes to find old builds, and the builds of a PDF. */
export const buildRetention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createIndex('build_finished').on('build').columns(['repository_id', 'finished_at']).execute()
    await db.schema.createIndex('build_pdf').on('build').columns(['pdf_id']).execute()
  },
}
