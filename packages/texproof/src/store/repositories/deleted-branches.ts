import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** A deleted branch that can still be restored. */
export interface DeletedBranch {
  readonly id: number
  readonly repositoryId: number
  /** Short name. */
  readonly name: string
  /** Its last commit. */
  readonly commitId: string
  /** Null if it was never built. */
  readonly lastBuildId: number | null
  /** Login of the user who deleted it; null if the account was deleted. */
  readonly deletedBy: string | null
  /** Epoch milliseconds. */
  readonly deletedAt: number
}

/** The table of deleted branches. */
export interface DeletedBranches {
  add(branch: {
    readonly repositoryId: number
    readonly name: string
    readonly commitId: string
    readonly deletedBy: string
  }): Promise<number>
  remove(id: number): Promise<void>
  /** Null if the repository has no such branch. */
  find(repositoryId: number, id: number): Promise<DeletedBranch | null>
  /** Branches of a repository that were deleted after `since` (epoch milliseconds), newest first. */
  listOfRepository(
    repositoryId: number,
    options: { readonly since: number; readonly limit?: number },
  ): Promise<readonly DeletedBranch[]>
  /** Branches of all repositories that were deleted before that time. */
  listOlder(options: { readonly before: number; readonly limit: number }): Promise<readonly DeletedBranch[]>
}

/** Creates the table of deleted branches of a database. */
export function createDeletedBranches(db: Kysely<Schema>): DeletedBranches {
  const branches = db
    .selectFrom('deleted_branch')
    .leftJoin('user', 'user.id', 'deleted_branch.deleted_by')
    .select([
      'deleted_branch.id',
      'deleted_branch.repository_id as repositoryId',
      'deleted_branch.name',
      'deleted_branch.commit_id as commitId',
      'deleted_branch.last_build_id as lastBuildId',
      'user.login as deletedBy',
      'deleted_branch.deleted_at as deletedAt',
    ])

  return {
    async add({ repositoryId, name, commitId, deletedBy }) {
      const row = await db
        .insertInto('deleted_branch')
        .values({
          repository_id: repositoryId,
          name,
          commit_id: commitId,
          deleted_by: deletedBy,
          deleted_at: Date.now(),
          last_build_id: ({ selectFrom }) =>
            selectFrom('build')
              .select(({ fn }) => fn.max('id').as('id'))
              .where('repository_id', '=', repositoryId)
              .where('ref', '=', `refs/heads/${name}`)
              .where('ended_with_id', 'is', null),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },

    async remove(id) {
      await db.deleteFrom('deleted_branch').where('id', '=', id).execute()
    },

    async find(repositoryId, id) {
      const row = await branches
        .where('deleted_branch.id', '=', id)
        .where('deleted_branch.repository_id', '=', repositoryId)
        .executeTakeFirst()
      return row ?? null
    },

    listOfRepository: (repositoryId, { since, limit }) =>
      branches
        .where('deleted_branch.repository_id', '=', repositoryId)
        .where('deleted_branch.deleted_at', '>', since)
        .orderBy('deleted_branch.id', 'desc')
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .execute(),

    listOlder: ({ before, limit }) =>
      branches.where('deleted_branch.deleted_at', '<', before).orderBy('deleted_branch.id').limit(limit).execute(),
  }
}
