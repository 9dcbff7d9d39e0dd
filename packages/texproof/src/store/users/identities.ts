import type { Kysely } from 'kysely'

import type { User } from '../../domain/types.ts'
import type { Schema } from '../schema.ts'
import { toUser, userColumns } from './user-rows.ts'

/** An account of an identity provider that signs a user in here. */
export interface Identity {
  readonly issuer: string
  /** The id of the person at the issuer: it never changes and is never reused. */
  readonly subject: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The identities table. */
export interface Identities {
  /** @throws UniqueViolation when the identity belongs to an account already. */
  add(identity: Pick<Identity, 'issuer' | 'subject'>, options: { readonly userId: string }): Promise<void>
  /** The user that an identity signs in, even if the user is disabled. */
  findUser(identity: Pick<Identity, 'issuer' | 'subject'>): Promise<User | null>
  findOfUser(userId: string, issuer: string): Promise<Identity | null>
  /** False when there was none. */
  removeOfUser(userId: string, issuer: string): Promise<boolean>
}

/** Creates the identities table of a database. */
export function createIdentities(db: Kysely<Schema>): Identities {
  return {
    async add({ issuer, subject }, { userId }) {
      await db.insertInto('identity').values({ issuer, subject, user_id: userId, created_at: Date.now() }).execute()
    },

    async findUser({ issuer, subject }) {
      const row = await db
        .selectFrom('identity')
        .innerJoin('user', 'user.id', 'identity.user_id')
        .select(userColumns)
        .where('identity.issuer', '=', issuer)
        .where('identity.subject', '=', subject)
        .executeTakeFirst()
      return row === undefined ? null : toUser(row)
    },

    async findOfUser(userId, issuer) {
      const row = await db
        .selectFrom('identity')
        .selectAll()
        .where('user_id', '=', userId)
        .where('issuer', '=', issuer)
        .executeTakeFirst()
      return row === undefined ? null : { issuer, subject: row.subject, createdAt: row.created_at }
    },

    async removeOfUser(userId, issuer) {
      const { numDeletedRows } = await db
        .deleteFrom('identity')
        .where('user_id', '=', userId)
        .where('issuer', '=', issuer)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}
