import type { Config } from '../../config/read-config.ts'
import type { Store } from '../../store/store.ts'
import { webhookEvents, type Webhook, type WebhookEvent } from '../../store/webhooks/webhooks.ts'
import { sealSecret } from '../../webhooks/webhook-secret.ts'

/** Dependencies of changes to webhooks. */
export interface WebhookStores {
  readonly config: Pick<Config, 'dataDir'>
  readonly store: Pick<Store, 'webhooks' | 'webhookDeliveries' | 'repositories' | 'events'>
}

/** The values of a webhook as typed. */
export interface WebhookForm {
  readonly url: string
  /** Empty = the stored one. */
  readonly secret: string
  readonly events: readonly string[]
  readonly isActive: boolean
}

/** A webhook, and the user who changes it. */
interface WebhookChangeBy {
  readonly webhook: Webhook
  readonly userId: string
}

/** A field that was refused, and why, for the user. */
export interface WebhookRefusal {
  readonly kind: 'refused'
  readonly field: 'url' | 'secret' | 'events'
  readonly problem: string
}

const MAX_URL_LENGTH = 1_000
const MAX_SECRET_LENGTH = 200

/** Creates a webhook and sends it a `ping`. */
export async function createWebhook(
  stores: WebhookStores,
  form: WebhookForm,
  { repositoryId, userId }: { readonly repositoryId: number; readonly userId: string },
): Promise<{ readonly kind: 'saved'; readonly webhook: Webhook } | WebhookRefusal> {
  const { config, store } = stores
  const checked = checkForm(form)
  if (checked.kind === 'refused') return checked
  if (form.secret === '')
    return refuse('secret', 'Enter a secret. Receivers use it to verify the signature of deliveries.')
  const { url, events } = checked
  const sealedSecret = await sealSecret(form.secret, { dataDir: config.dataDir, repositoryId })
  const webhook = await store.webhooks.add({ repositoryId, url, events, sealedSecret, isActive: form.isActive })
  if (webhook === null) return refuse('url', 'This repository has reached the limit of 20 webhooks. Delete one first.')
  await record(stores, { kind: 'webhook-added', webhook, userId })
  await store.webhookDeliveries.addPing(webhook, { userId })
  return { kind: 'saved', webhook }
}

/** Changes a webhook; with an empty secret, it keeps the old one. */
export async function changeWebhook(
  stores: WebhookStores,
  form: WebhookForm,
  { webhook, userId }: WebhookChangeBy,
): Promise<{ readonly kind: 'saved' } | WebhookRefusal> {
  const { config, store } = stores
  const checked = checkForm(form)
  if (checked.kind === 'refused') return checked
  const { url, events } = checked
  const place = { dataDir: config.dataDir, repositoryId: webhook.repositoryId }
  const secret = form.secret === '' ? {} : { sealedSecret: await sealSecret(form.secret, place) }
  await store.webhooks.change(webhook.id, { url, events, isActive: form.isActive, ...secret })
  await record(stores, { kind: 'webhook-changed', webhook: { ...webhook, url }, userId })
  return { kind: 'saved' }
}

/** Deletes a webhook with its log. */
export async function deleteWebhook(stores: WebhookStores, { webhook, userId }: WebhookChangeBy): Promise<void> {
  await stores.store.webhooks.remove(webhook.id)
  await record(stores, { kind: 'webhook-deleted', webhook, userId })
}

/** Webhooks send content of private repositories elsewhere. Their URLs may contain secrets, so only the host is recorded. */
async function record(
  { store }: WebhookStores,
  { kind, webhook, userId }: WebhookChangeBy & { readonly kind: string },
): Promise<void> {
  const repository = await store.repositories.findById(webhook.repositoryId)
  if (repository === null) return
  const { owner, name } = repository
  const detail = `${new URL(webhook.url).host} on ${owner.login}/${name}`
  await store.events.add({ kind, userId: owner.id, actorId: userId, detail })
}

type CheckedForm =
  | { readonly kind: 'good'; readonly url: string; readonly events: readonly WebhookEvent[] }
  | WebhookRefusal

function checkForm({ url: typed, secret, events }: WebhookForm): CheckedForm {
  const url = URL.parse(typed.trim())
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return refuse('url', 'Use a URL that begins with https:// or http://.')
  if (url.username !== '' || url.password !== '')
    return refuse('url', 'Remove the username and the password from the URL. Deliveries are signed instead.')
  url.hash = ''
  if (url.href.length > MAX_URL_LENGTH) return refuse('url', `Use a URL of at most ${MAX_URL_LENGTH} characters.`)
  if (secret.length > MAX_SECRET_LENGTH)
    return refuse('secret', `Use a secret of at most ${MAX_SECRET_LENGTH} characters.`)
  const known = webhookEvents.filter((event) => events.includes(event))
  if (known.length === 0) return refuse('events', 'Choose at least one event.')
  return { kind: 'good', url: url.href, events: known }
}

function refuse(field: WebhookRefusal['field'], problem: string): WebhookRefusal {
  return { kind: 'refused', field, problem }
}
