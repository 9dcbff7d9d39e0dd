import type { Context } from 'hono'
import { html } from 'hono/html'

import type { WebhookForm, WebhookRefusal } from '../../operations/repository/change-webhooks.ts'
import { webhookEvents, type Webhook, type WebhookEvent } from '../../store/webhooks/webhooks.ts'
import { formToken, readField, readFields } from '../session/form.ts'
import { formField } from '../ui/form/form-field.ts'
import { describedBy, fieldProblem, formProblems, type FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'

const EVENT_LABELS: Readonly<Record<Exclude<WebhookEvent, 'ping'>, string>> = {
  push: 'Push: a branch or tag was updated',
  build: 'Build finished',
  create: 'Branch or tag created',
  delete: 'Branch or tag deleted',
}

/** The form of a webhook: values, and where it goes. */
export interface WebhookFormView {
  readonly action: string
  readonly label: string
  readonly values: Omit<WebhookForm, 'secret'>
  /** Whether a secret is stored, which is never shown. */
  readonly hasSecret: boolean
  readonly problems: FormProblems
}

/** The values of a new webhook. */
export const newWebhook: WebhookFormView['values'] = { url: '', events: ['push', 'build'], isActive: true }

/** The values of a stored webhook. */
export function storedValues({ url, events, isActive }: Webhook): WebhookFormView['values'] {
  return { url, events, isActive }
}

/** The values as typed. */
export function readWebhookForm(c: Context): WebhookForm {
  return {
    url: readField(c, 'url'),
    secret: readField(c, 'secret'),
    events: readFields(c, 'events'),
    isActive: readField(c, 'active') === 'yes',
  }
}

/** A refusal as problems of the form. */
export function problemsOf({ field, problem }: WebhookRefusal): FormProblems {
  return { [field]: problem }
}

/** The fields. */
export function webhookForm(c: Context, { action, label, values, hasSecret, problems }: WebhookFormView): Html {
  return html`<form method="post" action="${action}">
    ${formProblems(problems)} ${formToken(c)}
    ${formField({ name: 'url', label: 'URL', autocomplete: 'off', value: values.url, problems })}
    ${formField({
      name: 'secret',
      label: 'Secret',
      type: 'password',
      autocomplete: 'new-password',
      isOptional: hasSecret,
      problems,
      hint: hasSecret
        ? 'Stored encrypted and never shown. Leave empty to keep it.'
        : 'Signs every delivery. Stored encrypted and never shown.',
    })}
    <fieldset id="events" tabindex="-1" ${describedBy('events', { hasHint: false, problems })}>
      <legend>Events</legend>
      ${fieldProblem('events', problems)}
      ${webhookEvents.map(
        (event) =>
          html`<p>
            <label
              ><input
                type="checkbox"
                name="events"
                value="${event}"
                ${values.events.includes(event) ? html`checked` : ''}
              />
              ${EVENT_LABELS[event]}</label
            >
          </p>`,
      )}
    </fieldset>
    <p>
      <label
        ><input type="checkbox" name="active" value="yes" ${values.isActive ? html`checked` : ''} /> Active: send
        deliveries</label
      >
    </p>
    <p><button class="button">${label}</button></p>
  </form>`
}
