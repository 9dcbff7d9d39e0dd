import { html } from 'hono/html'

import type { Html } from '../html.ts'
import { icon, type IconName } from '../icon.ts'
import { pdfAssets } from '../../assets/pdf-assets.ts'

export interface ViewedPdf {
  /** Whether there is no PDF yet: the viewer is hidden until a script shows one. */
  readonly isEmpty?: boolean
  /** Address of the bytes. */
  readonly fileHref: string
  /** SHA-256 of the PDF, to detect another one. */
  readonly pdfId: string
  readonly pageCount: number | null
  /** Accessible name. */
  readonly label: string
  /** Address that maps a position to its source line; null if the viewer may not see the source. */
  readonly synctexHref: string | null
  /** Image of a page, shown until pages are drawn; null without one. */
  readonly pictureHref: ((page: number) => string) | null
}

/** Maximum number of page images shown without script and PDF support. */
const MAX_PICTURES = 20

/** Content that pages add to the viewer. */
export interface ViewerSlots {
  /** Content at the start of the toolbar: title and status. */
  readonly start?: Html | ''
  /** Content at the end of the toolbar: actions. */
  readonly end?: Html | ''
  /** Beside the pages, or over them on a narrow screen; toggled by the part `panel` of the toolbar. */
  readonly aside?: Html | ''
}

/** Addresses of the files of pdf.js, for `loadPdf()` in the browser. */
export function pdfLibraryAttributes(): Html {
  return html`data-library="${pdfAssets.library}" data-worker="${pdfAssets.worker}" data-cmaps="${pdfAssets.cmaps}"
  data-fonts="${pdfAssets.fonts}" data-colors="${pdfAssets.colors}" data-wasm="${pdfAssets.wasm}"`
}

/** A toolbar and the pages: drawn by script; without it page images, or the browser's own viewer. */
export function pdfViewer(pdf: ViewedPdf, { start = '', end = '', aside = '' }: ViewerSlots = {}): Html {
  return html`<section
      class="viewer"
      aria-label="${pdf.label}"
      data-viewer
      ${pdf.isEmpty === true ? 'hidden' : ''}
      ${pdfLibraryAttributes()}
      data-components="${pdfAssets.viewer}"
      data-note-icon="${pdfAssets.noteIcon}"
      ${pdf.isEmpty === true ? '' : html`data-file="${pdf.fileHref}"`}
      data-pdf-id="${pdf.pdfId}"
      ${pdf.isEmpty === true || pdf.synctexHref === null ? '' : html`data-synctex="${pdf.synctexHref}"`}
    >
      <div class="viewer-bar">${start} ${viewerTools(pdf)} ${end}</div>
      <p class="notice viewer-failure" data-part="failure" hidden>
        The PDF cannot be displayed here. <a href="${pdf.fileHref}">Open the PDF</a>
      </p>
      <div class="viewer-body">
        <div class="viewer-frame">
          ${
            pdf.isEmpty === true || pdf.pictureHref === null
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

/** Page, zoom and search: require script, shown once the PDF is open. */
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
        ${['0.5', '0.75', '1', '1.25', '1.5', '2', '3'].map((scale) => html`<option value="${scale}">${Math.round(Number(scale) * 100)}%</option>`)}
      </select>
      ${button('larger', 'plus', 'Zoom in', '+')}
    </span>
    <div class="find-group">
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
    </div>
    ${button('dim', 'contrast', 'Dim pages')}
  </div>`
}

/** Images work everywhere; built-in viewers do not, especially on phones. */
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
