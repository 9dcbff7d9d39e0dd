import { html } from 'hono/html'

import type { Html } from './html.ts'

/** The current page, the number of items, and the address of a page. */
export interface PageLinks {
  /** 1 = the first. */
  readonly page: number
  readonly perPage: number
  readonly total: number
  readonly href: (page: number) => string
}

/** Links to the previous and the next page; empty if there is only one. */
export function pageLinks({ page, perPage, total, href }: PageLinks): Html | '' {
  if (total <= perPage && page === 1) return ''
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  return html`<nav class="pages" aria-label="Pages">
    ${page > 1 ? html`<a href="${href(Math.min(page - 1, lastPage))}" rel="prev">Previous</a>` : ''}
    <span class="quiet">${page > lastPage ? `The last page is ${lastPage}` : `Page ${page} of ${lastPage}`}</span>
    ${page < lastPage ? html`<a href="${href(page + 1)}" rel="next">Next</a>` : ''}
  </nav>`
}

/** The page of an address; the first one for invalid values. */
export function readPage(text: string | undefined): number {
  return Math.min(100_000, Math.max(1, Number.parseInt(text ?? '', 10) || 1))
}
