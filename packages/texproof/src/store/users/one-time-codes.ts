import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** Purpose of a one-time link or cookie. Cookies: the second factor of a sign-in, the response of a passkey. */
export type CodePurpose = 'setup' | 'invite' | 'join' | 'coauthor' | 'reset' | 'email' | 'second-factor' | 'passkey'

/** A code that works once until it expires. Times are epoch milliseconds. */
export interface OneTimeCode {
  /** SHA-256, hex: identifies the code, but cannot be used as one. */
  readonly hash: string
  readonly purpose: CodePurpose
  /** The account of the code; null if there is none yet. */
  readonly userId: string | null
  /** The address an invitation was sent to, if known, or the address to verify. */
  readonly email: string | null
  /** The user who created it; null = the command line, or the user it is for. */
  readonly createdBy: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

/** A code before it is stored. */
export interface NewOneTimeCode {
  /** SHA-256, hex. */
  readonly hash: string
  readonly purpose: CodePurpose
  readonly userId: string | null
  readonly email: string | null
  readonly createdBy: string | null
  readonly expiresAt: number
}

/** The table of one-time codes. */
export interface OneTimeCodes {
  add(code: NewOneTimeCode): Promise<void>
  /** Finds a valid code without using it. */
  find(hash: string, purpose: CodePurpose): Promise<OneTimeCode | null>
  /** The newest valid code of a user. */
  findOpen(purpose: CodePurpose, userId: string): Promise<OneTimeCode | null>
  /** Uses up a code: of several concurrent callers, one gets it. */
  take(hash: string, purpose: CodePurpose): Promise<OneTimeCode | null>
  /** Makes a code valid again if its use has failed. */
  giveBack(hash: string): Promise<void>
  /** Removes the valid codes of a user. */
  removeOpen(purpose: CodePurpose, userId: string): Promise<void>
  /** Removes the valid codes that a user created, for anyone. */
  removeCreatedBy(userId: string): Promise<void>
  /** Newest first. */
  listOpen(purpose: CodePurpose, window: { readonly limit: number }): Promise<readonly OneTimeCode[]>
  countOpen(purpose: CodePurpose): Promise<number>
  /** Removes a valid code; null if there is none. */
  remove(hash: string, purpose: CodePurpose): Promise<OneTimeCode | null>
  /** Removes expired codes, and those used an hour ago: a failed use makes its code valid again immediately. */
  removeExpired(now: number): Promise<void>
}

const usedKeptMs = 3_600_000

const columns = ['hash', 'purpose', 'user_id', 'email', 'created_by', 'created_at', 'expires_at'] as const

/** Creates the table of one-time codes of a database. */
export function createOneTimeCodes(db: Kysely<Schema>): OneTimeCodes {
  /** Valid codes. */
  const open = (purpose: CodePurpose) =>
    db
      .selectFrom('one_time_code')
      .select(columns)
      .where('purpose', '=', purpose)
      .where('used_at', 'is', null)
      .where('expires_at', '>', Date.now())

  return {
    async add({ hash, purpose, userId, email, createdBy, expiresAt }) {
      const row = { hash, purpose, user_id: userId, email, created_by: createdBy, expires_at: expiresAt }
      await db
        .insertInto('one_time_code')
        .values({ ...row, created_at: Date.now(), used_at: null })
        .execute()
    },

    async find(hash, purpose) {
      const row = await open(purpose).where('hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : toCode(row, purpose)
    },

    async findOpen(purpose, userId) {
      const row = await open(purpose).where('user_id', '=', userId).orderBy('created_at', 'desc').executeTakeFirst()
      return row === undefined ? null : toCode(row, purpose)
    },

    async take(hash, purpose) {
      const now = Date.now()
      const row = await db
        .updateTable('one_time_code')
        .set({ used_at: now })
        .where('hash', '=', hash)
        .where('purpose', '=', purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .returning(columns)
        .executeTakeFirst()
      return row === undefined ? null : toCode(row, purpose)
    },

    async giveBack(hash) {
      await db.updateTable('one_time_code').set({ used_at: null }).where('hash', '=', hash).execute()
    },

    async removeOpen(purpose, userId) {
      await db
        .deleteFrom('one_time_code')
        .where('purpose', '=', purpose)
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .execute()
    },

    async removeCreatedBy(userId) {
      await db.deleteFrom('one_time_code').where('created_by', '=', userId).where('used_at', 'is', null).execute()
    },

    async listOpen(purpose, { limit }) {
      const rows = await open(purpose).orderBy('created_at', 'desc').limit(limit).execute()
      return rows.map((row) => toCode(row, purpose))
    },

    async countOpen(purpose) {
      const row = await db
        .selectFrom('one_time_code')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('purpose', '=', purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', Date.now())
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async remove(hash, purpose) {
      const row = await db
        .deleteFrom('one_time_code')
        .where('hash', '=', hash)
        .where('purpose', '=', purpose)
        .where('used_at', 'is', null)
        .where('expires_at', '>', Date.now())
        .returning(columns)
        .executeTakeFirst()
      return row === undefined ? null : toCode(row, purpose)
    },

    async removeExpired(now) {
      await db
        .deleteFrom('one_time_code')
        .where(({ eb, or }) => or([eb('expires_at', '<=', now), eb('used_at', '<=', now - usedKeptMs)]))
        .execute()
    },
  }
}

interface CodeRow {
  readonly hash: string
  readonly user_id: string | null
  readonly email: string | null
  readonly created_by: string | null
  readonly created_at: number
  readonly expires_at: number
}

function toCode(row: CodeRow, purpose: CodePurpose): OneTimeCode {
  const { hash, user_id: userId, email, created_by: createdBy, created_at: createdAt, expires_at: expiresAt } = row
  return { hash, purpose, userId, email, createdBy, createdAt, expiresAt }
}
