/** `/{owner}/{repo}/settings/webhooks`: the webhooks of a repository, for its administrators. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import { createWebhook } from '../../operations/repository/change-webhooks.ts'
import type { DeliverySummary } from '../../store/webhooks/webhook-deliveries.ts'
import type { Webhook } from '../../store/webhooks/webhooks.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { sendPage } from '../shell/page.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { backLink } from '../ui/back-link.ts'
import { breakable } from '../ui/breakable.ts'
import { isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { deliveryState } from './delivery-table.ts'
import { newWebhook, problemsOf, readWebhookForm, webhookForm, type WebhookFormView } from './webhook-form.ts'

/** The list. */
export async function showWebhooks(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  const webhooks = await deps.store.webhooks.listOfRepository(repository.id)
  const last = await deps.store.webhookDeliveries.listLast(webhooks.map(({ id }) => id))
  const path = `${repositoryPath(repository)}/settings/webhooks`
  const main = html`${repositoryHeader(c, repository, 'settings')}
    ${backLink({ href: `${repositoryPath(repository)}/settings`, label: 'Settings' })}
    <section>
      <h1>Webhooks</h1>
      <p class="prose-line">
        A webhook sends a signed HTTP request to your server when something happens in this repository.
        <a href="/docs/webhooks">Webhook documentation</a>
      </p>
      ${webhooks.length === 0 ? html`<p class="quiet">No webhooks.</p>` : webhookTable(webhooks, { last, path })}
      <p><a class="button" href="${path}/new">Add webhook</a></p>
    </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: `Webhooks · ${repository.owner.login}/${repository.name}`, main })
}

/** `/new`: the form. */
export async function showNewWebhook(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  return sendNewWebhook(c, repository, { values: newWebhook, problems: noProblems })
}

/** Creates a webhook and shows its page, where the first delivery appears. */
export async function postNewWebhook(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireAdministered(c, deps)
  const form = readWebhookForm(c)
  const outcome = await createWebhook(deps, form, { repositoryId: repository.id, userId: actor.id })
  if (outcome.kind === 'refused') return sendNewWebhook(c, repository, { values: form, problems: problemsOf(outcome) })
  const page = `${repositoryPath(repository)}/settings/webhooks/${outcome.webhook.id}`
  return redirectWithNotice(c, page, 'webhook-added')
}

function sendNewWebhook(
  c: Context,
  repository: ViewedRepository,
  { values, problems }: Pick<WebhookFormView, 'values' | 'problems'>,
): Promise<Response> {
  const action = `${repositoryPath(repository)}/settings/webhooks/new`
  const main = html`${repositoryHeader(c, repository, 'settings')}
    ${backLink({ href: `${repositoryPath(repository)}/settings/webhooks`, label: 'Webhooks' })}
    <section class="settings-form">
      <h1>Add webhook</h1>
      ${webhookForm(c, { action, label: 'Add webhook', values, hasSecret: false, problems })}
    </section>`
  c.header('cache-control', 'no-store')
  const title = `Add webhook · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}

function webhookTable(
  webhooks: readonly Webhook[],
  { last, path }: { readonly last: ReadonlyMap<number, DeliverySummary>; readonly path: string },
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Webhooks">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">URL</th>
          <th scope="col">Events</th>
          <th scope="col">Last delivery</th>
        </tr>
      </thead>
      <tbody>
        ${webhooks.map((webhook) => {
          const delivery = last.get(webhook.id)
          return html`<tr>
            <th scope="row">
              <a href="${path}/${webhook.id}">${breakable(webhook.url)}</a>
              ${webhook.isActive ? '' : html`<span class="label">inactive</span>`}
            </th>
            <td data-label="Events">${webhook.events.join(', ')}</td>
            <td data-label="Last delivery">
              ${delivery === undefined ? html`<span class="quiet">none</span>` : deliveryState(delivery)}
            </td>
          </tr>`
        })}
      </tbody>
    </table>
  </div>`
}
