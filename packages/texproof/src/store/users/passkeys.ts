import type { Kysely, Selectable } from 'kysely'

import type { PasskeyTable } from '../account-schema.ts'
import type { Schema } from '../schema.ts'

/** A passkey on a device or in a password manager. Times are epoch milliseconds. */
export interface Passkey {
  /** The credential id, base64url. */
  readonly id: string
  readonly userId: string
  readonly name: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** The authenticator's count of uses; always 0 if it does not count. */
  readonly counter: number
  /** How a browser connects to it: `internal`, `usb`, `hybrid` … */
  readonly transports: readonly string[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** The table of passkeys. */
export interface Passkeys {
  /** False if the host has this key already, for any user. */
  add(passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<boolean>
  find(id: string): Promise<Passkey | null>
  /** Oldest first. */
  listOfUser(userId: string): Promise<readonly Passkey[]>
  /** Records a use; false, without changes, if the counter did not increase, as with a copied key. */
  setUsed(id: string, use: { readonly counter: number; readonly at: number }): Promise<boolean>
  /** False when the user has no such key. */
  rename(id: string, change: { readonly userId: string; readonly name: string }): Promise<boolean>
  /** False when the user has no such key. */
  remove(id: string, options: { readonly userId: string }): Promise<boolean>
  /** Returns how many were removed. */
  removeOfUser(userId: string): Promise<number>
}

/** Creates the passkeys table of a database. */
export function createPasskeys(db: Kysely<Schema>): Passkeys {
  return {
    async add({ id, userId, name, publicKey, counter, transports }) {
      const row = { id, user_id: userId, name, public_key: publicKey, counter, transports: transports.join(' ') }
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('passkey')
        .values({ ...row, created_at: Date.now(), last_used_at: null })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows > 0n
    },

    async find(id) {
      const row = await db.selectFrom('passkey').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toPasskey(row)
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('passkey')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute()
      return rows.map(toPasskey)
    },

    async setUsed(id, { counter, at }) {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set({ counter, last_used_at: at })
        .where('id', '=', id)
        // Most passkeys are shared by several devices and have no counter: 0 follows 0.
        .where('counter', counter === 0 ? '=' : '<', counter)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async rename(id, { userId, name }) {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async remove(id, { userId }) {
      const { numDeletedRows } = await db
        .deleteFrom('passkey')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async removeOfUser(userId) {
      const { numDeletedRows } = await db.deleteFrom('passkey').where('user_id', '=', userId).executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

function toPasskey(row: Selectable<PasskeyTable>): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports === '' ? [] : row.transports.split(' '),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
