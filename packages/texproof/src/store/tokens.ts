import type { Kysely, Selectable } from 'kysely'

import { parseScopes } from '../domain/scopes.ts'
import type { Scope, Token, User } from '../domain/types.ts'
import type { ReadCache } from './read-cache.ts'
import type { Schema, TokenTable } from './schema.ts'
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

/** A token and whose it is. */
export interface TokenOfUser {
  readonly token: Token
  readonly user: User
}

/** The tokens table. */
export interface Tokens {
  add(token: NewToken): Promise<Token>
  /** Also an expired one: the caller compares the time. */
  findByHash(hash: string): Promise<TokenOfUser | null>
  /** Newest first. */
  listOfUser(userId: string): Promise<readonly Token[]>
  /** Epoch milliseconds. */
  setLastUsed(id: number, at: number): Promise<void>
  /** False when the user has no such token. */
  remove(id: number, options: { readonly userId: string }): Promise<boolean>
}

/** The tokens table of one database. */
export function createTokens(db: Kysely<Schema>, read: ReadCache): Tokens {
  async function loadByHash(hash: string): Promise<{ found: TokenOfUser | null }> {
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
      ])
      .where('token.hash', '=', hash)
      .executeTakeFirst()
    if (row === undefined) return { found: null }
    const token = toToken({
      ...row,
      id: row.token_id,
      user_id: row.id,
      name: row.token_name,
      created_at: row.token_created_at,
    })
    return { found: { token, user: toUser(row) } }
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
      return toToken(row)
    },

    async findByHash(hash) {
      return (await read(`token:${hash}`, () => loadByHash(hash))).found
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('token')
        .select(tokenColumns)
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toToken)
    },

    async setLastUsed(id, at) {
      await db.updateTable('token').set({ last_used_at: at }).where('id', '=', id).execute()
    },

    async remove(id, options) {
      const outcome = await db
        .deleteFrom('token')
        .where('id', '=', id)
        .where('user_id', '=', options.userId)
        .executeTakeFirst()
      return outcome.numDeletedRows > 0n
    },
  }
}

const tokenColumns = ['id', 'user_id', 'name', 'scopes', 'created_at', 'expires_at', 'last_used_at'] as const

function toToken(row: Pick<Selectable<TokenTable>, (typeof tokenColumns)[number]>): Token {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    scopes: parseScopes(row.scopes),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
