import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** Owner of a dictionary: a user, or a repository for all who may write to it. */
export type DictionaryOwner = { readonly userId: string } | { readonly repositoryId: number }

/** Words that the spelling of the editor accepts. */
export interface Dictionaries {
  /** Sorted. */
  list(owner: DictionaryOwner): Promise<readonly string[]>
  /** False if the dictionary is full. A word that it has is not added again. */
  add(owner: DictionaryOwner, word: string): Promise<boolean>
  remove(owner: DictionaryOwner, word: string): Promise<void>
}

/** Words of one dictionary. */
const MAX_WORDS = 5_000

/** Creates the dictionaries of a database. */
export function createDictionaries(db: Kysely<Schema>): Dictionaries {
  const columns = (owner: DictionaryOwner) =>
    'userId' in owner
      ? ({ user_id: owner.userId, repository_id: null } as const)
      : ({ user_id: null, repository_id: owner.repositoryId } as const)
  const ofOwner = (owner: DictionaryOwner) =>
    'userId' in owner
      ? db.selectFrom('dictionary_word').where('user_id', '=', owner.userId)
      : db.selectFrom('dictionary_word').where('repository_id', '=', owner.repositoryId)
  return {
    async list(owner) {
      const rows = await ofOwner(owner).select('word').orderBy('word').execute()
      return rows.map(({ word }) => word)
    },

    async add(owner, word) {
      const { count } = await ofOwner(owner)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MAX_WORDS) return false
      await db
        .insertInto('dictionary_word')
        .values({ ...columns(owner), word })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return true
    },

    async remove(owner, word) {
      const ids = ofOwner(owner).select('id').where('word', '=', word)
      await db.deleteFrom('dictionary_word').where('id', 'in', ids).execute()
    },
  }
}
