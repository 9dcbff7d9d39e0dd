import { html } from 'hono/html'

import type { CallParameter, ExampleCall, RenderedEndpoint } from '../../compat/render-endpoints.ts'
import type { Html } from '../ui/html.ts'

/** A form that sends an API call and shows the response. Hidden without script: the curl command does the same. */
export function tryForm(
  { path, parameters }: RenderedEndpoint,
  { id, example }: { readonly id: string; readonly example: ExampleCall },
): Html {
  return html`<details class="try" data-needs-script hidden>
    <summary>Try it</summary>
    <form data-try="${path}">
      ${parameters.length === 0 ? '' : html`<p class="try-fields">${parameters.map((each) => field(each, { id, example }))}</p>`}
      <p><button class="drawn-button">Send</button></p>
    </form>
    <div class="try-head" role="status"></div>
    <div class="try-body"></div>
  </details>`
}

function field(
  { name, place, values }: CallParameter,
  { id, example }: { readonly id: string; readonly example: ExampleCall },
): Html {
  const attributes = html`id="${id}-${name}" name="${name}" data-place="${place}"`
  const input =
    values === null
      ? html`<input
          type="text"
          ${attributes}
          value="${place === 'path' ? exampleOf(name, example) : ''}"
          ${place === 'path' ? html`required` : ''}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
        />`
      : html`<select ${attributes}>
          <option value="">not sent</option>
          ${values.map((value) => html`<option>${value}</option>`)}
        </select>`
  return html`<span class="field"><label for="${id}-${name}">${name}</label> ${input}</span>`
}

function exampleOf(name: string, { username, owner, repo, branch }: ExampleCall): string {
  return (
    new Map([
      ['username', username],
      ['owner', owner],
      ['repo', repo],
      ['branch', branch],
    ]).get(name) ?? ''
  )
}
