import type { Kysely, Selectable } from 'kysely'

import type { User } from '../../domain/types.ts'
import type { SessionTable } from '../account-schema.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import type { Schema } from '../schema.ts'
import { toUser, userColumns } from './user-rows.ts'

/** A session of one browser. Times are epoch milliseconds. */
export interface Session {
  readonly id: number
  readonly userId: string
  /** The last address it was used from. */
  readonly address: string
  /** `User-Agent` of the browser, truncated. */
  readonly agent: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  /** When the user last confirmed their identity. */
  readonly confirmedAt: number
}

/** A session before it has an id. */
export interface NewSession {
  readonly userId: string
  /** SHA-256 of the cookie's value, hex. */
  readonly hash: string
  readonly address: string
  readonly agent: string
  readonly expiresAt: number
}

/** The sessions table. */
export interface Sessions {
  add(session: NewSession): Promise<Session>
  /** Includes expired sessions: the caller compares the time. */
  findByHash(hash: string): Promise<{ readonly session: Session; readonly user: User } | null>
  /** Unexpired sessions, most recently used first. */
  listOfUser(userId: string): Promise<readonly Session[]>
  setSeen(id: number, seen: { readonly at: number; readonly address: string }): Promise<void>
  setConfirmed(id: number, at: number): Promise<void>
  /** False when the user has no such session. */
  remove(id: number, options: { readonly userId: string }): Promise<boolean>
  /** Removes the sessions of a user, optionally except one. */
  removeOfUser(userId: string, options?: { readonly exceptId: number }): Promise<void>
  removeExpired(now: number): Promise<void>
}

const columns = [
  'session.id as session_id',
  'session.user_id',
  'session.address',
  'session.agent',
  'session.created_at as session_created_at',
  'session.last_seen_at',
  'session.expires_at',
  'session.confirmed_at',
] as const

/** Creates the sessions table of a database. */
export function createSessions(db: Kysely<Schema>, read: ReadCache): Sessions {
  async function load(hash: string): Promise<{ found: { session: Session; user: User } | null }> {
    const row = await db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.user_id')
      .select(userColumns)
      .select(columns)
      .where('session.hash', '=', hash)
      .executeTakeFirst()
    return { found: row === undefined ? null : { session: toSession(row), user: toUser(row) } }
  }

  return {
    async add(session) {
      const now = Date.now()
      const { id } = await db
        .insertInto('session')
        .values({
          user_id: session.userId,
          hash: session.hash,
          address: session.address,
          agent: session.agent,
          created_at: now,
          last_seen_at: now,
          expires_at: session.expiresAt,
          confirmed_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const { userId, address, agent, expiresAt } = session
      return { id, userId, address, agent, expiresAt, createdAt: now, lastSeenAt: now, confirmedAt: now }
    },

    async findByHash(hash) {
      return (await read(`session:${hash}`, () => load(hash))).found
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('session')
        .select(columns)
        .where('user_id', '=', userId)
        .where('expires_at', '>', Date.now())
        .orderBy('last_seen_at', 'desc')
        .execute()
      return rows.map(toSession)
    },

    async setSeen(id, { at, address }) {
      await db.updateTable('session').set({ last_seen_at: at, address }).where('id', '=', id).execute()
    },

    async setConfirmed(id, at) {
      await db.updateTable('session').set({ confirmed_at: at }).where('id', '=', id).execute()
    },

    async remove(id, { userId }) {
      const outcome = await db
        .deleteFrom('session')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return outcome.numDeletedRows > 0n
    },

    async removeOfUser(userId, options) {
      const removal = db.deleteFrom('session').where('user_id', '=', userId)
      await (options === undefined ? removal : removal.where('id', '!=', options.exceptId)).execute()
    },

    async removeExpired(now) {
      await db.deleteFrom('session').where('expires_at', '<=', now).execute()
    },
  }
}

type SessionRow = Omit<Selectable<SessionTable>, 'id' | 'created_at' | 'hash'> & {
  readonly session_id: number
  readonly session_created_at: number
}

function toSession(row: SessionRow): Session {
  return {
    id: row.session_id,
    userId: row.user_id,
    address: row.address,
    agent: row.agent,
    createdAt: row.session_created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    confirmedAt: row.confirmed_at,
  }
}
