import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** One branch or tag that a push moved. */
export interface Push {
  readonly repositoryId: number
  /** Login of the actor. */
  readonly login: string
  /** Full name. */
  readonly ref: string
  /** null = it was created. */
  readonly oldCommitId: string | null
  /** null = it was deleted. */
  readonly newCommitId: string | null
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** The table of pushes, written by `push-journal.ts`. */
export interface Pushes {
  /** Pushes to these repositories, at most 100, by other users, newest first. */
  listByOthers(
    repositoryIds: readonly number[],
    options: { readonly userId: string; readonly limit: number },
  ): Promise<readonly Push[]>
  /** Removes pushes before a time, epoch milliseconds. */
  removeOlder(options: { readonly before: number }): Promise<void>
}

/** Creates the table of pushes of a database. */
export function createPushes(db: Kysely<Schema>): Pushes {
  /** An index contains all that it reads. Sorting the pushes of several repositories would read all of them. */
  function newestOfOne(repositoryId: number, { userId, limit }: { readonly userId: string; readonly limit: number }) {
    return db
      .selectFrom('push')
      .select('id')
      .where('repository_id', '=', repositoryId)
      .where('user_id', '!=', userId)
      .orderBy('id', 'desc')
      .limit(limit)
  }

  return {
    async listByOthers(repositoryIds, { userId, limit }) {
      const [first, ...others] = repositoryIds.map((repositoryId) =>
        db.selectFrom(newestOfOne(repositoryId, { userId, limit }).as('newest')).select('id'),
      )
      if (first === undefined) return []
      const ids = others.reduce<typeof first>((union, next) => union.unionAll(next), first)
      return db
        .selectFrom('push')
        .innerJoin('user', 'user.id', 'push.user_id')
        .select([
          'push.repository_id as repositoryId',
          'user.login',
          'push.ref',
          'push.old_commit_id as oldCommitId',
          'push.new_commit_id as newCommitId',
          'push.created_at as createdAt',
        ])
        .where('push.id', 'in', ids)
        .orderBy('push.id', 'desc')
        .limit(limit)
        .execute()
    },

    async removeOlder({ before }) {
      await db.deleteFrom('push').where('created_at', '<', before).execute()
    },
  }
}
