import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'

import { nameKey } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import { likePattern } from '../sqlite/like-pattern.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'
import { toUser, userColumns } from './user-rows.ts'

/** A user before it has an id. */
export interface NewUser {
  readonly login: string
  readonly name: string | null
  readonly email: string | null
  readonly passwordHash: string | null
  readonly isAdmin: boolean
}

/** Changes of a user's own profile; absent fields stay. */
export interface ProfileChange {
  readonly name?: string | null
  readonly bio?: string | null
  readonly email?: string | null
}

/** The users table. */
export interface Users {
  /** @throws UniqueViolation when the login or the email is taken, ignoring case. */
  add(user: NewUser, id: string): Promise<User>
  /**
   * Like `add`; null, without changes, if there is an administrator. If two set-up links are used concurrently, only one
   * creates an account.
   */
  addFirstAdministrator(user: NewUser, id: string): Promise<User | null>
  findById(id: string): Promise<User | null>
  /** Ignores case. */
  findByLogin(login: string): Promise<User | null>
  /** Ignores case. */
  findByEmail(email: string): Promise<User | null>
  /** Includes the password hash; null for an unknown login or one without a password. */
  findWithPassword(login: string): Promise<{ readonly user: User; readonly passwordHash: string } | null>
  /** @throws UniqueViolation when the email is taken. */
  changeProfile(id: string, change: ProfileChange): Promise<void>
  setPasswordHash(id: string, passwordHash: string): Promise<void>
  setAdmin(id: string, isAdmin: boolean): Promise<void>
  /**
   * False, without changes, if no enabled administrator would be left. If two administrators disable each other
   * concurrently, only one succeeds.
   */
  setDisabled(id: string, isDisabled: boolean): Promise<boolean>
  /** Whether an account belongs to an administrator, even a disabled one. */
  hasAdministrator(): Promise<boolean>
  /** Users whose login contains the text. @default all */
  count(text?: string): Promise<number>
  /** Users whose login contains the text, ignoring case, sorted by login. */
  list(window: { readonly text: string; readonly limit: number; readonly offset: number }): Promise<readonly User[]>
  /** Whether this is the only enabled administrator. */
  isLastAdministrator(id: string): Promise<boolean>
  /**
   * Removes an account with its sessions, tokens and everything else that refers to it alone. Changes nothing if it owns
   * a repository, even one in the trash, or is the last enabled administrator, unless the host may be left without one.
   */
  remove(id: string, options?: { readonly mayBeLastAdministrator?: boolean }): Promise<RemoveUserOutcome>
}

/** The outcome of a removal. */
export type RemoveUserOutcome = 'removed' | 'owns-repositories' | 'last-administrator'

/** Creates the users table of a database. */
export function createUsers(db: Kysely<Schema>, read: ReadCache): Users {
  const users = () => db.selectFrom('user').select(userColumns)

  return {
    add: (user, id) => insertUser(db, user, id),

    addFirstAdministrator: (user, id) =>
      transact(db, async (transaction) => {
        // Locks all set-up links, so that a concurrent transaction reads the new administrator.
        await transaction
          .selectFrom('one_time_code')
          .select('hash')
          .where('purpose', '=', 'setup')
          .orderBy('hash')
          .forUpdate()
          .execute()
        return (await findAdministrator(transaction)) === undefined ? insertUser(transaction, user, id) : null
      }),

    async findById(id) {
      const row = await users().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toUser(row)
    },

    async findByLogin(login) {
      const key = nameKey(login)
      const found = await read(`user:${key}`, async () => {
        const row = await users().where('login_key', '=', key).executeTakeFirst()
        return { user: row === undefined ? null : toUser(row) }
      })
      return found.user
    },

    async findByEmail(email) {
      const row = await users().where('email_key', '=', emailKey(email)).executeTakeFirst()
      return row === undefined ? null : toUser(row)
    },

    async findWithPassword(login) {
      const row = await users().select('password_hash').where('login_key', '=', nameKey(login)).executeTakeFirst()
      if (row === undefined || row.password_hash === null) return null
      return { user: toUser(row), passwordHash: row.password_hash }
    },

    async changeProfile(id, change) {
      const email = change.email === undefined ? {} : { email: change.email, email_key: emailKey(change.email) }
      await db
        .updateTable('user')
        .set({
          ...(change.name === undefined ? {} : { name: change.name }),
          ...(change.bio === undefined ? {} : { bio: change.bio }),
          ...email,
          updated_at: Date.now(),
        })
        .where('id', '=', id)
        .execute()
    },

    async setPasswordHash(id, passwordHash) {
      await db.updateTable('user').set({ password_hash: passwordHash }).where('id', '=', id).execute()
    },

    async setAdmin(id, isAdmin) {
      await db
        .updateTable('user')
        .set({ is_admin: Number(isAdmin) })
        .where('id', '=', id)
        .execute()
    },

    setDisabled: (id, isDisabled) =>
      transact(db, async (transaction) => {
        if (isDisabled && (await lockLastAdministrator(transaction)) === id) return false
        await transaction
          .updateTable('user')
          .set({ is_disabled: Number(isDisabled) })
          .where('id', '=', id)
          .execute()
        return true
      }),

    hasAdministrator: async () => (await findAdministrator(db)) !== undefined,

    async count(text = '') {
      const row = await db
        .selectFrom('user')
        .where(isNamed(text))
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async list({ text, limit, offset }) {
      const rows = await users().where(isNamed(text)).orderBy('login_key').limit(limit).offset(offset).execute()
      return rows.map(toUser)
    },

    isLastAdministrator: async (id) => (await lockLastAdministrator(db)) === id,

    remove: (id, { mayBeLastAdministrator = false } = {}) =>
      transact(db, async (transaction) => {
        if (!mayBeLastAdministrator && (await lockLastAdministrator(transaction)) === id) return 'last-administrator'
        // The lock waits for repositories that are being created.
        await transaction.selectFrom('user').select('id').where('id', '=', id).forUpdate().execute()
        const owned = transaction.selectFrom('repository').select('id').where('owner_id', '=', id)
        if ((await owned.limit(1).executeTakeFirst()) !== undefined) return 'owns-repositories'
        await transaction.deleteFrom('user').where('id', '=', id).execute()
        return 'removed'
      }),
  }
}

/**
 * The id of the only enabled administrator, null if there are others. Locks all of them: if two leave concurrently, the
 * second one waits, and is then the last.
 */
async function lockLastAdministrator(transaction: Kysely<Schema>): Promise<string | null> {
  const enabled = await transaction
    .selectFrom('user')
    .select('id')
    .where('is_admin', '=', 1)
    .where('is_disabled', '=', 0)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return enabled.length === 1 ? (enabled[0]?.id ?? null) : null
}

async function insertUser(db: Kysely<Schema>, user: NewUser, id: string): Promise<User> {
  const now = Date.now()
  const row = await db
    .insertInto('user')
    .values({
      id,
      login: user.login,
      login_key: nameKey(user.login),
      name: user.name,
      bio: null,
      email: user.email,
      email_key: emailKey(user.email),
      password_hash: user.passwordHash,
      avatar_id: null,
      is_admin: Number(user.isAdmin),
      is_disabled: 0,
      created_at: now,
      updated_at: now,
    })
    .returning(userColumns)
    .executeTakeFirstOrThrow()
  return toUser(row)
}

function findAdministrator(db: Kysely<Schema>): Promise<{ readonly id: string } | undefined> {
  return db.selectFrom('user').select('id').where('is_admin', '=', 1).limit(1).executeTakeFirst()
}

function emailKey(email: string | null): string | null {
  return email === null ? null : email.toLowerCase()
}

function isNamed(text: string): Expression<SqlBool> {
  return sql<SqlBool>`login_key like ${likePattern(text)} escape '\\'`
}
