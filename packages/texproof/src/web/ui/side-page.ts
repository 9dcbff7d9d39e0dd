import { html } from 'hono/html'

import { backLink } from './back-link.ts'
import type { BackLink } from './back-link.ts'
import type { Html } from './html.ts'

interface SidePage<Tab extends string> {
  /** Name of the menu. */
  readonly label: string
  /** Common address prefix, without a trailing slash. */
  readonly base: string
  readonly pages: readonly (readonly [id: Tab, label: string])[]
  /** The current page. */
  readonly tab: Tab
  readonly title: string
  /** Link to the parent page, for a page that is not in the menu. */
  readonly back?: BackLink | undefined
  readonly main: Html
}

/** A page of a group: the menu on the left, the page on the right. */
export function sidePage<Tab extends string>({ label, base, pages, tab, title, back, main }: SidePage<Tab>): Html {
  return html`<div class="settings">
    <nav class="side" aria-label="${label}">
      <ul>
        ${pages.map(([id, name]) => html`<li><a href="${base}/${id}" ${id === tab ? html`aria-current="page"` : ''}>${name}</a></li>`)}
      </ul>
    </nav>
    <section>
      ${back === undefined ? '' : backLink(back)}
      <h1>${title}</h1>
      ${main}
    </section>
  </div>`
}
