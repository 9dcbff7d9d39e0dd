import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Words that users added to their dictionary, or to the dictionary of a repository. */
export const dictionaryWords: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('dictionary_word')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('cascade'))
      .addColumn('repository_id', 'integer', (column) => column.references('repository.id').onDelete('cascade'))
      .addColumn('word', 'text', (column) => column.notNull())
      .addUniqueConstraint('dictionary_word_user', ['user_id', 'word'])
      .addUniqueConstraint('dictionary_word_repository', ['repository_id', 'word'])
      .execute()
  },
}
