import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** Settings that administrators change in the browser, as text by key. */
export interface HostSettings {
  find(key: string): Promise<string | null>
  set(key: string, value: string): Promise<void>
  /** False, without changes, if the key exists already. */
  add(key: string, value: string): Promise<boolean>
  /** Atomic; `to: null` removes the key. False, without changes, if the value is no longer `from`. */
  replace(key: string, values: { readonly from: string; readonly to: string | null }): Promise<boolean>
}

/** Creates the settings of a database. */
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

    async add(key, value) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('host_setting')
        .values({ key, value })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },

    async replace(key, { from, to }) {
      if (to === null) {
        const gone = db.deleteFrom('host_setting').where('key', '=', key).where('value', '=', from)
        return (await gone.executeTakeFirstOrThrow()).numDeletedRows > 0n
      }
      const changed = db.updateTable('host_setting').set({ value: to }).where('key', '=', key).where('value', '=', from)
      return (await changed.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    },
  }
}
