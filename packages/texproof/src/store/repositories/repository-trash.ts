/**
 * Deleted repositories that can still be restored. Such a row is in no list and has no name: its keys are replaced, so
 * that its name is free, and every look-up selects ready rows only.
 */
import type { Kysely } from 'kysely'

import { nameKey } from '../../domain/names.ts'
import type { Quotas } from '../../domain/quotas.ts'
import type { User } from '../../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import { lockOwned } from './quotas.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

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
  /** Hides a repository and frees its name; false if it is in the trash already. */
  trash(id: number): Promise<boolean>
  /** Deleted repositories of one owner, newest first. */
  listTrashed(ownerId: string): Promise<readonly TrashedRepository[]>
  /** Repositories of all owners that were deleted before a time (epoch milliseconds). */
  listTrashedBefore(before: number, options: { readonly limit: number }): Promise<readonly TrashedRepository[]>
  /** Null if the owner has no such repository in the trash. */
  findTrashed(ownerId: string, id: number): Promise<TrashedRepository | null>
  /**
   * Restores a repository, unless its owner has `repositories` others; `gone` = it is no longer in the trash. Its size
   * counts toward the storage quota in the trash too. @throws UniqueViolation when its owner has another repository with
   * that name.
   */
  restore(id: number, owner: User, limits: Pick<Quotas, 'repositories'>): Promise<'restored' | 'gone' | 'over-quota'>
  /**
   * Marks a repository for removal: it cannot be restored, and its row is deleted last, see `listUnfinished`. False if
   * it is no longer in the trash, for example because it was restored.
   */
  giveUpTrashed(id: number): Promise<boolean>
  /**
   * Marks a repository for removal and frees its name. False if a push has moved a ref of it or is in progress, or if it
   * is in the trash.
   */
  giveUpUnpushed(id: number): Promise<boolean>
}

/** Creates the trash of a database. */
export function createRepositoryTrash(db: Kysely<Schema>): RepositoryTrash {
  const trashed = db
    .selectFrom('repository')
    .select(['id', 'owner_id as ownerId', 'name', 'description', 'trashed_at'])
    .where('state', '=', 'trashed')

  return {
    async trash(id) {
      const { numUpdatedRows } = await db
        .updateTable('repository')
        .set({ state: 'trashed', trashed_at: Date.now(), ...namesInTrash(id) })
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

    async restore(id, owner, { repositories }) {
      return transact(db, async (transaction) => {
        const row = await transaction
          .selectFrom('repository')
          .select('name')
          .where('id', '=', id)
          .where('owner_id', '=', owner.id)
          .where('state', '=', 'trashed')
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (row === undefined) return 'gone'
        const { repositoryCount } = await lockOwned(transaction, owner.id)
        if (repositoryCount >= repositories) return 'over-quota'
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
        return 'restored'
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

    async giveUpUnpushed(id) {
      const { numUpdatedRows } = await db
        .updateTable('repository')
        .set({ state: 'removing', ...namesInTrash(id) })
        .where('id', '=', id)
        .where('state', '=', 'ready')
        .where('pushed_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('push_journal').select('id').where('repository_id', '=', id))),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

/** Frees the name of a repository. Names contain no slash, so these cannot collide with a name. */
function namesInTrash(id: number): { readonly name_key: string; readonly full_name_key: string } {
  return { name_key: `trash/${id}`, full_name_key: `//trash/${id}` }
}

function toTrashed({
  trashed_at,
  ...row
}: Omit<TrashedRepository, 'trashedAt'> & { readonly trashed_at: number | null }): TrashedRepository {
  return { ...row, trashedAt: trashed_at ?? 0 }
}
