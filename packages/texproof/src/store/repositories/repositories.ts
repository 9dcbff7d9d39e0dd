import type { Kysely } from 'kysely'

import type { GrantedPermission } from '../../domain/access.ts'
import { nameKey } from '../../domain/names.ts'
import type { Repository, User, Visibility } from '../../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import { createRepositoryLists } from './repository-lists.ts'
import type { RepositoryLists } from './repository-lists.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import { createRepositoryNames, forgetFormerName } from './repository-names.ts'
import type { RepositoryNames } from './repository-names.ts'
import { createFilteredRepositories } from './repository-filters.ts'
import type { FilteredRepositories } from './repository-filters.ts'
import { createRepositoryTrash } from './repository-trash.ts'
import type { RepositoryTrash } from './repository-trash.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** A repository before it has an id. */
export interface NewRepository {
  readonly owner: User
  readonly name: string
  readonly description: string | null
  readonly visibility: Visibility
  readonly defaultBranch: string
}

/** Properties that an owner may change; an absent field stays. */
export interface RepositoryChange {
  readonly description?: string | null
  readonly visibility?: Visibility
  readonly defaultBranch?: string
  readonly isArchived?: boolean
  readonly isDisabled?: boolean
  readonly disabledReason?: string | null
}

/** State of a repository. Only `ready` repositories are visible. */
export type RepositoryState = Schema['repository']['state']

/** A user with access to a repository. */
export interface Collaborator extends Pick<User, 'login' | 'name' | 'avatarId'> {
  readonly permission: GrantedPermission
}

/** The repositories table, with collaborators and stars. */
export interface Repositories extends RepositoryLists, FilteredRepositories, RepositoryNames, RepositoryTrash {
  /**
   * Adds an invisible row; `markReady` makes it visible. An id for which `hasFolder` is true is passed over, and never used
   * again. It is called before the row is committed: no row is left with the folder of another, whatever happens.
   *
   * @throws UniqueViolation when the owner has a repository with that name in any case; the error of `hasFolder`.
   */
  addUnfinished(repository: NewRepository, hasFolder?: (id: number) => Promise<boolean>): Promise<number>
  /** Sets the creation time of an unfinished row to now, so that no sweep claims it; does not change any other. */
  renewUnfinished(id: number): Promise<void>
  /**
   * Makes a row visible. @throws Error when it is no longer being created, for example because a sweep has claimed it.
   */
  markReady(id: number): Promise<Repository>
  /**
   * Claims an unfinished row before its directory is deleted: from then on, it cannot become ready. False for a row
   * that is ready or in the trash, and for one created at `before` (epoch milliseconds) or later.
   */
  claimUnfinished(id: number, options?: { readonly before?: number }): Promise<boolean>
  /** Deletes a claimed row; does not change any other. */
  removeUnfinished(id: number): Promise<void>
  /** Ids of unfinished rows older than `before` (epoch milliseconds), and of all claimed rows. */
  listUnfinished(options: { readonly before: number }): Promise<readonly number[]>
  /** Default branch of every ready repository, in no particular order. */
  listDefaultBranches(): Promise<readonly { readonly id: number; readonly defaultBranch: string }[]>
  /** Ignores case. Does not check permissions. */
  findByName(owner: string, name: string): Promise<Repository | null>
  findById(id: number): Promise<Repository | null>
  /** State of a repository, visible or not; null = it does not exist. */
  findState(id: number): Promise<RepositoryState | null>
  change(id: number, change: RepositoryChange): Promise<void>
  /** Sets the time of the newest push and of the newest change to now. */
  touch(id: number): Promise<void>
  remove(id: number): Promise<void>
  /** The permission of a collaborator; the owner has none. */
  findCollaboration(id: number, userId: string): Promise<GrantedPermission | null>
  setCollaborator(id: number, userId: string, permission: GrantedPermission): Promise<void>
  removeCollaborator(id: number, userId: string): Promise<void>
  /** Sorted by login. */
  listCollaborators(id: number): Promise<readonly Collaborator[]>
  addStar(id: number, userId: string): Promise<void>
  removeStar(id: number, userId: string): Promise<void>
  hasStar(id: number, userId: string): Promise<boolean>
}

/** Creates the repositories table of a database. */
export function createRepositories(db: Kysely<Schema>, read: ReadCache): Repositories {
  return {
    ...createRepositoryLists(db, read),
    ...createFilteredRepositories(db, read),
    ...createRepositoryNames(db),
    ...createRepositoryTrash(db),
    ...creation(db),
    ...reading(db, read),
    ...changing(db),
    ...stars(db),
  }
}

function creation(
  db: Kysely<Schema>,
): Pick<
  Repositories,
  | 'addUnfinished'
  | 'renewUnfinished'
  | 'markReady'
  | 'listDefaultBranches'
  | 'listUnfinished'
  | 'claimUnfinished'
  | 'removeUnfinished'
  | 'remove'
> {
  return {
    async addUnfinished(repository, hasFolder = async () => false) {
      for (;;) {
        const id = await transact(db, async (transaction) => {
          const row = await insertUnfinished(transaction, repository)
          if (!(await hasFolder(row.id))) return row.id
          // The commit without the row makes the next id greater.
          await transaction.deleteFrom('repository').where('id', '=', row.id).execute()
          return null
        })
        if (id !== null) return id
      }
    },

    async renewUnfinished(id) {
      const now = Date.now()
      await db
        .updateTable('repository')
        .set({ created_at: now, updated_at: now })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .execute()
    },

    async markReady(id) {
      return transact(db, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('repository')
          .set({ state: 'ready' })
          .where('id', '=', id)
          .where('state', '=', 'creating')
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new Error(`repository ${id} is not being created any more`)
        const row = await selectRepositories(transaction).where('repository.id', '=', id).executeTakeFirstOrThrow()
        const repository = toRepository(row)
        await forgetFormerName(transaction, fullNameKey(repository.owner.login, repository.name))
        return repository
      })
    },

    listDefaultBranches: () =>
      db
        .selectFrom('repository')
        .select(['id', 'default_branch as defaultBranch'])
        .where('state', '=', 'ready')
        .execute(),

    async listUnfinished({ before }) {
      const rows = await db
        .selectFrom('repository')
        .select('id')
        .where(({ and, eb, or }) =>
          or([eb('state', '=', 'removing'), and([eb('state', '=', 'creating'), eb('created_at', '<', before)])]),
        )
        .execute()
      return rows.map((row) => row.id)
    },

    async claimUnfinished(id, { before = Number.MAX_SAFE_INTEGER } = {}) {
      await db
        .updateTable('repository')
        .set({ state: 'removing' })
        .where('id', '=', id)
        .where('state', '=', 'creating')
        .where('created_at', '<', before)
        .execute()
      const row = await db.selectFrom('repository').select('state').where('id', '=', id).executeTakeFirst()
      // A missing row was claimed before; its id is never used again.
      return row === undefined || row.state === 'removing'
    },

    async removeUnfinished(id) {
      await db.deleteFrom('repository').where('id', '=', id).where('state', '=', 'removing').execute()
    },

    async remove(id) {
      await db.deleteFrom('repository').where('id', '=', id).execute()
    },
  }
}

function insertUnfinished(db: Kysely<Schema>, repository: NewRepository): Promise<{ readonly id: number }> {
  const now = Date.now()
  return db
    .insertInto('repository')
    .values({
      owner_id: repository.owner.id,
      name: repository.name,
      name_key: nameKey(repository.name),
      full_name_key: fullNameKey(repository.owner.login, repository.name),
      description: repository.description,
      visibility: repository.visibility,
      default_branch: repository.defaultBranch,
      is_archived: 0,
      is_disabled: 0,
      disabled_reason: null,
      state: 'creating',
      star_count: 0,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

function reading(
  db: Kysely<Schema>,
  read: ReadCache,
): Pick<Repositories, 'findByName' | 'findById' | 'findState' | 'findCollaboration'> {
  return {
    async findByName(owner, name) {
      const key = fullNameKey(owner, name)
      const answer = await read(`repository:${key}`, async () => {
        const row = await selectRepositories(db).where('repository.full_name_key', '=', key).executeTakeFirst()
        return { repository: row === undefined ? null : toRepository(row) }
      })
      return answer.repository
    },

    async findById(id) {
      const row = await selectRepositories(db).where('repository.id', '=', id).executeTakeFirst()
      return row === undefined ? null : toRepository(row)
    },

    async findState(id) {
      const row = await db.selectFrom('repository').select('state').where('id', '=', id).executeTakeFirst()
      return row?.state ?? null
    },

    async findCollaboration(id, userId) {
      const answer = await read(`collaboration:${id}:${userId}`, async () => {
        const row = await db
          .selectFrom('collaborator')
          .select('permission')
          .where('repository_id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        return { permission: row?.permission ?? null }
      })
      return answer.permission
    },
  }
}

function changing(
  db: Kysely<Schema>,
): Pick<Repositories, 'change' | 'touch' | 'setCollaborator' | 'listCollaborators' | 'removeCollaborator'> {
  return {
    async change(id, change) {
      await db
        .updateTable('repository')
        .set({
          ...(change.description === undefined ? {} : { description: change.description }),
          ...(change.visibility === undefined ? {} : { visibility: change.visibility }),
          ...(change.defaultBranch === undefined ? {} : { default_branch: change.defaultBranch }),
          ...(change.isArchived === undefined ? {} : { is_archived: Number(change.isArchived) }),
          ...(change.isDisabled === undefined ? {} : { is_disabled: Number(change.isDisabled) }),
          ...(change.disabledReason === undefined ? {} : { disabled_reason: change.disabledReason }),
          updated_at: Date.now(),
        })
        .where('id', '=', id)
        .execute()
    },

    async touch(id) {
      const now = Date.now()
      await db.updateTable('repository').set({ updated_at: now, pushed_at: now }).where('id', '=', id).execute()
    },

    async setCollaborator(id, userId, permission) {
      await db
        .insertInto('collaborator')
        .values({ repository_id: id, user_id: userId, permission, created_at: Date.now() })
        .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doUpdateSet({ permission }))
        .execute()
    },

    async listCollaborators(id) {
      return db
        .selectFrom('collaborator')
        .innerJoin('user', 'user.id', 'collaborator.user_id')
        .select(['user.login', 'user.name', 'user.avatar_id as avatarId', 'collaborator.permission'])
        .where('collaborator.repository_id', '=', id)
        .orderBy('user.login_key')
        .execute()
    },

    async removeCollaborator(id, userId) {
      await db.deleteFrom('collaborator').where('repository_id', '=', id).where('user_id', '=', userId).execute()
    },
  }
}

function stars(db: Kysely<Schema>): Pick<Repositories, 'addStar' | 'removeStar' | 'hasStar'> {
  return {
    async hasStar(id, userId) {
      const row = await db
        .selectFrom('star')
        .select('repository_id')
        .where('repository_id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row !== undefined
    },

    async addStar(id, userId) {
      await transact(db, async (transaction) => {
        const outcome = await transaction
          .insertInto('star')
          .values({ repository_id: id, user_id: userId, created_at: Date.now() })
          .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doNothing())
          .executeTakeFirst()
        await changeStarCount(transaction, id, Number(outcome.numInsertedOrUpdatedRows ?? 0n))
      })
    },

    async removeStar(id, userId) {
      await transact(db, async (transaction) => {
        const outcome = await transaction
          .deleteFrom('star')
          .where('repository_id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        await changeStarCount(transaction, id, -Number(outcome.numDeletedRows))
      })
    },
  }
}

async function changeStarCount(db: Kysely<Schema>, id: number, by: number): Promise<void> {
  if (by === 0) return
  await db
    .updateTable('repository')
    .set((is) => ({ star_count: is('star_count', '+', by) }))
    .where('id', '=', id)
    .execute()
}
