import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** An index with the actors of pushes, to find the newest push of another user without reading the rows. */
export const pushIndex: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('push_repository').execute()
    await db.schema.createIndex('push_repository').on('push').columns(['repository_id', 'id', 'user_id']).execute()
  },
}
