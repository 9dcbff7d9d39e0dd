/** `/{owner}/{repo}/settings/webhooks/{id}/deliveries/{delivery}`: the last request of a delivery and its response. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { parseId } from '../../domain/parse-id.ts'
import type { Deps } from '../../operations/deps.ts'
import type { WebhookDelivery } from '../../store/webhooks/webhook-deliveries.ts'
import { NotFound } from '../session/errors.ts'
import { formToken } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { backLink } from '../ui/back-link.ts'
import { breakable } from '../ui/breakable.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import type { Html } from '../ui/html.ts'
import { deliveryState } from './delivery-table.ts'
import { queueByHand, requireWebhook } from './webhook.ts'

const REFRESH_AFTER_S = 2
/** A delivery that failed is retried later; its page does not change meanwhile. */
const isBeingSent = ({ state, sentAt }: WebhookDelivery): boolean => state === 'queued' && sentAt === null

/** The page. */
export async function showDelivery(c: Context, deps: Deps): Promise<Response> {
  const { repository, webhook, path } = await requireWebhook(c, deps)
  const delivery = await findDelivery(c, deps, webhook.id)
  const { id, guid, event, createdAt, problem, durationMs, requestHeaders, payload } = delivery
  const main = html`${repositoryHeader(c, repository, 'settings')} ${backLink({ href: path, label: 'Webhook' })}
    <section class="delivery">
      <h1>Delivery of ${event}</h1>
      <p>${deliveryState(delivery)}${durationMs === null ? '' : `, ${durationMs} ms`}, created ${timeAgo(createdAt)}</p>
      ${problem === null ? '' : html`<p>${problem}</p>`}
      <p class="quiet">Event <code>${event}</code>, id <code>${guid}</code></p>
      <form method="post" action="${path}/deliveries/${id}/redeliver">
        ${formToken(c)}
        <p><button class="button">Redeliver</button></p>
      </form>
      <h2>Request</h2>
      ${
        requestHeaders === null
          ? html`<p class="quiet">Not sent yet.</p>`
          : html`<p><code>POST ${breakable(webhook.url)}</code></p>
              ${block('Request headers', requestHeaders)}`
      }
      ${payload === null ? '' : block('Payload', indent(payload))}
      <h2>Response</h2>
      ${response(delivery)}
    </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, {
    title: `Delivery of ${event} · ${repository.owner.login}/${repository.name}`,
    main,
    refreshAfter: isBeingSent(delivery) ? REFRESH_AFTER_S : undefined,
  })
}

/** Queues the same payload again and shows the new delivery. */
export async function postRedelivery(c: Context, deps: Deps): Promise<Response> {
  const managed = await requireWebhook(c, deps)
  const { webhook } = managed
  const { id } = await findDelivery(c, deps, webhook.id)
  return queueByHand(c, deps, { managed, queue: () => deps.store.webhookDeliveries.addAgain(webhook, id) })
}

async function findDelivery(c: Context, { store }: Deps, webhookId: number): Promise<WebhookDelivery> {
  const id = parseId(c.req.param('delivery'))
  const delivery = id === null ? null : await store.webhookDeliveries.find(id)
  if (delivery === null || delivery.webhookId !== webhookId) throw new NotFound()
  return delivery
}

function response({ responseStatus, responseHeaders, responseBody }: WebhookDelivery): Html {
  if (responseStatus === null) return html`<p class="quiet">No response.</p>`
  return html`<p>Status ${responseStatus}</p>
    ${block('Response headers', responseHeaders ?? '')} ${block('Response body', responseBody ?? '')}`
}

function block(label: string, text: string): Html {
  return html`<h3>${label}</h3>
    <pre class="scroll" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`
}

/** The payload is stored as it was sent, on one line. */
function indent(payload: string): string {
  return JSON.stringify(JSON.parse(payload), null, 2)
}
