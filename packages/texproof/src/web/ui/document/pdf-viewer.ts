import { html } from 'hono/html'

import type { Html } from '../html.ts'
import { icon, type IconName } from '../icon.ts'
import { pdfAssets } from '../../assets/pdf-assets.ts'

export interface ViewedPdf {
  /** Address of the bytes. */
  readonly fileHref: string
  /** SHA-256 of the bytes: tells whether another PDF is shown now. */
  readonly pdfId: string
  readonly pageCount: number | null
  /** What it is called, for who cannot see it. */
  readonly label: string
  /** Where a place on a page is turned into a line of the source; null where the source is nobody's business. */
  readonly synctexHref: string | null
  /** Picture of the first page, shown until pages are drawn; null without one. */
  readonly pictureHref: ((page: number) => string) | null
}

/** Pictures of pages shown to who has neither script nor a browser that shows PDFs. */
const MAX_PICTURES = 20

/** What the page around the viewer puts into it. */
export interface ViewerSlots {
  /** At the start of the toolbar: what is shown. */
  readonly start?: Html | ''
  /** At the end of the toolbar: what can be done with it. */
  readonly end?: Html | ''
  /** Beside the pages, or over them on a narrow screen; opened and closed by the part `panel` of the toolbar. */
  readonly aside?: Html | ''
}

/** A toolbar and the pages: drawn by script; pictures of pages, or the browser's own viewer, without. */
export function pdfViewer(pdf: ViewedPdf, { start = '', end = '', aside = '' }: ViewerSlots = {}): Html {
  return html`<section
      class="viewer"
      aria-label="${pdf.label}"
      data-viewer
      data-library="${pdfAssets.library}"
      data-components="${pdfAssets.viewer}"
      data-worker="${pdfAssets.worker}"
      data-cmaps="${pdfAssets.cmaps}"
      data-fonts="${pdfAssets.fonts}"
      data-colours="${pdfAssets.colours}"
      data-wasm="${pdfAssets.wasm}"
      data-file="${pdf.fileHref}"
      data-pdf-id="${pdf.pdfId}"
      ${pdf.synctexHref === null ? '' : html`data-synctex="${pdf.synctexHref}"`}
    >
      <div class="viewer-bar">${start} ${viewerTools(pdf)} ${end}</div>
      <p class="notice viewer-failure" data-part="failure" hidden>
        The PDF cannot be displayed here. <a href="${pdf.fileHref}">Open the PDF</a>
      </p>
      <div class="viewer-body">
        <div class="viewer-frame">
          ${
            pdf.pictureHref === null
              ? ''
              : html`<img class="first-page" src="${pdf.pictureHref(1)}" alt="First page of ${pdf.label}" />`
          }
          <div class="viewer-pages" data-part="pages" tabindex="0" role="document" aria-label="Pages">
            <div class="pdfViewer"></div>
          </div>
          <output class="word" data-part="word"></output>
        </div>
        <noscript>${withoutScript(pdf)}</noscript>
        ${aside}
      </div>
    </section>
    <p class="print-only">To print this paper, open the PDF: ${pdf.fileHref}</p>`
}

/** Page, zoom and search: what only script can do, shown once the PDF is open. */
function viewerTools({ pageCount }: ViewedPdf): Html {
  const button = (part: string, name: IconName, label: string, key = ''): Html =>
    html`<button
      type="button"
      data-part="${part}"
      aria-label="${label}"
      title="${label}"
      ${key === '' ? '' : html`data-key="${key}"`}
    >
      ${icon(name)}
    </button>`
  return html`<div class="viewer-tools" data-part="bar" role="toolbar" aria-label="PDF" hidden>
    <span class="group">
      ${button('previous', 'chevron-left', 'Previous page', 'ArrowLeft')}
      <input data-part="page" type="number" min="1" value="1" inputmode="numeric" aria-label="Page number" />
      <span class="page-count"
        ><span aria-hidden="true">/</span><span class="visually-hidden">of</span>
        <span data-part="count">${pageCount ?? ''}</span></span
      >
      ${button('next', 'chevron-right', 'Next page', 'ArrowRight')}
    </span>
    <span class="group zoom-group">
      ${button('smaller', 'minus', 'Zoom out', '-')}
      <select data-part="zoom" aria-label="Zoom">
        <option hidden></option>
        <option value="auto">Fit</option>
        <option value="page-width">Fit width</option>
        <option value="page-fit">Fit page</option>
        ${['0.5', '0.75', '1', '1.25', '1.5', '2', '3'].map((scale) => html`<option value="${scale}">${Math.round(Number(scale) * 100)} %</option>`)}
      </select>
      ${button('larger', 'plus', 'Zoom in', '+')}
    </span>
    <span class="find-group">
      <button
        type="button"
        class="find-open"
        data-part="find-open"
        aria-label="Find"
        title="Find"
        aria-expanded="false"
      >
        ${icon('search')}
      </button>
      <form class="group" data-part="find" role="search" aria-label="In this PDF">
        <input data-part="find-text" type="search" placeholder="Find" aria-label="Find in this PDF" />
        ${button('find-previous', 'chevron-up', 'Previous match')} ${button('find-next', 'chevron-down', 'Next match')}
        <output data-part="found" aria-live="polite"></output>
      </form>
    </span>
    ${button('dim', 'contrast', 'Dim pages')}
  </div>`
}

/** Pictures show everywhere; a browser's own viewer does not, on phones least of all. */
function withoutScript({ fileHref, label, pageCount, pictureHref }: ViewedPdf): Html {
  if (pictureHref === null)
    return html`<object
      class="pdf"
      data="${fileHref}#view=FitH&amp;navpanes=0"
      type="application/pdf"
      aria-label="${label}"
    >
      <p>This browser cannot display a PDF in a page. <a href="${fileHref}">Open the PDF</a></p>
    </object>`
  const count = Math.min(pageCount ?? 1, MAX_PICTURES)
  const pages = Array.from({ length: count }, (_, at) => at + 1)
  return html`<ol class="page-pictures">
      ${pages.map((page) => html`<li id="page=${page}"><img src="${pictureHref(page)}" ${page > 1 ? html`loading="lazy"` : ''} width="1240" height="1754" alt="Page ${page} of ${label}" /></li>`)}
    </ol>
    <p>
      ${count < (pageCount ?? 1) ? `${(pageCount ?? 1) - count} more pages are in the PDF. ` : ''}<a href="${fileHref}"
        >Open the PDF</a
      >
    </p>`
}
