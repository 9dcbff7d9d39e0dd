import { html } from 'hono/html'

import type { Html } from './html.ts'

interface SidePage<Tab extends string> {
  /** What the list of pages is called. */
  readonly label: string
  /** Address above them all, without a slash at its end. */
  readonly base: string
  readonly pages: readonly (readonly [id: Tab, label: string])[]
  /** The page that is shown. */
  readonly tab: Tab
  readonly title: string
  readonly main: Html
}

/** A page among others of its kind: they stand at the left, it at the right. */
export function sidePage<Tab extends string>({ label, base, pages, tab, title, main }: SidePage<Tab>): Html {
  return html`<div class="settings">
    <nav class="side" aria-label="${label}">
      <ul>
        ${pages.map(([id, name]) => html`<li><a href="${base}/${id}" ${id === tab ? html`aria-current="page"` : ''}>${name}</a></li>`)}
      </ul>
    </nav>
    <section>
      <h1>${title}</h1>
      ${main}
    </section>
  </div>`
}
