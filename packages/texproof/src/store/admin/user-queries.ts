import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** The activity of an account. */
export interface UserActivity {
  readonly repositoryCount: number
  /** Epoch milliseconds of the last page view, API call, push or event of the account; null = unknown. */
  readonly lastSeenAt: number | null
}

/** Accounts, for administrators. */
export interface UserQueries {
  /** Activity of users by id, including users without activity. */
  findUserActivity(ids: readonly string[]): Promise<ReadonlyMap<string, UserActivity>>
}

/** Creates the account queries of a database. */
export function createUserQueries(db: Kysely<Schema>): UserQueries {
  return {
    async findUserActivity(ids) {
      if (ids.length === 0) return new Map()
      const [owned, sessions, tokens, events] = await Promise.all([
        db
          .selectFrom('repository')
          .select(({ fn }) => ['owner_id', fn.countAll<number>().as('count')])
          .where('owner_id', 'in', ids)
          .where('state', '=', 'ready')
          .groupBy('owner_id')
          .execute(),
        db
          .selectFrom('session')
          .select(({ fn }) => ['user_id', fn.max('last_seen_at').as('at')])
          .where('user_id', 'in', ids)
          .groupBy('user_id')
          .execute(),
        db
          .selectFrom('token')
          .select(({ fn }) => ['user_id', fn.max('last_used_at').as('at')])
          .where('user_id', 'in', ids)
          .groupBy('user_id')
          .execute(),
        // Sessions and tokens are deleted; the record of a sign-in stays.
        db
          .selectFrom('account_event')
          .select(({ fn }) => ['user_id', fn.max('created_at').as('at')])
          .where('user_id', 'in', ids)
          .whereRef('actor_id', '=', 'user_id')
          .groupBy('user_id')
          .execute(),
      ])
      return new Map(
        ids.map((id) => {
          const seen = [...sessions, ...tokens, ...events].flatMap(({ user_id: userId, at }) =>
            userId === id ? (at ?? []) : [],
          )
          const count = owned.find(({ owner_id: ownerId }) => ownerId === id)?.count ?? 0
          return [id, { repositoryCount: Number(count), lastSeenAt: seen.length === 0 ? null : Math.max(...seen) }]
        }),
      )
    },
  }
}
