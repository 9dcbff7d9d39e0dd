import { randomBytes } from 'node:crypto'
import { posix } from 'node:path'

import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

interface Schema {
  draft: { user_id: string; repository_id: number; branch: string; path: string; text: string; opened_id: string }
  old_draft: Schema['draft'] & { size_bytes: number; updated_at: number }
  shared_draft: Record<string, unknown>
  draft_author: { draft_id: number; user_id: string; revision: number }
  user: { id: string; login: string }
}

/** One draft for each file instead of one for each user and file, as a text that several people edit. */
export const sharedDrafts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('shared_draft')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('branch', 'text', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('epoch', 'text', (column) => column.notNull())
      .addColumn('state', 'blob', (column) => column.notNull())
      .addColumn('size_bytes', 'integer', (column) => column.notNull())
      .addColumn('opened_id', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('is_changed', 'integer', (column) => column.notNull())
      .addColumn('creator_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('shared_draft_key', ['repository_id', 'branch', 'path'])
      .execute()
    await db.schema.createIndex('shared_draft_creator').on('shared_draft').column('creator_id').execute()
    await db.schema
      .createTable('draft_update')
      .addColumn('draft_id', 'integer', (column) => column.notNull().references('shared_draft.id').onDelete('cascade'))
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'blob', (column) => column.notNull())
      .addPrimaryKeyConstraint('draft_update_key', ['draft_id', 'revision'])
      .execute()
    await db.schema
      .createTable('draft_author')
      .addColumn('draft_id', 'integer', (column) => column.notNull().references('shared_draft.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('draft_author_key', ['draft_id', 'user_id'])
      .execute()
    await db.schema.createIndex('draft_author_user').on('draft_author').column('user_id').execute()
    await db.schema.alterTable('draft').renameTo('old_draft').execute()
    await copyDrafts(db as Kysely<Schema>)
    await db.schema.dropTable('old_draft').execute()
  },
}

/** The newest draft of a file keeps its path; the drafts of other users become drafts of new files beside it. */
async function copyDrafts(db: Kysely<Schema>): Promise<void> {
  const rows = await db
    .selectFrom('old_draft')
    .innerJoin('user', 'user.id', 'old_draft.user_id')
    .selectAll('old_draft')
    .select('user.login')
    .orderBy('old_draft.updated_at', 'desc')
    .execute()
  const taken = new Set<string>()
  for (const { user_id: userId, login, text, path, repository_id, branch, opened_id, size_bytes, updated_at } of rows) {
    const key = JSON.stringify([repository_id, branch, path])
    const { dir, name, ext } = posix.parse(path)
    const ownPath = taken.has(key) ? posix.join(dir, `${name} (draft of ${login})${ext}`) : path
    taken.add(key)
    const draft = { repository_id, branch, path: ownPath, opened_id, size_bytes, updated_at }
    const state = await encode(text)
    const values = { ...draft, epoch: randomBytes(16).toString('hex'), state, revision: 1, is_changed: 1 }
    const { id } = await db
      .insertInto('shared_draft')
      .values({ ...values, creator_id: userId })
      .returning(sql<number>`id`.as('id'))
      .executeTakeFirstOrThrow()
    await db.insertInto('draft_author').values({ draft_id: id, user_id: userId, revision: 1 }).execute()
  }
}

async function encode(text: string): Promise<Uint8Array> {
  // Loaded here, because every command loads the migrations and few run this one with drafts.
  const Y = await import('yjs')
  const doc = new Y.Doc()
  doc.getText('text').insert(0, text)
  return Y.encodeStateAsUpdate(doc)
}
