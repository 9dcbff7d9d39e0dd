import { randomUUID } from 'node:crypto'

import type { Insertable, Kysely } from 'kysely'

import type { Schema, WebhookDeliveryTable } from '../schema.ts'
import type { WebhookEvent } from './webhooks.ts'

/** Subject of an event. The payload is made from it when it is sent for the first time. */
export type EventSubject =
  | {
      readonly kind: 'ref'
      /** Full name. */
      readonly ref: string
      /** null = the ref was created. */
      readonly before: string | null
      /** null = the ref was deleted. */
      readonly after: string | null
      /** Null if the account was deleted. */
      readonly userId: string | null
    }
  | { readonly kind: 'build'; readonly buildId: number }
  | { readonly kind: 'ping'; readonly userId: string }

/** An event of a repository. */
export interface RepositoryEvent {
  readonly event: WebhookEvent
  readonly subject: EventSubject
}

/** Why a host that was restored from a backup does not send what waited then. */
export const notSentAgain =
  'Not sent: this host was restored from a backup, and may have sent this delivery before. To send it, press Redeliver.'

/** Deliveries of one webhook that may wait. A receiver that never answers must not fill the database. */
export const MAX_WAITING = 1_000

const tooManyWait = `Not sent: ${MAX_WAITING} deliveries of this webhook are waiting.`

/**
 * Queues the events for the active webhooks of a repository that subscribe to them. Called in the transaction that
 * records the cause, so that no event is lost and none is sent for a change that did not happen. `isFromBackup` = they may
 * have been sent before the host was restored: they are listed, and not sent.
 */
export async function queueWebhookEvents(
  db: Kysely<Schema>,
  repositoryId: number,
  events: readonly RepositoryEvent[],
  { isFromBackup = false }: { readonly isFromBackup?: boolean } = {},
): Promise<void> {
  if (events.length === 0) return
  const webhooks = await db
    .selectFrom('webhook')
    .select(['id', 'url', 'events'])
    .where('repository_id', '=', repositoryId)
    .where('is_active', '=', 1)
    .execute()
  for (const { id, url, events: subscribed } of webhooks) {
    const wanted = events.filter(({ event }) => subscribed.split(' ').includes(event))
    if (wanted.length === 0) continue
    const isFull = (await countWaiting(db, id)) + wanted.length > MAX_WAITING
    const problem = isFromBackup ? notSentAgain : isFull ? tooManyWait : null
    const rows = wanted.map((each) => toRow({ id, repositoryId, url }, each, { problem }))
    await db.insertInto('webhook_delivery').values(rows).execute()
  }
}

/** Queues one event for one webhook, whether it subscribes to it or not. Returns its id, or `full` if too many wait. */
export async function queueForWebhook(
  db: Kysely<Schema>,
  webhook: { readonly id: number; readonly repositoryId: number; readonly url: string },
  event: RepositoryEvent,
): Promise<number | 'full'> {
  if ((await countWaiting(db, webhook.id)) >= MAX_WAITING) return 'full'
  const { id } = await db
    .insertInto('webhook_delivery')
    .values(toRow(webhook, event, { problem: null }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function countWaiting(db: Kysely<Schema>, webhookId: number): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_delivery')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The events of refs that moved: `push`, and `create` or `delete`. */
export function listRefEvents(
  moved: readonly { readonly ref: string; readonly oldCommitId: string | null; readonly newCommitId: string | null }[],
  userId: string | null,
): readonly RepositoryEvent[] {
  return moved.flatMap(({ ref, oldCommitId, newCommitId }): readonly RepositoryEvent[] => {
    const subject = { kind: 'ref', ref, before: oldCommitId, after: newCommitId, userId } as const
    const push = { event: 'push', subject } as const
    if (oldCommitId === null) return [{ event: 'create', subject }, push]
    return newCommitId === null ? [push, { event: 'delete', subject }] : [push]
  })
}

function toRow(
  webhook: { readonly id: number; readonly repositoryId: number; readonly url: string },
  { event, subject }: RepositoryEvent,
  /** Why it is not sent; null = it is queued. */
  { problem }: { readonly problem: string | null },
): Insertable<WebhookDeliveryTable> {
  return {
    guid: randomUUID(),
    webhook_id: webhook.id,
    repository_id: webhook.repositoryId,
    receiver: new URL(webhook.url).host,
    event,
    subject: JSON.stringify(subject),
    payload: null,
    state: problem === null ? 'queued' : 'failed',
    attempt_count: 0,
    due_at: Date.now(),
    created_at: Date.now(),
    sent_at: null,
    duration_ms: null,
    request_headers: null,
    response_status: null,
    response_headers: null,
    response_body: null,
    problem,
  }
}
