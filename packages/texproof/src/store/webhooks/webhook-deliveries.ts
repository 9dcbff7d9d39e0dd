/** The deliveries of webhooks: a queue, and a log of the last request and response of each. */
import { sql, type Kysely, type Selectable } from 'kysely'

import type { Schema, WebhookDeliveryTable } from '../schema.ts'
import { transact } from '../transact.ts'
import { queueForWebhook, type EventSubject } from './queue-webhook-events.ts'
import type { Webhook, WebhookEvent } from './webhooks.ts'

/** One attempt to send a delivery. */
export interface DeliveryAttempt {
  /** Epoch milliseconds. */
  readonly sentAt: number
  readonly durationMs: number
  /** One per line. */
  readonly requestHeaders: string
  /** Null without a response. */
  readonly response: { readonly status: number; readonly headers: string; readonly body: string } | null
  /** Why the delivery failed, for the user; null if it was accepted. */
  readonly problem: string | null
}

/** A delivery without the texts of its request and response. */
export interface DeliverySummary {
  readonly id: number
  /** GUID, shared by a delivery and its redeliveries. */
  readonly guid: string
  readonly webhookId: number
  readonly event: WebhookEvent
  /** `failed` = no further attempt will be made. */
  readonly state: 'queued' | 'delivered' | 'failed'
  readonly attemptCount: number
  /** When the next attempt is due, if it is queued. */
  readonly dueAt: number
  readonly createdAt: number
  readonly sentAt: number | null
  readonly responseStatus: number | null
  readonly problem: string | null
}

/** A delivery. */
export interface WebhookDelivery extends DeliverySummary {
  readonly repositoryId: number
  /** Host and port that it is sent to. */
  readonly receiver: string
  readonly subject: EventSubject
  /** JSON; null before the first attempt. */
  readonly payload: string | null
  readonly durationMs: number | null
  readonly requestHeaders: string | null
  readonly responseHeaders: string | null
  readonly responseBody: string | null
}

/** A delivery that is being sent. */
export interface TakenDelivery extends WebhookDelivery {
  /** The owner of its repository; null if that was deleted. */
  readonly ownerId: string | null
}

/** Owners, webhooks and receivers at their limit of concurrent deliveries, which `take` skips. */
export interface BusyDeliveries {
  readonly ownerIds: readonly string[]
  readonly webhookIds: readonly number[]
  readonly receivers: readonly string[]
}

/** The table of deliveries. Times are epoch milliseconds. */
export interface WebhookDeliveries {
  /** Queues a test; returns the id of the delivery, or `full` if too many wait. */
  addPing(webhook: Webhook, options: { readonly userId: string }): Promise<number | 'full'>
  /** Queues the same payload again, with the same guid; null if there is no such delivery, `full` if too many wait. */
  addAgain(webhook: Webhook, deliveryId: number): Promise<number | 'full' | null>
  /** Takes the delivery that is due first, until `until`; null if none is due. */
  take(busy: BusyDeliveries, options: { readonly now: number; readonly until: number }): Promise<TakenDelivery | null>
  /** When the next delivery is due; null if the queue is empty. */
  findNextDue(busy: BusyDeliveries): Promise<number | null>
  setPayload(id: number, payload: string): Promise<void>
  /** Records an attempt. `retryAt` null = the last one. */
  recordAttempt(id: number, attempt: DeliveryAttempt, options: { readonly retryAt: number | null }): Promise<void>
  /** Ends a delivery without an attempt. */
  drop(id: number, problem: string): Promise<void>
  /** Makes an interrupted attempt due again. */
  release(id: number): Promise<void>
  find(id: number): Promise<WebhookDelivery | null>
  /** Newest first. */
  list(
    webhookId: number,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly DeliverySummary[]>
  count(webhookId: number): Promise<number>
  /** The newest delivery of each of these webhooks that was sent or failed, by id of the webhook. */
  listLast(webhookIds: readonly number[]): Promise<ReadonlyMap<number, DeliverySummary>>
  /** Removes deliveries that are not in the queue: those created before a time, and all but the newest of a webhook. */
  removeOld(options: { readonly before: number; readonly keptPerWebhook: number }): Promise<void>
}

const summaryColumns = [
  'id',
  'guid',
  'webhook_id',
  'event',
  'state',
  'attempt_count',
  'due_at',
  'created_at',
  'sent_at',
  'response_status',
  'problem',
] as const

/** Creates the table of deliveries of a database. */
export function createWebhookDeliveries(db: Kysely<Schema>): WebhookDeliveries {
  const queued = ({ ownerIds, webhookIds, receivers }: BusyDeliveries) => {
    let query = db.selectFrom('webhook_delivery').where('state', '=', 'queued')
    if (ownerIds.length > 0)
      query = query.where('repository_id', 'not in', (select) =>
        select.selectFrom('repository').select('repository.id').where('owner_id', 'in', ownerIds),
      )
    if (webhookIds.length > 0) query = query.where('webhook_id', 'not in', webhookIds)
    if (receivers.length > 0) query = query.where('receiver', 'not in', receivers)
    return query.orderBy('due_at').orderBy('id').limit(1)
  }

  return {
    addPing: (webhook, { userId }) =>
      queueForWebhook(db, webhook, { event: 'ping', subject: { kind: 'ping', userId } }),

    addAgain: (webhook, deliveryId) =>
      transact(db, async (transaction) => {
        const row = await transaction
          .selectFrom('webhook_delivery')
          .selectAll()
          .where('id', '=', deliveryId)
          .where('webhook_id', '=', webhook.id)
          .executeTakeFirst()
        if (row === undefined) return null
        const { event, subject, guid, payload } = toDelivery(row)
        const id = await queueForWebhook(transaction, webhook, { event, subject })
        if (id === 'full') return 'full'
        await transaction.updateTable('webhook_delivery').set({ guid, payload }).where('id', '=', id).execute()
        return id
      }),

    async take(busy, { now, until }) {
      const first = queued(busy).select('id').where('due_at', '<=', now).forUpdate().skipLocked()
      const row = await db
        .updateTable('webhook_delivery')
        .set({ due_at: until, attempt_count: sql<number>`attempt_count + 1` })
        .where('id', '=', first)
        .returningAll()
        .returning((select) =>
          select
            .selectFrom('repository')
            .select('owner_id')
            .whereRef('repository.id', '=', 'webhook_delivery.repository_id')
            .as('owner_id'),
        )
        .executeTakeFirst()
      return row === undefined ? null : { ...toDelivery(row), ownerId: row.owner_id }
    },

    async findNextDue(busy) {
      const row = await queued(busy).select('due_at').executeTakeFirst()
      return row?.due_at ?? null
    },

    async setPayload(id, payload) {
      await db.updateTable('webhook_delivery').set({ payload }).where('id', '=', id).execute()
    },

    async recordAttempt(id, { sentAt, durationMs, requestHeaders, response, problem }, { retryAt }) {
      await db
        .updateTable('webhook_delivery')
        .set({
          state: problem === null ? 'delivered' : retryAt === null ? 'failed' : 'queued',
          ...(retryAt === null ? {} : { due_at: retryAt }),
          sent_at: sentAt,
          duration_ms: durationMs,
          request_headers: requestHeaders,
          response_status: response?.status ?? null,
          response_headers: response?.headers ?? null,
          response_body: response?.body ?? null,
          problem,
        })
        .where('id', '=', id)
        .execute()
    },

    async drop(id, problem) {
      await db.updateTable('webhook_delivery').set({ state: 'failed', problem }).where('id', '=', id).execute()
    },

    async release(id) {
      await db
        .updateTable('webhook_delivery')
        .set({ due_at: Date.now(), attempt_count: sql<number>`attempt_count - 1` })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .execute()
    },

    async find(id) {
      const row = await db.selectFrom('webhook_delivery').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toDelivery(row)
    },

    async list(webhookId, { limit, offset }) {
      const rows = await db
        .selectFrom('webhook_delivery')
        .select(summaryColumns)
        .where('webhook_id', '=', webhookId)
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(toSummary)
    },

    async count(webhookId) {
      const row = await db
        .selectFrom('webhook_delivery')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('webhook_id', '=', webhookId)
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async listLast(webhookIds) {
      if (webhookIds.length === 0) return new Map()
      const newest = db
        .selectFrom('webhook_delivery')
        .select((select) => select.fn.max('id').as('id'))
        .where('webhook_id', 'in', webhookIds)
        .where((is) => is.or([is('state', '!=', 'queued'), is('sent_at', 'is not', null)]))
        .groupBy('webhook_id')
      const rows = await db.selectFrom('webhook_delivery').select(summaryColumns).where('id', 'in', newest).execute()
      return new Map(rows.map((row) => [row.webhook_id, toSummary(row)]))
    },

    async removeOld({ before, keptPerWebhook }) {
      const states = ['delivered', 'failed'] as const
      await db.deleteFrom('webhook_delivery').where('state', 'in', states).where('created_at', '<', before).execute()
      const ranked = db
        .selectFrom('webhook_delivery')
        .select(['id', sql<number>`row_number() over (partition by webhook_id order by id desc)`.as('rank')])
        .where('state', 'in', states)
        .as('ranked')
      const beyond = db.selectFrom(ranked).select('ranked.id').where('ranked.rank', '>', keptPerWebhook)
      await db.deleteFrom('webhook_delivery').where('id', 'in', beyond).execute()
    },
  }
}

function toSummary(row: Pick<Selectable<WebhookDeliveryTable>, (typeof summaryColumns)[number]>): DeliverySummary {
  return {
    id: row.id,
    guid: row.guid,
    webhookId: row.webhook_id,
    event: row.event,
    state: row.state,
    attemptCount: row.attempt_count,
    dueAt: row.due_at,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    responseStatus: row.response_status,
    problem: row.problem,
  }
}

/** Parses a row. Only `queue-webhook-events.ts` writes the JSON column. */
function toDelivery(row: Selectable<WebhookDeliveryTable>): WebhookDelivery {
  return {
    ...toSummary(row),
    repositoryId: row.repository_id,
    receiver: row.receiver,
    subject: JSON.parse(row.subject) as EventSubject,
    payload: row.payload,
    durationMs: row.duration_ms,
    requestHeaders: row.request_headers,
    responseHeaders: row.response_headers,
    responseBody: row.response_body,
  }
}
