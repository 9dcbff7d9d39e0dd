/**
 * Renames of repositories. A former name redirects to its repository until a new repository takes that name: look up
 * the current name first, and then the former name.
 */
import type { Kysely } from 'kysely'

import { nameKey } from '../../domain/names.ts'
import type { Repository } from '../../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** Renames repositories. */
export interface RepositoryNames {
  /**
   * False if the repository was deleted or is in the trash. @throws UniqueViolation when its owner has another
   * repository with that name, in any case.
   */
  rename(repository: Repository, name: string): Promise<boolean>
  /** The repository that had the name last, under its current name. Does not check permissions. */
  findByFormerName(owner: string, name: string): Promise<Repository | null>
}

/** Creates the repository names of a database. */
export function createRepositoryNames(db: Kysely<Schema>): RepositoryNames {
  return {
    async rename({ id, owner }, name) {
      const now = Date.now()
      const key = fullNameKey(owner.login, name)
      return transact(db, async (transaction) => {
        // The current name: the repository may just have been renamed, or moved to the trash.
        const { former } =
          (await transaction
            .selectFrom('repository')
            .select('full_name_key as former')
            .where('id', '=', id)
            .where('state', '=', 'ready')
            .forNoKeyUpdate()
            .executeTakeFirst()) ?? {}
        if (former === undefined) return false
        await transaction
          .updateTable('repository')
          .set({ name, name_key: nameKey(name), full_name_key: key, updated_at: now })
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .execute()
        // A name in use is not a former name.
        await transaction.deleteFrom('former_name').where('full_name_key', '=', key).execute()
        if (former === key) return true
        await transaction
          .insertInto('former_name')
          .values({ full_name_key: former, repository_id: id, renamed_at: now })
          .onConflict((conflict) =>
            conflict.column('full_name_key').doUpdateSet({ repository_id: id, renamed_at: now }),
          )
          .execute()
        return true
      })
    },

    async findByFormerName(owner, name) {
      const row = await selectRepositories(db)
        .innerJoin('former_name', 'former_name.repository_id', 'repository.id')
        .where('former_name.full_name_key', '=', fullNameKey(owner, name))
        .executeTakeFirst()
      return row === undefined ? null : toRepository(row)
    },
  }
}
