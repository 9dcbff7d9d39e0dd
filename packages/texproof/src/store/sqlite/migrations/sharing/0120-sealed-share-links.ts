import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The address of a share link can be shown again. Links created before cannot: they keep an empty column. */
export const sealedShareLinks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('share_link').addColumn('sealed', 'text').execute()
  },
}
