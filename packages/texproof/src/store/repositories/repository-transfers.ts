import type { Kysely, Transaction } from 'kysely'

import type { Quotas } from '../../domain/quotas.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'
import { toUser, userColumns } from '../users/user-rows.ts'
import { fullNameKey } from './full-name-key.ts'
import { lockOwned } from './quotas.ts'
import { keepFormerName, lockName, type LockedName } from './repository-names.ts'

/** An offer that has not expired. */
export interface TransferOffer {
  readonly to: User
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** Repositories offered to other users; at most one offer per repository. */
export interface RepositoryTransfers {
  /** Replaces an earlier offer. */
  offer(repositoryId: number, to: User, options: { readonly expiresAt: number }): Promise<void>
  find(repositoryId: number): Promise<TransferOffer | null>
  /** Ids of the repositories offered to a user. */
  listOfUser(userId: string): Promise<readonly number[]>
  /** False if there is no offer. */
  remove(repositoryId: number): Promise<boolean>
  /**
   * Makes the recipient of the offer the owner, and the owner a collaborator. The old name becomes a former name.
   *
   * @throws UniqueViolation when the recipient has a repository with that name.
   */
  accept(
    repository: Repository,
    to: User,
    limits: Pick<Quotas, 'repositories' | 'storageBytes'>,
  ): Promise<AcceptedTransfer>
}

/**
 * The outcome. `gone` = there is no such offer, or the repository was deleted; `over-quota` and `over-storage` = with
 * this repository, the recipient would own more than the limits.
 */
export type AcceptedTransfer = 'accepted' | 'gone' | 'over-quota' | 'over-storage'

/** Creates the table of offers of a database. */
export function createRepositoryTransfers(db: Kysely<Schema>): RepositoryTransfers {
  return {
    async offer(repositoryId, { id }, { expiresAt }) {
      const values = { user_id: id, expires_at: expiresAt }
      await db
        .insertInto('repository_transfer')
        .values({ repository_id: repositoryId, ...values })
        .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(values))
        .execute()
    },

    async find(repositoryId) {
      const row = await db
        .selectFrom('repository_transfer')
        .innerJoin('user', 'user.id', 'repository_transfer.user_id')
        .select([...userColumns, 'repository_transfer.expires_at'])
        .where('repository_id', '=', repositoryId)
        .where('expires_at', '>', Date.now())
        .executeTakeFirst()
      return row === undefined ? null : { to: toUser(row), expiresAt: row.expires_at }
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('repository_transfer')
        .select('repository_id')
        .where('user_id', '=', userId)
        .where('expires_at', '>', Date.now())
        .orderBy('expires_at')
        .execute()
      return rows.map((row) => row.repository_id)
    },

    async remove(repositoryId) {
      const { numDeletedRows } = await db
        .deleteFrom('repository_transfer')
        .where('repository_id', '=', repositoryId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    accept: ({ id }, to, limits) =>
      transact(db, async (transaction) => {
        const locked = await lockName(transaction, id)
        if (locked === null) return 'gone'
        const owned = await lockOwned(transaction, to.id)
        if (owned.repositoryCount >= limits.repositories) return 'over-quota'
        if (owned.sizeBytes + (locked.sizeBytes ?? 0) > limits.storageBytes) return 'over-storage'
        const { numDeletedRows } = await transaction
          .deleteFrom('repository_transfer')
          .where('repository_id', '=', id)
          .where('user_id', '=', to.id)
          .where('expires_at', '>', Date.now())
          .executeTakeFirstOrThrow()
        if (numDeletedRows === 0n) return 'gone'
        await changeOwner(transaction, { id, locked, to })
        return 'accepted'
      }),
  }
}

async function changeOwner(
  transaction: Transaction<Schema>,
  { id, locked, to }: { readonly id: number; readonly locked: LockedName; readonly to: User },
): Promise<void> {
  const key = fullNameKey(to.login, locked.name)
  await transaction
    .updateTable('repository')
    .set({ owner_id: to.id, full_name_key: key, updated_at: Date.now() })
    .where('id', '=', id)
    .execute()
  await keepFormerName(transaction, { id, former: locked.key, key })
  await transaction.deleteFrom('collaborator').where('repository_id', '=', id).where('user_id', '=', to.id).execute()
  await transaction
    .insertInto('collaborator')
    .values({ repository_id: id, user_id: locked.ownerId, permission: 'push', created_at: Date.now() })
    .execute()
}
