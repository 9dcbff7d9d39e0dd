/**
 * Repositories that were deleted and can come back for a while. Such a row is in no list and under no name: its keys
 * are set aside, so that its name is free, and every look-up asks for rows that are ready.
 */
import type { Kysely } from 'kysely'

import { nameKey } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import type { Schema } from '../schema.ts'

/** A repository in the trash. */
export interface TrashedRepository {
  readonly id: number
  readonly ownerId: string
  readonly name: string
  readonly description: string | null
  /** Epoch milliseconds. */
  readonly trashedAt: number
}

/** The trash. */
export interface RepositoryTrash {
  /** Nobody finds it any more, and its name is free; false when that was so already. */
  trash(id: number): Promise<boolean>
  /** Of one owner, the newest first. */
  listTrashed(ownerId: string): Promise<readonly TrashedRepository[]>
  /** Of everybody, put there before a time (epoch milliseconds). */
  listTrashedBefore(before: number, options: { readonly limit: number }): Promise<readonly TrashedRepository[]>
  /** null when the owner has no such one there. */
  findTrashed(ownerId: string, id: number): Promise<TrashedRepository | null>
  /** It is as it was; false when it is not there any more. @throws UniqueViolation when its owner has another of the name. */
  restore(id: number, owner: User): Promise<boolean>
  /**
   * Nobody can bring it back any more: what is left of it goes, and its row last, see `listUnfinished`. False when it is
   * not there any more, because it came back for example.
   */
  giveUpTrashed(id: number): Promise<boolean>
}

/** The trash of one database. */
export function createRepositoryTrash(db: Kysely<Schema>): RepositoryTrash {
  const trashed = db
    .selectFrom('repository')
    .select(['id', 'owner_id as ownerId', 'name', 'description', 'trashed_at'])
    .where('state', '=', 'trashed')

  return {
    async trash(id) {
      // No name has a slash, so what is set aside meets no name that anybody can choose.
      const aside = `trash/${id}`
      const { numUpdatedRows } = await db
        .updateTable('repository')
        .set({ state: 'trashed', trashed_at: Date.now(), name_key: aside, full_name_key: `//${aside}` })
        .where('id', '=', id)
        .where('state', '=', 'ready')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async listTrashed(ownerId) {
      const rows = await trashed.where('owner_id', '=', ownerId).orderBy('trashed_at', 'desc').limit(200).execute()
      return rows.map(toTrashed)
    },

    async listTrashedBefore(before, { limit }) {
      const rows = await trashed.where('trashed_at', '<', before).orderBy('trashed_at').limit(limit).execute()
      return rows.map(toTrashed)
    },

    async findTrashed(ownerId, id) {
      const row = await trashed.where('owner_id', '=', ownerId).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toTrashed(row)
    },

    async restore(id, owner) {
      return db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('repository')
          .select('name')
          .where('id', '=', id)
          .where('owner_id', '=', owner.id)
          .where('state', '=', 'trashed')
          .executeTakeFirst()
        if (row === undefined) return false
        await transaction
          .updateTable('repository')
          .set({
            state: 'ready',
            trashed_at: null,
            name_key: nameKey(row.name),
            full_name_key: fullNameKey(owner.login, row.name),
          })
          .where('id', '=', id)
          .where('state', '=', 'trashed')
          .execute()
        return true
      })
    },

    async giveUpTrashed(id) {
      const { numUpdatedRows } = await db
        .updateTable('repository')
        .set({ state: 'removing' })
        .where('id', '=', id)
        .where('state', '=', 'trashed')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

function toTrashed({
  trashed_at,
  ...row
}: Omit<TrashedRepository, 'trashedAt'> & { readonly trashed_at: number | null }): TrashedRepository {
  return { ...row, trashedAt: trashed_at ?? 0 }
}
