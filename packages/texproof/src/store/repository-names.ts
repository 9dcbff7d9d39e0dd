/**
 * Names of repositories as they change. The name that one had before still leads to it, until a new repository takes
 * that name: whoever asks looks for a repository of the name first and for a former name only then.
 */
import type { Kysely } from 'kysely'

import { nameKey } from '../domain/names.ts'
import type { Repository } from '../domain/types.ts'
import { fullNameKey } from './full-name-key.ts'
import { selectRepositories, toRepository } from './repository-rows.ts'
import type { Schema } from './schema.ts'

/** Renaming. */
export interface RepositoryNames {
  /** @throws UniqueViolation when the owner has another repository of the name, in any case. */
  rename(repository: Repository, name: string): Promise<void>
  /** The repository that had the name last, whatever it is called now. No permission is checked here. */
  findByFormerName(owner: string, name: string): Promise<Repository | null>
}

/** The names of one database. */
export function createRepositoryNames(db: Kysely<Schema>): RepositoryNames {
  return {
    async rename({ id, owner, name: formerName }, name) {
      const now = Date.now()
      const [former, key] = [fullNameKey(owner.login, formerName), fullNameKey(owner.login, name)]
      await db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('repository')
          .set({ name, name_key: nameKey(name), full_name_key: key, updated_at: now })
          .where('id', '=', id)
          .execute()
        // A name is nobody's former one while it is somebody's.
        await transaction.deleteFrom('former_name').where('full_name_key', '=', key).execute()
        if (former === key) return
        await transaction
          .insertInto('former_name')
          .values({ full_name_key: former, repository_id: id, renamed_at: now })
          .onConflict((conflict) =>
            conflict.column('full_name_key').doUpdateSet({ repository_id: id, renamed_at: now }),
          )
          .execute()
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
