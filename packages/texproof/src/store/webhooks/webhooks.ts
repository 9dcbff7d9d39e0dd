import type { Kysely, Selectable } from 'kysely'

import type { Schema, WebhookTable } from '../schema.ts'
import { transact } from '../transact.ts'

/** The events that a webhook can subscribe to. */
export const webhookEvents = ['push', 'build', 'create', 'delete'] as const

/** Name of an event, as in the header of a delivery. `ping` is sent to every new webhook and by *Send test*. */
export type WebhookEvent = (typeof webhookEvents)[number] | 'ping'

/** An address that receives the events of a repository. */
export interface Webhook {
  readonly id: number
  readonly repositoryId: number
  readonly url: string
  /** The secret, sealed. */
  readonly sealedSecret: string
  readonly events: readonly WebhookEvent[]
  readonly isActive: boolean
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** A webhook before it is stored. */
export type NewWebhook = Omit<Webhook, 'id' | 'createdAt'>

/** Maximum number of webhooks of a repository. */
const maxWebhooks = 20

/** The table of webhooks. */
export interface Webhooks {
  /** Null if the repository has `maxWebhooks` already. */
  add(webhook: NewWebhook): Promise<Webhook | null>
  change(id: number, changes: Partial<Pick<Webhook, 'url' | 'sealedSecret' | 'events' | 'isActive'>>): Promise<void>
  /** Deletes a webhook with its deliveries. */
  remove(id: number): Promise<void>
  find(id: number): Promise<Webhook | null>
  /** Oldest first. */
  listOfRepository(repositoryId: number): Promise<readonly Webhook[]>
}

/** Creates the table of webhooks of a database. */
export function createWebhooks(db: Kysely<Schema>): Webhooks {
  return {
    add: ({ repositoryId, url, sealedSecret, events, isActive }) =>
      transact(db, async (transaction) => {
        await transaction.selectFrom('repository').select('id').where('id', '=', repositoryId).forUpdate().execute()
        const { count } = await transaction
          .selectFrom('webhook')
          .select((select) => select.fn.countAll<number>().as('count'))
          .where('repository_id', '=', repositoryId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= maxWebhooks) return null
        const row = await transaction
          .insertInto('webhook')
          .values({
            repository_id: repositoryId,
            url,
            sealed_secret: sealedSecret,
            events: events.join(' '),
            is_active: isActive ? 1 : 0,
            created_at: Date.now(),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        return toWebhook(row)
      }),

    async change(id, { url, sealedSecret, events, isActive }) {
      await db
        .updateTable('webhook')
        .set({
          ...(url === undefined ? {} : { url }),
          ...(sealedSecret === undefined ? {} : { sealed_secret: sealedSecret }),
          ...(events === undefined ? {} : { events: events.join(' ') }),
          ...(isActive === undefined ? {} : { is_active: isActive ? 1 : 0 }),
        })
        .where('id', '=', id)
        .execute()
    },

    async remove(id) {
      await db.deleteFrom('webhook').where('id', '=', id).execute()
    },

    async find(id) {
      const row = await db.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toWebhook(row)
    },

    async listOfRepository(repositoryId) {
      const rows = await db
        .selectFrom('webhook')
        .selectAll()
        .where('repository_id', '=', repositoryId)
        .orderBy('id')
        .execute()
      return rows.map(toWebhook)
    },
  }
}

function toWebhook(row: Selectable<WebhookTable>): Webhook {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    url: row.url,
    sealedSecret: row.sealed_secret,
    events: row.events.split(' ').filter((event) => event !== '') as WebhookEvent[],
    isActive: row.is_active === 1,
    createdAt: row.created_at,
  }
}
