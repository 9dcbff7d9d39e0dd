import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'

/** Where lines of this file came out in the PDF: a form, so that it needs no script and no link a line. */
export function showInPdf(repository: Repository, refName: string, path: string): Html {
  return html`<form class="show-in-pdf" action="${repositoryPath(repository)}/synctex/${encodePath(refName)}">
    <input type="hidden" name="path" value="${path}" />
    <label>Line <input name="line" type="number" min="1" value="1" inputmode="numeric" data-line-of-hash /></label>
    <button class="plain-button">${icon('book-open')} Show in PDF</button>
  </form>`
}
