import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** Whether a repository is a template: `listed` = also in the gallery of the host. */
export type TemplateStatus = 'none' | 'offered' | 'listed'

/** Repositories that are templates. */
export interface Templates {
  find(repositoryId: number): Promise<TemplateStatus>
  /** Offers the repository as a template, which is not listed yet. Does nothing if it is a template. */
  offer(repositoryId: number): Promise<void>
  withdraw(repositoryId: number): Promise<void>
  /** Lists a template in the gallery or removes it; false if the repository is not a template. */
  setListed(repositoryId: number, isListed: boolean): Promise<boolean>
  /** Owner and name of the listed templates, oldest first. */
  list(options: { readonly limit: number }): Promise<readonly { readonly owner: string; readonly name: string }[]>
}

/** Creates the templates of a database. */
export function createTemplates(db: Kysely<Schema>): Templates {
  return {
    async find(repositoryId) {
      const row = await db
        .selectFrom('template')
        .select('is_listed')
        .where('repository_id', '=', repositoryId)
        .executeTakeFirst()
      if (row === undefined) return 'none'
      return row.is_listed === 1 ? 'listed' : 'offered'
    },

    async offer(repositoryId) {
      await db
        .insertInto('template')
        .values({ repository_id: repositoryId, is_listed: 0 })
        .onConflict((conflict) => conflict.column('repository_id').doNothing())
        .execute()
    },

    async withdraw(repositoryId) {
      await db.deleteFrom('template').where('repository_id', '=', repositoryId).execute()
    },

    async setListed(repositoryId, isListed) {
      const { numUpdatedRows } = await db
        .updateTable('template')
        .set({ is_listed: isListed ? 1 : 0 })
        .where('repository_id', '=', repositoryId)
        .executeTakeFirst()
      return numUpdatedRows > 0
    },

    list: ({ limit }) =>
      db
        .selectFrom('template')
        .innerJoin('repository', 'repository.id', 'template.repository_id')
        .innerJoin('user', 'user.id', 'repository.owner_id')
        .select(['user.login as owner', 'repository.name as name'])
        .where('template.is_listed', '=', 1)
        .orderBy('template.repository_id')
        .limit(limit)
        .execute(),
  }
}
