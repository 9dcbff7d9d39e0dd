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
  /** Pushes to these repositories by other users, newest first. */
  listByOthers(
    repositoryIds: readonly number[],
    options: { readonly userId: string; readonly limit: number },
  ): Promise<readonly Push[]>
  /** Removes pushes before a time, epoch milliseconds. */
  removeOlder(options: { readonly before: number }): Promise<void>
}

/** Creates the table of pushes of a database. */
export function createPushes(db: Kysely<Schema>): Pushes {
  return {
    async listByOthers(repositoryIds, { userId, limit }) {
      if (repositoryIds.length === 0) return []
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
        .where('push.repository_id', 'in', repositoryIds)
        .where('push.user_id', '!=', userId)
        .orderBy('push.id', 'desc')
        .limit(limit)
        .execute()
    },

    async removeOlder({ before }) {
      await db.deleteFrom('push').where('created_at', '<', before).execute()
    },
  }
}
