import { html } from 'hono/html'

import type { Html } from '../ui/html.ts'

/** Filters a list by name. Sent by GET, so the filtered list has an address. */
export function nameFilter({
  action,
  label,
  text,
}: {
  readonly action: string
  readonly label: string
  readonly text: string
}): Html {
  return html`<form class="filter" action="${action}" role="search" aria-label="Filter">
    <p>
      <label for="filter">${label}</label>
      <input id="filter" name="q" type="search" value="${text}" />
    </p>
    <p><button class="drawn-button">Filter</button></p>
  </form>`
}
