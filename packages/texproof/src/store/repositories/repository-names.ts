/**
 * Renames of repositories. A former name redirects to its repository until a new repository takes that name: look up
 * the current name first, and then the former name.
 */
import type { Kysely, Transaction } from 'kysely'

import { nameKey } from '../../domain/names.ts'
import type { Repository } from '../../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** Renames repositories. */
export interface RepositoryNames {
  /**
   * False if the repository was deleted, is in the trash, or has another owner now. @throws UniqueViolation when its owner has another
   * repository with that name, in any case.
   */
  rename(repository: Repository, name: string): Promise<boolean>
  /** The repository that had the name last, under its current name. Does not check permissions. */
  findByFormerName(owner: string, name: string): Promise<Repository | null>
}

/** Creates the repository names of a database. */
export function createRepositoryNames(db: Kysely<Schema>): RepositoryNames {
  return {
    async rename({ id, owner }, name) {
      const key = fullNameKey(owner.login, name)
      return transact(db, async (transaction) => {
        const locked = await lockName(transaction, id)
        if (locked === null || locked.ownerId !== owner.id) return false
        await transaction
          .updateTable('repository')
          .set({ name, name_key: nameKey(name), full_name_key: key, updated_at: Date.now() })
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .execute()
        await keepFormerName(transaction, { id, former: locked.key, key })
        return true
      })
    },

    async findByFormerName(owner, name) {
      const row = await selectRepositories(db)
        .innerJoin('former_name', 'former_name.repository_id', 'repository.id')
        .where('former_name.full_name_key', '=', fullNameKey(owner, name))
        .executeTakeFirst()
      return row === undefined ? null : toRepository(row)
    },
  }
}

/** Properties of a repository that a rename, transfer or push may have changed since it was read. */
export interface LockedName {
  readonly key: string
  readonly name: string
  readonly ownerId: string
  /** null = unknown. */
  readonly sizeBytes: number | null
}

/** Locks the row of a repository; null if it was deleted or is in the trash. */
export async function lockName(transaction: Transaction<Schema>, id: number): Promise<LockedName | null> {
  const row = await transaction
    .selectFrom('repository')
    .select(['full_name_key as key', 'name', 'owner_id as ownerId', 'size_bytes as sizeBytes'])
    .where('id', '=', id)
    .where('state', '=', 'ready')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Ends the redirect of a key that a repository has now: when it is deleted, its address must not lead to an earlier one. */
export async function forgetFormerName(transaction: Transaction<Schema>, key: string): Promise<void> {
  await transaction.deleteFrom('former_name').where('full_name_key', '=', key).execute()
}

/** Redirects the key that a repository had to its new one. */
export async function keepFormerName(
  transaction: Transaction<Schema>,
  { id, former, key }: { readonly id: number; readonly former: string; readonly key: string },
): Promise<void> {
  await forgetFormerName(transaction, key)
  if (former === key) return
  const values = { repository_id: id, renamed_at: Date.now() }
  await transaction
    .insertInto('former_name')
    .values({ full_name_key: former, ...values })
    .onConflict((conflict) => conflict.column('full_name_key').doUpdateSet(values))
    .execute()
}
