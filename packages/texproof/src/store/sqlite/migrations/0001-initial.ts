import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Users, tokens, repositories and access rights. */
export const initial: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createUser(db)
    await createToken(db)
    await createRepository(db)
    await createCollaborator(db)
    await createStar(db)
  },
}

async function createUser(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('login', 'text', (column) => column.notNull())
    .addColumn('login_key', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text')
    .addColumn('bio', 'text')
    .addColumn('email', 'text')
    .addColumn('email_key', 'text', (column) => column.unique())
    .addColumn('password_hash', 'text')
    .addColumn('avatar_id', 'text')
    .addColumn('is_admin', 'integer', (column) => column.notNull())
    .addColumn('is_disabled', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createToken(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('token')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('token_user').on('token').column('user_id').execute()
}

async function createRepository(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('repository')
    // Never reused, even after a deletion: the id is in the path of the git directory.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('owner_id', 'text', (column) => column.notNull().references('user.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('full_name_key', 'text', (column) => column.notNull().unique())
    .addColumn('description', 'text')
    .addColumn('visibility', 'text', (column) => column.notNull())
    .addColumn('default_branch', 'text', (column) => column.notNull())
    .addColumn('is_archived', 'integer', (column) => column.notNull())
    .addColumn('is_disabled', 'integer', (column) => column.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('star_count', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('repository_owner_name', ['owner_id', 'name_key'])
    .execute()
}

async function createCollaborator(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('collaborator')
    .addColumn('repository_id', 'integer', (column) => column.notNull().references('repository.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('permission', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('collaborator_key', ['repository_id', 'user_id'])
    .execute()
  await db.schema.createIndex('collaborator_user').on('collaborator').column('user_id').execute()
}

async function createStar(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('star')
    .addColumn('repository_id', 'integer', (column) => column.notNull().references('repository.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('star_key', ['repository_id', 'user_id'])
    .execute()
  await db.schema.createIndex('star_user').on('star').column('user_id').execute()
}
