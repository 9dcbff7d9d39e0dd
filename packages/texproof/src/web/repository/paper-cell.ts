import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import { pdfPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../ui/html.ts'
import { papersStatus, statusDot } from '../ui/document/document-status.ts'
import { keepCounts } from '../ui/format/keep-counts.ts'

/** Link to the PDF of a branch or tag: status dot, word and length. */
export function paperCell(paper: Paper | null, repository: Repository, refName: string): Html {
  const href = pdfPath(repository, refName, null)
  if (paper === null) return html`<a class="quiet" href="${href}">PDF</a>`
  const status = papersStatus(paper)
  return html`${statusDot(status, html`<a href="${href}">${status.text}</a>`)}
    <span class="quiet">${describeLength(paper)}</span>`
}

function describeLength({ documents, shown }: Paper): string {
  if (documents.length > 1) return keepCounts(countOf(documents.length, 'document'))
  const pages = shown?.build.pageCount ?? null
  return pages === null ? '' : keepCounts(countOf(pages, 'page'))
}
