/** `/{owner}/{repo}/settings/webhooks/{id}`: one webhook, with its deliveries. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import { changeWebhook } from '../../operations/repository/change-webhooks.ts'
import { MAX_WAITING } from '../../store/webhooks/queue-webhook-events.ts'
import type { Webhook } from '../../store/webhooks/webhooks.ts'
import { NotFound } from '../session/errors.ts'
import { formToken } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import type { ActorOnRepository } from '../shell/repository/require-permission.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { isRefused, noProblems } from '../ui/form/form-problems.ts'
import { backLink } from '../ui/back-link.ts'
import { pageLinks, readPage } from '../ui/page-links.ts'
import { deliveryTable } from './delivery-table.ts'
import { problemsOf, readWebhookForm, storedValues, webhookForm, type WebhookFormView } from './webhook-form.ts'
import { redirectWithNotice } from '../session/notice.ts'

const PER_PAGE = 30

/** A webhook, and who manages it. */
export interface ManagedWebhook extends ActorOnRepository {
  readonly webhook: Webhook
  /** Path of its page. */
  readonly path: string
}

/** The page. */
export async function showWebhook(c: Context, deps: Deps): Promise<Response> {
  const managed = await requireWebhook(c, deps)
  return sendWebhook(c, deps, { managed, values: storedValues(managed.webhook), problems: noProblems })
}

/** Saves the form. */
export async function postWebhook(c: Context, deps: Deps): Promise<Response> {
  const managed = await requireWebhook(c, deps)
  const form = readWebhookForm(c)
  const outcome = await changeWebhook(deps, form, managed.webhook)
  if (outcome.kind === 'refused') return sendWebhook(c, deps, { managed, values: form, problems: problemsOf(outcome) })
  return redirectWithNotice(c, managed.path, 'webhook-saved')
}

/** Queues a `ping`. */
export async function postTestWebhook(c: Context, deps: Deps): Promise<Response> {
  const managed = await requireWebhook(c, deps)
  const { webhook, actor, path } = managed
  const deliveryId = await deps.store.webhookDeliveries.addPing(webhook, { userId: actor.id })
  return deliveryId === 'full' ? sendFull(c, deps, managed) : c.redirect(`${path}/deliveries/${deliveryId}`, 303)
}

/** The page, after a test or redelivery that was refused because too many deliveries wait. */
export function sendFull(c: Context, deps: Deps, managed: ManagedWebhook): Promise<Response> {
  const problem = `Not sent: ${MAX_WAITING} deliveries of this webhook are waiting. Try again when the receiver has answered some.`
  return sendWebhook(c, deps, { managed, values: storedValues(managed.webhook), problems: { form: problem } })
}

/** Deletes a webhook with its log. */
export async function postDeleteWebhook(c: Context, deps: Deps): Promise<Response> {
  const { webhook, repository } = await requireWebhook(c, deps)
  await deps.store.webhooks.remove(webhook.id)
  return redirectWithNotice(c, `${repositoryPath(repository)}/settings/webhooks`, 'webhook-deleted')
}

/**
 * The webhook of an address, for administrators of its repository.
 *
 * @throws SignInNeeded, NotFound.
 */
export async function requireWebhook(c: Context, deps: Deps): Promise<ManagedWebhook> {
  const found = await requireAdministered(c, deps)
  const id = readId(c.req.param('id'))
  const webhook = id === null ? null : await deps.store.webhooks.find(id)
  if (webhook === null || webhook.repositoryId !== found.repository.id) throw new NotFound()
  return { ...found, webhook, path: `${repositoryPath(found.repository)}/settings/webhooks/${webhook.id}` }
}

/** An id of an address; null if it is not one. */
export function readId(text: string | undefined): number | null {
  // Ids are 32-bit integers in PostgreSQL.
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

async function sendWebhook(
  c: Context,
  { store }: Deps,
  { managed, ...form }: Pick<WebhookFormView, 'values' | 'problems'> & { readonly managed: ManagedWebhook },
): Promise<Response> {
  const { repository, webhook, path } = managed
  const page = readPage(c.req.query('page'))
  const [deliveries, total] = await Promise.all([
    store.webhookDeliveries.list(webhook.id, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
    store.webhookDeliveries.count(webhook.id),
  ])
  const main = html`${repositoryHeader(c, repository, 'settings')}
    ${backLink({ href: `${repositoryPath(repository)}/settings/webhooks`, label: 'Webhooks' })}
    <section class="settings-form">
      <h1>Edit webhook</h1>
      ${webhookForm(c, { action: path, label: 'Save webhook', hasSecret: true, ...form })}
      <form method="post" action="${path}/test">
        ${formToken(c)}
        <p class="actions">
          <button class="drawn-button">Send test</button>
          <button class="drawn-button" formaction="${path}/delete">Delete webhook</button>
        </p>
      </form>
    </section>
    <section>
      <h2>Deliveries</h2>
      ${deliveries.length === 0 ? html`<p class="quiet">No deliveries.</p>` : deliveryTable(deliveries, path)}
      ${pageLinks({ page, perPage: PER_PAGE, total, href: (at) => `${path}?page=${at}` })}
    </section>`
  c.header('cache-control', 'no-store')
  const title = `Edit webhook · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(form.problems) ? 422 : 200 })
}
