/**
 * The PDFs of two refs side by side. A script compares their words and marks what changed; without script, the page shows
 * images of the pages. Nothing is compiled, so there is a comparison whenever there are two PDFs.
 */
import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import { pdfFilePath, pdfPath, picturePath } from '../../../domain/page-urls.ts'
import { pictureWidths } from '../../../papers/cache/page-image-store.ts'
import type { Paper } from '../../../papers/types.ts'
import { findRefPaper } from '../../shell/repository/find-ref-paper.ts'
import type { ViewedRepository } from '../../shell/repository/find-viewed-repository.ts'
import type { ResolvedRef } from '../../shell/repository/resolve-ref.ts'
import { pdfLibraryAttributes } from '../../ui/document/pdf-viewer.ts'
import type { Html } from '../../ui/html.ts'

/** Pages of each PDF that are shown without script. */
const MAX_PICTURES = 20

interface Ends {
  readonly repository: ViewedRepository
  readonly base: ResolvedRef
  readonly head: ResolvedRef
  /** Name of the document; null = the first one of `head`. */
  readonly document: string | null
  /** Address of the page, without a query. */
  readonly path: string
}

/** A PDF that a ref shows. */
interface ShownPdf {
  readonly refName: string
  readonly pdfId: string
  readonly pageCount: number
  readonly fileHref: string
  readonly pictureHref: (page: number) => string
}

/** The comparison, or why there is none. */
export async function pageComparison(deps: Deps, ends: Ends): Promise<Html> {
  const { repository, base, head } = ends
  const paper = await findRefPaper(deps, repository.id, { ref: head, document: ends.document })
  const document = ends.document ?? paper?.document ?? null
  const former = await findRefPaper(deps, repository.id, { ref: base, document })
  const [old, young] = [findShown(former, ends, base), findShown(paper, ends, head)]
  const choice = paper === null || paper.documents.length < 2 ? '' : documentLinks(paper, ends.path)
  if (old === null || young === null)
    return html`${choice} ${old === null ? noPdf(ends, base) : ''} ${young === null ? noPdf(ends, head) : ''}`
  if (old.pdfId === young.pdfId)
    return html`${choice}
      <p class="quiet">Both have the same PDF.</p>`
  return html`${choice} ${comparedPages(old, young)}`
}

function findShown(paper: Paper | null, { repository }: Ends, { name }: ResolvedRef): ShownPdf | null {
  const build = paper?.shown?.build ?? null
  if (paper === null || build === null || build.pdfId === null) return null
  const document = paper.documents.length > 1 ? paper.document : null
  const { pdfId } = build
  return {
    refName: name,
    pdfId,
    pageCount: build.pageCount ?? 1,
    fileHref: pdfFilePath(repository, name, document),
    pictureHref: (page) => picturePath(repository, name, { document, page, widthPx: pictureWidths[1], pdfId }),
  }
}

function documentLinks({ documents, document }: Paper, path: string): Html {
  return html`<nav class="tabs" aria-label="Documents">
    ${documents.map(({ document: name }) => html`<a href="${path}?view=pages&doc=${encodeURIComponent(name)}" ${name === document ? html`aria-current="page"` : ''}>${name}</a>`)}
  </nav>`
}

function noPdf({ repository, document }: Ends, { name }: ResolvedRef): Html {
  return html`<p class="notice">
    There is no PDF of <a href="${pdfPath(repository, name, document)}"><bdi>${name}</bdi></a
    >${document === null ? '' : ` with the name ${document}`}.
  </p>`
}

function comparedPages(old: ShownPdf, young: ShownPdf): Html {
  return html`<section
    class="page-comparison"
    aria-label="Compared pages"
    data-comparison
    ${pdfLibraryAttributes()}
    data-old="${old.fileHref}"
    data-new="${young.fileHref}"
  >
    <div class="bar">
      <p data-part="status" role="status" hidden>Reading the pages…</p>
      <span class="actions" data-part="tools" hidden>
        <button type="button" class="plain-button" data-part="previous" data-key="[">Previous change</button>
        <button type="button" class="plain-button" data-part="next" data-key="]">Next change</button>
        <label><input type="checkbox" data-part="all" /> All pages</label>
      </span>
    </div>
    <p class="notice" data-part="failure" hidden>
      The PDFs cannot be compared here. Open <a href="${old.fileHref}">${old.refName}</a> or
      <a href="${young.fileHref}">${young.refName}</a>.
    </p>
    <details data-part="summary" hidden>
      <summary>List of changes</summary>
      <ol class="page-changes" data-part="changes"></ol>
    </details>
    <div class="page-pair-heads">
      <p><bdi>${old.refName}</bdi></p>
      <p><bdi>${young.refName}</bdi></p>
    </div>
    <ol class="page-pairs" data-part="pairs"></ol>
    <noscript>${pagePictures(old, young)}</noscript>
  </section>`
}

function pagePictures(old: ShownPdf, young: ShownPdf): Html {
  const count = Math.min(Math.max(old.pageCount, young.pageCount), MAX_PICTURES)
  const pages = Array.from({ length: count }, (_, at) => at + 1)
  const picture = (pdf: ShownPdf, page: number): Html | '' =>
    page > pdf.pageCount
      ? ''
      : html`<img
          src="${pdf.pictureHref(page)}"
          loading="lazy"
          width="1240"
          height="1754"
          alt="Page ${page} of ${pdf.refName}"
        />`
  return html`<ol class="page-pairs">
      ${pages.map(
        (page) =>
          html`<li>
            <h2>Page ${page}</h2>
            <div class="page-pair">
              <div>${picture(old, page)}</div>
              <div>${picture(young, page)}</div>
            </div>
          </li>`,
      )}
    </ol>
    <p>
      Open <a href="${old.fileHref}">the PDF of ${old.refName}</a> or
      <a href="${young.fileHref}">of ${young.refName}</a>.
    </p>`
}
