import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Indexes with all columns that lists of builds select by: the rows are large, because they contain the diagnostics, and
 * reading the rows of every build takes ten times as long. Also removes an index that existed twice.
 */
export const buildIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const name of ['build_ref', 'build_state', 'build_repository_finished'])
      await db.schema.dropIndex(name).execute()
    await db.schema
      .createIndex('build_ref')
      .on('build')
      .columns(['repository_id', 'ref', 'id', 'document', 'state', 'ended_with_id'])
      .execute()
    await db.schema
      .createIndex('build_state')
      .on('build')
      .columns(['state', 'created_at', 'started_at', 'finished_at', 'repository_id'])
      .execute()
    await db.schema.createIndex('build_repository_state').on('build').columns(['repository_id', 'state']).execute()
  },
}
