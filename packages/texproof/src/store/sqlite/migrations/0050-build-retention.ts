import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Finds old builds, and whether a PDF still belongs to any. */
export const buildRetention: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createIndex('build_finished').on('build').columns(['repository_id', 'finished_at']).execute()
    await db.schema.createIndex('build_pdf').on('build').columns(['pdf_id']).execute()
  },
}
