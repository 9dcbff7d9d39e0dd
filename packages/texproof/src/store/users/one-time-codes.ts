import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** What a one-time link opens, or a cookie between two steps: the second of a sign-in, the answer of a passkey. */
export type CodePurpose = 'setup' | 'invite' | 'join' | 'reset' | 'email' | 'second-factor' | 'passkey'

/** A link that works once and for a time. Times are epoch milliseconds. */
export interface OneTimeCode {
  /** SHA-256, hex: names the code and opens nothing. */
  readonly hash: string
  readonly purpose: CodePurpose
  /** Whose account it opens; null when there is none yet. */
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
  /** Only one that still works; it stays unused. */
  find(hash: string, purpose: CodePurpose): Promise<OneTimeCode | null>
  /** The newest of a user that still works. */
  findOpen(purpose: CodePurpose, userId: string): Promise<OneTimeCode | null>
  /** Uses it up: of several callers at once, one gets it. */
  take(hash: string, purpose: CodePurpose): Promise<OneTimeCode | null>
  /** Gives back what was taken for an act that then failed. */
  giveBack(hash: string): Promise<void>
  /** Voids what is open: of one user, or all when userId is null. */
  removeOpen(purpose: CodePurpose, userId: string | null): Promise<void>
  /** Newest first. */
  listOpen(purpose: CodePurpose, window: { readonly limit: number }): Promise<readonly OneTimeCode[]>
  countOpen(purpose: CodePurpose): Promise<number>
  /** Ends one that still works; null when there is none. */
  remove(hash: string, purpose: CodePurpose): Promise<OneTimeCode | null>
  /** Those that have ended, and those used up an hour ago: a use that failed gives its code back at once. */
  removeExpired(now: number): Promise<void>
}

const usedKeptMs = 3_600_000

const columns = ['hash', 'purpose', 'user_id', 'email', 'created_by', 'created_at', 'expires_at'] as const

/** The table of one-time codes of one database. */
export function createOneTimeCodes(db: Kysely<Schema>): OneTimeCodes {
  /** Those that still work. */
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
      const removal = db.deleteFrom('one_time_code').where('purpose', '=', purpose).where('used_at', 'is', null)
      await (userId === null ? removal : removal.where('user_id', '=', userId)).execute()
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
