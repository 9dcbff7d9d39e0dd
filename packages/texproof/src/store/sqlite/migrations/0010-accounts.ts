import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Sessions, one-time links, second factors, passkeys, avatars, and account events. */
export const accounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await createSession(db)
    await createOneTimeCode(db)
    await createAccountEvent(db)
    await createMeans(db)
    await db.schema
      .createTable('host_setting')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('avatar')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('content_type', 'text', (column) => column.notNull())
      .addColumn('bytes', 'blob', (column) => column.notNull())
      .execute()
    await db.schema.alterTable('token').addColumn('last_used_route', 'text').execute()
    await db.schema.alterTable('token').addColumn('last_refused_at', 'bigint').execute()
    await db.schema.alterTable('token').addColumn('last_refused_route', 'text').execute()
  },
}

async function createSession(db: Kysely<unknown>): Promise<void> {
  await ofUser(
    db.schema.createTable('session').addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
  )
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('session_user').on('session').column('user_id').execute()
}

async function createOneTimeCode(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('one_time_code')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('created_by', 'text', (column) => column.references('user.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
}

async function createAccountEvent(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_event')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
    .addColumn('actor_id', 'text', (column) => column.references('user.id').onDelete('set null'))
    .addColumn('address', 'text')
    .addColumn('detail', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('account_event_user').on('account_event').columns(['user_id', 'id']).execute()
}

async function createMeans(db: Kysely<unknown>): Promise<void> {
  await ofUser(db.schema.createTable('second_factor'), { isOnlyOne: true })
    .addColumn('sealed_secret', 'text', (column) => column.notNull())
    .addColumn('last_step', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at', 'bigint')
    .execute()
  await ofUser(db.schema.createTable('recovery_code'))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'hash'])
    .execute()
  await ofUser(db.schema.createTable('passkey').addColumn('id', 'text', (column) => column.primaryKey()))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkey_user').on('passkey').column('user_id').execute()
  await ofUser(db.schema.createTable('identity'))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_key', ['issuer', 'subject'])
    .execute()
}

function ofUser<Table extends string, Column extends string>(
  table: CreateTableBuilder<Table, Column>,
  options: { readonly isOnlyOne: boolean } = { isOnlyOne: false },
): CreateTableBuilder<Table, Column | 'user_id'> {
  return table.addColumn('user_id', 'text', (column) => {
    const reference = column.notNull().references('user.id').onDelete('cascade')
    return options.isOnlyOne ? reference.primaryKey() : reference
  })
}
