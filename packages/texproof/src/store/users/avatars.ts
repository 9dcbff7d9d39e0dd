import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** A profile picture, by the hash of its bytes. */
export interface Avatar {
  /** SHA-256 of the bytes, hex. */
  readonly id: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The avatars table. Users with the same image share a row, which is deleted with its last use. */
export interface Avatars {
  find(id: string): Promise<Avatar | null>
  /** null removes the avatar. */
  setOfUser(userId: string, avatar: Avatar | null): Promise<void>
}

/** Creates the avatars table of a database. */
export function createAvatars(db: Kysely<Schema>): Avatars {
  return {
    async find(id) {
      const row = await db.selectFrom('avatar').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : { id, contentType: row.content_type, bytes: new Uint8Array(row.bytes) }
    },

    async setOfUser(userId, avatar) {
      await transact(db, async (transaction) => {
        const { avatar_id: formerId } =
          (await transaction
            .selectFrom('user')
            .select('avatar_id')
            .where('id', '=', userId)
            .forNoKeyUpdate()
            .executeTakeFirst()) ?? {}
        if (avatar !== null)
          await transaction
            .insertInto('avatar')
            .values({ id: avatar.id, content_type: avatar.contentType, bytes: avatar.bytes })
            // An update locks the row, so that nobody removes it before the commit.
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ content_type: avatar.contentType }))
            .execute()
        await transaction
          .updateTable('user')
          .set({ avatar_id: avatar?.id ?? null, updated_at: Date.now() })
          .where('id', '=', userId)
          .execute()
        if (formerId === undefined || formerId === null || formerId === avatar?.id) return
        // The lock waits for users who are choosing the same avatar.
        await transaction.selectFrom('avatar').select('id').where('id', '=', formerId).forUpdate().execute()
        const shown = transaction.selectFrom('user').select('id').where('avatar_id', '=', formerId)
        await transaction
          .deleteFrom('avatar')
          .where('id', '=', formerId)
          .where(({ not, exists }) => not(exists(shown)))
          .execute()
      })
    },
  }
}
