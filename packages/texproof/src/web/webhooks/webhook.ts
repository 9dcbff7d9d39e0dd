/** `/{owner}/{repo}/settings/webhooks/{id}`: one webhook, with its deliveries. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { ThrottleRule } from '../../base/throttle.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { parseId } from '../../domain/parse-id.ts'
import type { Deps } from '../../operations/deps.ts'
import { changeWebhook, deleteWebhook } from '../../operations/repository/change-webhooks.ts'
import { MAX_WAITING } from '../../store/webhooks/queue-webhook-events.ts'
import type { Webhook } from '../../store/webhooks/webhooks.ts'
import { NotFound } from '../session/errors.ts'
import { formToken } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { sendPage } from '../shell/page.ts'
import type { ActorOnRepository } from '../shell/repository/require-permission.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { noProblems } from '../ui/form/form-problems.ts'
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
  return sendWebhook(c, deps, { managed, values: storedValues(managed.webhook), problems: noProblems, status: 200 })
}

/** Saves the form. */
export async function postWebhook(c: Context, deps: Deps): Promise<Response> {
  const managed = await requireWebhook(c, deps)
  const form = readWebhookForm(c)
  const outcome = await changeWebhook(deps, form, { webhook: managed.webhook, userId: managed.actor.id })
  if (outcome.kind === 'refused') {
    // Pages never contain a secret, and an empty field keeps the old one.
    const lost = form.secret === '' ? {} : { secret: 'The secret was not saved. Enter it again.' }
    const problems = { ...lost, ...problemsOf(outcome) }
    return sendWebhook(c, deps, { managed, values: form, problems, status: 422 })
  }
  return redirectWithNotice(c, managed.path, 'webhook-saved')
}

/** Queues a `ping`. */
export async function postTestWebhook(c: Context, deps: Deps): Promise<Response> {
  const managed = await requireWebhook(c, deps)
  const { webhook, actor } = managed
  return queueByHand(c, deps, {
    managed,
    queue: () => deps.store.webhookDeliveries.addPing(webhook, { userId: actor.id }),
  })
}

/** Each adds a row with its payload to the log, which a fast receiver would not slow down. */
const TESTS_AND_REDELIVERIES: ThrottleRule = { allowed: 60, firstWaitMs: 60_000, longestWaitMs: 10 * 60_000 }

/** Queues a test or redelivery and shows it; the webhook with the reason if it is refused. @throws NotFound */
export async function queueByHand(
  c: Context,
  deps: Deps,
  { managed, queue }: { readonly managed: ManagedWebhook; readonly queue: () => Promise<number | 'full' | null> },
): Promise<Response> {
  const { actor, path, webhook } = managed
  const refuse = (problem: string, status: 422 | 429): Promise<Response> =>
    sendWebhook(c, deps, { managed, values: storedValues(webhook), problems: { form: problem }, status })
  const waitMs = await deps.store.throttles.open('webhook delivery', TESTS_AND_REDELIVERIES).attempt(actor.id)
  if (waitMs > 0) return refuse(retryAfter(c, waitMs), 429)
  const id = await queue()
  if (id === null) throw new NotFound()
  if (id !== 'full') return c.redirect(`${path}/deliveries/${id}`, 303)
  const waiting = `${MAX_WAITING} deliveries of this webhook are waiting`
  return refuse(`Not sent: ${waiting}. Try again when the receiver has answered some.`, 422)
}

/** Deletes a webhook with its log. */
export async function postDeleteWebhook(c: Context, deps: Deps): Promise<Response> {
  const { webhook, repository, actor } = await requireWebhook(c, deps)
  await deleteWebhook(deps, { webhook, userId: actor.id })
  return redirectWithNotice(c, `${repositoryPath(repository)}/settings/webhooks`, 'webhook-deleted')
}

/**
 * The webhook of an address, for administrators of its repository.
 *
 * @throws SignInNeeded, NotFound.
 */
export async function requireWebhook(c: Context, deps: Deps): Promise<ManagedWebhook> {
  const found = await requireAdministered(c, deps)
  const id = parseId(c.req.param('id'))
  const webhook = id === null ? null : await deps.store.webhooks.find(id)
  if (webhook === null || webhook.repositoryId !== found.repository.id) throw new NotFound()
  return { ...found, webhook, path: `${repositoryPath(found.repository)}/settings/webhooks/${webhook.id}` }
}

interface WebhookView extends Pick<WebhookFormView, 'values' | 'problems'> {
  readonly managed: ManagedWebhook
  readonly status: 200 | 422 | 429
}

async function sendWebhook(c: Context, { store }: Deps, { managed, status, ...form }: WebhookView): Promise<Response> {
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
  return sendPage(c, { title, main, status })
}
