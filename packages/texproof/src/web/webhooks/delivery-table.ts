import { html } from 'hono/html'

import type { DeliverySummary } from '../../store/webhooks/webhook-deliveries.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import type { Html } from '../ui/html.ts'

/** Status of a delivery in words, with the status of the response. */
export function deliveryState({ state, responseStatus, attemptCount, problem }: DeliverySummary): Html {
  const status = responseStatus === null ? '' : `, ${responseStatus}`
  switch (state) {
    case 'delivered':
      return html`✓ delivered${status}`
    case 'failed':
      return html`✕ failed${status}`
    case 'queued':
      return problem === null ? html`◌ queued` : html`◌ retrying${status}, after attempt ${attemptCount} of 5`
  }
}

/** The deliveries of a webhook, newest first. */
export function deliveryTable(deliveries: readonly DeliverySummary[], path: string): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Deliveries">
    <table class="settings-table">
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Status</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(
          (delivery) =>
            html`<tr>
              <th scope="row"><a href="${path}/deliveries/${delivery.id}">${delivery.event}</a></th>
              <td>
                ${deliveryState(delivery)}
                ${delivery.problem === null ? '' : html`<br /><span class="quiet">${delivery.problem}</span>`}
              </td>
              <td>${timeAgo(delivery.createdAt)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
