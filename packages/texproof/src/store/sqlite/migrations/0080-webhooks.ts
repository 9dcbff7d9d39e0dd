import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Webhooks of repositories, and the log of their deliveries, which is also the queue. */
export const webhooks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable('webhook')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('repository_id', 'integer', (column) =>
        column.notNull().references('repository.id').onDelete('cascade'),
      )
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('events', 'text', (column) => column.notNull())
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('webhook_repository').on('webhook').column('repository_id').execute()
    await db.schema
      .createTable('webhook_delivery')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('guid', 'text', (column) => column.notNull())
      .addColumn('webhook_id', 'integer', (column) => column.notNull().references('webhook.id').onDelete('cascade'))
      .addColumn('repository_id', 'integer', (column) => column.notNull())
      .addColumn('receiver', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('payload', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempt_count', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('duration_ms', 'integer')
      .addColumn('request_headers', 'text')
      .addColumn('response_status', 'integer')
      .addColumn('response_headers', 'text')
      .addColumn('response_body', 'text')
      .addColumn('problem', 'text')
      .execute()
    await db.schema.createIndex('webhook_delivery_due').on('webhook_delivery').columns(['state', 'due_at']).execute()
    await db.schema.createIndex('webhook_delivery_webhook').on('webhook_delivery').column('webhook_id').execute()
  },
}
