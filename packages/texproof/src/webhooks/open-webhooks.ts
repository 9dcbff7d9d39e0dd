/**
 * Sends the deliveries of webhooks. They wait in the database, where pushes and builds put them, so that neither waits
 * for a receiver, and a restart loses none. A delivery can arrive twice, if the process stops before it records the
 * response; its guid is then the same.
 */
import type { Logger } from 'pino'

import { createFaultLog } from '../base/log/fault-log.ts'
import type { LookUpName } from '../base/public-address.ts'
import { readVersion } from '../base/read-version.ts'
import type { Config } from '../config/read-config.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import type { BusyDeliveries, TakenDelivery } from '../store/webhooks/webhook-deliveries.ts'
import type { Webhook } from '../store/webhooks/webhooks.ts'
import { makePayload } from './payloads.ts'
import { sendRequest } from './send-request.ts'
import { signPayload, unsealSecret } from './webhook-secret.ts'

/** Dependencies of sending. */
export interface WebhookDeps {
  readonly config: Pick<Config, 'baseUrl' | 'dataDir' | 'webhooks'>
  readonly log: Pick<Logger, 'error' | 'info'>
  readonly store: Store
  readonly git: GitStore
}

export interface WebhookOptions {
  /** Delays of the retries. @default 10 s, 1 min, 10 min, 1 h */
  readonly retryAfterMs?: readonly number[]
  /** Time limit of a whole exchange. @default 10 s */
  readonly timeoutMs?: number
  /** How often old deliveries are removed, beginning at the start. @default 1 h */
  readonly cleanEveryMs?: number
  readonly lookup?: LookUpName
}

const RETRY_AFTER_MS = [10_000, 60_000, 600_000, 3_600_000]
const TIMEOUT_MS = 10_000
/** Attempts that ended without a result: a fault, or a process that ended. */
const MAX_LOST_ATTEMPTS = 5
/** Longer than an attempt takes: after this time, its process has ended. */
const LEASE_MS = 60_000
/** Pushes and builds of any process are noticed this soon. The query reads one row of an index. */
const LOOK_EVERY_MS = 1_000
const CLEAN_EVERY_MS = 3_600_000
/** A payload may have 256 KB, so a busy repository must not fill the database within the retention period. */
const KEPT_PER_WEBHOOK = 1_000

const MAX_AT_ONCE = 16
/** More repositories give an owner no more than this. */
const MAX_PER_OWNER = 4
/** A receiver that does not answer must leave room for the others. */
const MAX_PER_RECEIVER = 4

/** Starts sending. The returned object stops it; interrupted deliveries are sent after the next start. */
export function openWebhooks(deps: WebhookDeps, options: WebhookOptions = {}): { close(): Promise<void> } {
  const { config, log, store } = deps
  const stop = new AbortController()
  const running = new Map<TakenDelivery, Promise<void>>()
  const lookFaults = createFaultLog(log, 'look for deliveries of webhooks', { component: 'webhooks' })
  let cleanedAt = 0
  let look: Promise<void> = Promise.resolve()
  let isLooking = false

  async function sendDue(): Promise<void> {
    while (!stop.signal.aborted && running.size < MAX_AT_ONCE) {
      const busy = findBusy([...running.keys()])
      const now = Date.now()
      // Reads before it takes: taking writes, and every write invalidates the read cache.
      const dueAt = await store.webhookDeliveries.findNextDue(busy)
      if (dueAt === null || dueAt > now) break
      const delivery = await store.webhookDeliveries.take(busy, { now, until: now + LEASE_MS })
      if (delivery === null) break
      const sending = send(delivery)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) log.error({ err: error, component: 'webhooks' }, 'send a webhook')
        })
        .finally(() => {
          running.delete(delivery)
          startLook()
        })
      running.set(delivery, sending)
    }
    if (Date.now() - cleanedAt < (options.cleanEveryMs ?? CLEAN_EVERY_MS)) return
    cleanedAt = Date.now()
    const before = (await store.retentionClock.now()) - config.webhooks.keepForMs
    await store.webhookDeliveries.removeOld({ before, keptPerWebhook: KEPT_PER_WEBHOOK })
  }

  async function send(delivery: TakenDelivery): Promise<void> {
    const { webhookDeliveries } = store
    const delays = options.retryAfterMs ?? RETRY_AFTER_MS
    if (delivery.attemptCount > delays.length + MAX_LOST_ATTEMPTS)
      return webhookDeliveries.drop(delivery.id, 'Internal error: the delivery could not be sent. See the server log.')
    const prepared = await prepare(delivery, deps)
    if (prepared.kind === 'refused') return webhookDeliveries.drop(delivery.id, prepared.problem)
    const { webhook, payload, secret } = prepared
    try {
      const attempt = await sendRequest(
        {
          url: new URL(webhook.url),
          body: payload,
          headers: {
            'content-type': 'application/json',
            accept: '*/*',
            'user-agent': `Texproof/${readVersion()}`,
            'x-texproof-event': delivery.event,
            'x-texproof-delivery': delivery.guid,
            'x-texproof-hook-id': String(webhook.id),
            'x-texproof-signature-256': signPayload(payload, secret),
          },
        },
        {
          isPrivateAllowed: config.webhooks.isPrivateAllowed,
          timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
          signal: stop.signal,
          lookup: options.lookup,
        },
      )
      const afterMs = delays[delivery.attemptCount - 1]
      const retryAt = attempt.problem === null || afterMs === undefined ? null : Date.now() + afterMs
      await webhookDeliveries.recordAttempt(delivery.id, attempt, { retryAt })
    } catch (error) {
      await webhookDeliveries.release(delivery.id)
      throw error
    }
  }

  /** One look at a time. */
  function startLook(): void {
    if (isLooking || stop.signal.aborted) return
    isLooking = true
    look = sendDue()
      .then(lookFaults.succeed, lookFaults.fail)
      .finally(() => {
        isLooking = false
      })
  }

  const timer = setInterval(startLook, LOOK_EVERY_MS).unref()
  startLook()
  return {
    async close() {
      stop.abort()
      clearInterval(timer)
      await look
      await Promise.all(running.values())
    },
  }
}

/** Owners, webhooks and receivers that have enough deliveries in progress. */
function findBusy(deliveries: readonly TakenDelivery[]): BusyDeliveries {
  const owners = deliveries.flatMap(({ ownerId }) => (ownerId === null ? [] : [ownerId]))
  return {
    ownerIds: listFrequent(owners, MAX_PER_OWNER),
    // One at a time: a receiver that does not answer must not delay the other webhooks of its repository.
    webhookIds: deliveries.map(({ webhookId }) => webhookId),
    receivers: listFrequent(
      deliveries.map(({ receiver }) => receiver),
      MAX_PER_RECEIVER,
    ),
  }
}

/** The values that occur at least `count` times, once each. */
function listFrequent<Value>(values: readonly Value[], count: number): readonly Value[] {
  return [...new Set(values)].filter((value) => values.filter((each) => each === value).length >= count)
}

type Prepared =
  | { readonly kind: 'ready'; readonly webhook: Webhook; readonly payload: string; readonly secret: string }
  | { readonly kind: 'refused'; readonly problem: string }

/** Makes the payload, which every further attempt sends again. */
async function prepare(delivery: TakenDelivery, { config, git, store }: WebhookDeps): Promise<Prepared> {
  const { event, subject, repositoryId } = delivery
  const [webhook, repository] = await Promise.all([
    store.webhooks.find(delivery.webhookId),
    store.repositories.findById(repositoryId),
  ])
  if (webhook === null || repository === null) return refuse('The repository was deleted.')
  if (repository.isDisabled) return refuse('The repository is disabled.')
  if (!webhook.isActive && event !== 'ping') return refuse('The webhook is not active.')
  const secret = await unsealSecret(webhook.sealedSecret, { dataDir: config.dataDir, repositoryId })
  if (secret === null) return refuse('The secret cannot be read. Enter it again.')
  if (delivery.payload !== null) return { kind: 'ready', webhook, secret, payload: delivery.payload }
  const payload = await makePayload({ webhook, repository, event, subject }, { config, git, store })
  if (payload === null) return refuse('The build was deleted.')
  await store.webhookDeliveries.setPayload(delivery.id, payload)
  return { kind: 'ready', webhook, secret, payload }
}

function refuse(problem: string): Prepared {
  return { kind: 'refused', problem }
}
