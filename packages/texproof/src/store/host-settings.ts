import type { Kysely } from 'kysely'

import type { Schema } from './schema.ts'

/** What an administrator sets in the browser, as text under a name. */
export interface HostSettings {
  find(key: string): Promise<string | null>
  set(key: string, value: string): Promise<void>
  remove(key: string): Promise<void>
}

/** The settings kept in one database. */
export function createHostSettings(db: Kysely<Schema>): HostSettings {
  return {
    async find(key) {
      const row = await db.selectFrom('host_setting').select('value').where('key', '=', key).executeTakeFirst()
      return row?.value ?? null
    },

    async set(key, value) {
      await db
        .insertInto('host_setting')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute()
    },

    async remove(key) {
      await db.deleteFrom('host_setting').where('key', '=', key).execute()
    },
  }
}
