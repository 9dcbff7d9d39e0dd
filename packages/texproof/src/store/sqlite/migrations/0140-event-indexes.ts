import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Indexes for the audit log, to find its kinds and the events of an actor without reading the whole log, and the last
 * activity of users without reading the rows of their events.
 */
export const eventIndexes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.dropIndex('account_event_user').execute()
    await db.schema
      .createIndex('account_event_user')
      .on('account_event')
      .columns(['user_id', 'id', 'actor_id', 'created_at'])
      .execute()
    await db.schema.createIndex('account_event_kind').on('account_event').columns(['kind', 'id']).execute()
    await db.schema.createIndex('account_event_actor').on('account_event').columns(['actor_id', 'id']).execute()
  },
}
