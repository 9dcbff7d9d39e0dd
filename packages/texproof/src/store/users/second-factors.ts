import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** The authenticator app of a user, as stored. */
export interface SecondFactor {
  readonly userId: string
  /** The shared secret, sealed. */
  readonly sealedSecret: string
  /** When it was turned on, epoch milliseconds. */
  readonly confirmedAt: number
}

/** The tables of second factors and recovery codes. */
export interface SecondFactors {
  /** Null if two-factor authentication is off. */
  find(userId: string): Promise<SecondFactor | null>
  /** Turns it on, with its recovery codes; false if it was on already. */
  add(
    factor: Pick<SecondFactor, 'userId' | 'sealedSecret'>,
    proof: { readonly step: number; readonly recoveryHashes: readonly string[] },
  ): Promise<boolean>
  /** Uses up a step and all before it: of several concurrent callers with one code, one gets true. */
  useTimeStep(userId: string, step: number): Promise<boolean>
  /** Uses up a recovery code: of several concurrent callers with one code, one gets true. */
  takeRecoveryCode(userId: string, hash: string): Promise<boolean>
  /** Replaces all recovery codes; false, without changes, if two-factor authentication is off. */
  replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<boolean>
  countRecoveryCodes(userId: string): Promise<number>
  /** Users with a second factor or a passkey. */
  findGuarded(userIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Turns it off, with its codes; false when it was off. */
  remove(userId: string): Promise<boolean>
}

/** Creates the tables of second factors of a database. */
export function createSecondFactors(db: Kysely<Schema>): SecondFactors {
  return {
    async find(userId) {
      const row = await db
        .selectFrom('second_factor')
        .select(['sealed_secret', 'confirmed_at'])
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (row === undefined || row.confirmed_at === null) return null
      return { userId, sealedSecret: row.sealed_secret, confirmedAt: row.confirmed_at }
    },

    add: ({ userId, sealedSecret }, { step, recoveryHashes }) =>
      transact(db, async (transaction) => {
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('second_factor')
          .values({ user_id: userId, sealed_secret: sealedSecret, last_step: step, confirmed_at: Date.now() })
          .onConflict((conflict) => conflict.column('user_id').doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows === 0n) return false
        await putRecoveryCodes(transaction, userId, recoveryHashes)
        return true
      }),

    async useTimeStep(userId, step) {
      const { numUpdatedRows } = await db
        .updateTable('second_factor')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('last_step', '<', step)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async takeRecoveryCode(userId, hash) {
      const { numDeletedRows } = await db
        .deleteFrom('recovery_code')
        .where('user_id', '=', userId)
        .where('hash', '=', hash)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    replaceRecoveryCodes: (userId, hashes) =>
      transact(db, async (transaction) => {
        if (!(await lockFactor(transaction, userId))) return false
        await putRecoveryCodes(transaction, userId, hashes)
        return true
      }),

    async countRecoveryCodes(userId) {
      const row = await db
        .selectFrom('recovery_code')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async findGuarded(userIds) {
      if (userIds.length === 0) return new Set()
      const rows = await db
        .selectFrom('second_factor')
        .select('user_id')
        .where('user_id', 'in', userIds)
        .union(db.selectFrom('passkey').select('user_id').where('user_id', 'in', userIds))
        .execute()
      return new Set(rows.map((row) => row.user_id))
    },

    remove: (userId) =>
      transact(db, async (transaction) => {
        await lockFactor(transaction, userId)
        await transaction.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
        const { numDeletedRows } = await transaction
          .deleteFrom('second_factor')
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        return numDeletedRows > 0n
      }),
  }
}

/** Two changes of the recovery codes of a user happen one after the other. False if the user has no second factor. */
async function lockFactor(db: Kysely<Schema>, userId: string): Promise<boolean> {
  const factor = db.selectFrom('second_factor').select('user_id').where('user_id', '=', userId).forUpdate()
  return (await factor.executeTakeFirst()) !== undefined
}

async function putRecoveryCodes(db: Kysely<Schema>, userId: string, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}
