import type { Kysely, Selectable } from 'kysely'

import { parseScopes } from '../../domain/scopes.ts'
import type { Scope, Token, User } from '../../domain/types.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import type { Schema, TokenTable } from '../schema.ts'
import { transact } from '../transact.ts'
import { createTokenNotes } from './token-notes.ts'
import type { TokenNote } from './token-notes.ts'
import { toUser, userColumns } from './user-rows.ts'

/** A token before it has an id. */
export interface NewToken {
  readonly userId: string
  readonly name: string
  /** SHA-256 of the text, hex. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** Epoch milliseconds; null = never. */
  readonly expiresAt: number | null
}

/** A token and its user. */
export interface TokenOfUser {
  readonly token: Token
  readonly user: User
}

/** The tokens table. */
export interface Tokens {
  add(token: NewToken): Promise<Token>
  /** Includes expired tokens: the caller compares the time. */
  findByHash(hash: string): Promise<TokenOfUser | null>
  /** Newest first. */
  listOfUser(userId: string): Promise<readonly Token[]>
  /** The token and its user; null if there is none. */
  findById(id: number): Promise<TokenOfUser | null>
  /** Records a use, such as `GET /user/repos`. Written within a minute, in the background. */
  noteUse(id: number, route: string): void
  /** Records a refusal and its reason: `POST /user/repos needs repo:write`. */
  noteRefusal(id: number, route: string): void
  /** False when the user has no such token. */
  remove(id: number, options: { readonly userId: string }): Promise<boolean>
  /** Writes pending notes. */
  close(): Promise<void>
}

/** Creates the tokens table of a database. */
export function createTokens(db: Kysely<Schema>, read: ReadCache): Tokens {
  const notes = createTokenNotes((batch) => writeNotes(db, batch))
  const present = (row: TokenRow): Token => toToken(row, notes.find(row.id))

  async function load(by: 'hash' | 'id', value: string | number): Promise<{ found: TokenOfUser | null }> {
    const row = await db
      .selectFrom('token')
      .innerJoin('user', 'user.id', 'token.user_id')
      .select(userColumns)
      .select([
        'token.id as token_id',
        'token.name as token_name',
        'token.scopes',
        'token.created_at as token_created_at',
        'token.expires_at',
        'token.last_used_at',
        'token.last_used_route',
        'token.last_refused_at',
        'token.last_refused_route',
      ])
      .where(`token.${by}`, '=', value)
      .executeTakeFirst()
    if (row === undefined) return { found: null }
    const { token_id: id, token_name: name, token_created_at: created_at } = row
    return { found: { token: present({ ...row, id, user_id: row.id, name, created_at }), user: toUser(row) } }
  }

  return {
    async add(token) {
      const row = await db
        .insertInto('token')
        .values({
          user_id: token.userId,
          name: token.name,
          hash: token.hash,
          scopes: token.scopes.join(' '),
          created_at: Date.now(),
          expires_at: token.expiresAt,
          last_used_at: null,
          last_used_route: null,
          last_refused_at: null,
          last_refused_route: null,
        })
        .returning(tokenColumns)
        .executeTakeFirstOrThrow()
      return present(row)
    },

    async findByHash(hash) {
      return (await read(`token:${hash}`, () => load('hash', hash))).found
    },

    async findById(id) {
      return (await load('id', id)).found
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('token')
        .select(tokenColumns)
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(present)
    },

    noteUse: notes.noteUse,
    noteRefusal: notes.noteRefusal,

    async remove(id, options) {
      const outcome = await db
        .deleteFrom('token')
        .where('id', '=', id)
        .where('user_id', '=', options.userId)
        .executeTakeFirst()
      return outcome.numDeletedRows > 0n
    },

    close: notes.close,
  }
}

async function writeNotes(db: Kysely<Schema>, batch: ReadonlyMap<number, TokenNote>): Promise<void> {
  await transact(db, async (transaction) => {
    // Sorted, so that two instances that write notes do not deadlock.
    for (const [id, { used, refused }] of [...batch].toSorted(([a], [b]) => a - b))
      await transaction
        .updateTable('token')
        .set({
          ...(used === null ? {} : { last_used_at: used.at, last_used_route: used.route }),
          ...(refused === null ? {} : { last_refused_at: refused.at, last_refused_route: refused.route }),
        })
        .where('id', '=', id)
        .execute()
  })
}

const tokenColumns = [
  'id',
  'user_id',
  'name',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'last_used_route',
  'last_refused_at',
  'last_refused_route',
] as const

type TokenRow = Pick<Selectable<TokenTable>, (typeof tokenColumns)[number]>

/** Pending notes are newer than the row. */
function toToken(row: TokenRow, note: TokenNote | null): Token {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    scopes: parseScopes(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: note?.used?.at ?? row.last_used_at,
    lastUsedRoute: note?.used?.route ?? row.last_used_route,
    lastRefusedAt: note?.refused?.at ?? row.last_refused_at,
    lastRefusedRoute: note?.refused?.route ?? row.last_refused_route,
  }
}
