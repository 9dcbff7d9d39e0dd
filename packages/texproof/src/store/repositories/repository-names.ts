/**
 * Names of repositories as they change. The name that one had before still leads to it, until a new repository takes
 * that name: look for a repository of the name first, and for a former name only then.
 */
import type { Kysely } from 'kysely'

import { nameKey } from '../../domain/names.ts'
import type { Repository } from '../../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from '../schema.ts'

/** Renaming. */
export interface RepositoryNames {
  /** False when the repository is gone or in the trash. @throws UniqueViolation when its owner has another of the name, in any case. */
  rename(repository: Repository, name: string): Promise<boolean>
  /** The repository that had the name last, whatever it is called now. No permission is checked here. */
  findByFormerName(owner: string, name: string): Promise<Repository | null>
}

/** The names of one database. */
export function createRepositoryNames(db: Kysely<Schema>): RepositoryNames {
  return {
    async rename({ id, owner }, name) {
      const now = Date.now()
      const key = fullNameKey(owner.login, name)
      return db.transaction().execute(async (transaction) => {
        // Its current name: it may have been renamed, or moved to the trash, a moment ago.
        const { former } =
          (await transaction
            .selectFrom('repository')
            .select('full_name_key as former')
            .where('id', '=', id)
            .where('state', '=', 'ready')
            .executeTakeFirst()) ?? {}
        if (former === undefined) return false
        await transaction
          .updateTable('repository')
          .set({ name, name_key: nameKey(name), full_name_key: key, updated_at: now })
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .execute()
        // A name in use is never a former name.
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
