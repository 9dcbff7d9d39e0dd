/**
 * Replaces pages of an open PDF. The viewer of pdf.js can only open another document, which draws every page again; here
 * a page keeps its old picture until the new one is drawn, and pages that did not change keep theirs.
 */
import type * as Library from 'pdfjs-dist'
import type { PDFLinkService, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs'

/** The part of a page view of pdf.js that this file uses. */
interface PageView {
  pdfPage: Library.PDFPageProxy | null
  readonly div: HTMLElement
  /** `RenderingStates` of pdf.js. */
  readonly renderingState: number
  /** Task that draws the page; null if none is running. */
  readonly renderTask: Library.RenderTask | null
  readonly viewport: Library.PageViewport
  reset(options: { readonly keepCanvasWrapper: boolean }): void
}

interface PageViewer {
  readonly view: PDFViewer
  readonly links: PDFLinkService
}

/** States of a page view. */
const [NOT_DRAWN, FINISHED] = [0, 3]
/** Pages before and behind the shown ones that the viewer draws next. */
const DRAWN_AHEAD = 1
/** Nothing is drawn in a hidden tab. */
const DRAWN_WITHIN_MS = 500

/**
 * Shows pages of another PDF in place of pages of the open one. `pages` maps 1-based page numbers of the open PDF to
 * page numbers of the other one. Pages of another size are left as they are.
 */
export async function showPagesOf(
  view: PDFViewer,
  other: Library.PDFDocumentProxy,
  pages: ReadonlyMap<number, number>,
): Promise<readonly number[]> {
  const found = await Promise.all(
    [...pages]
      .filter(([, otherNumber]) => otherNumber >= 1 && otherNumber <= other.numPages)
      .map(async ([number, otherNumber]) => ({ number, page: await other.getPage(otherNumber) })),
  )
  await whenDrawn(view)
  const shown = found.filter(({ number, page }) => hasSameSize(pageView(view, number), page))
  for (const { number, page } of shown) drawAgain(pageView(view, number), page)
  view.update()
  return shown.map(({ number }) => number)
}

/**
 * Makes `next` the open PDF and draws only the given pages again. False if its pages have another size or number: open
 * it as another document then.
 */
export async function replaceDocument(
  { view, links }: PageViewer,
  next: Library.PDFDocumentProxy,
  changed: ReadonlySet<number>,
): Promise<boolean> {
  const last = view.pdfDocument
  if (last?.numPages !== next.numPages) return false
  // While the viewer still loads pages of the last PDF, it would add them to the new one.
  await view.pagesPromise
  const pages = await loadShownPages(view, next)
  await whenDrawn(view)
  if ([...pages].some(([number, page]) => !hasSameSize(pageView(view, number), page))) return false
  view.pdfDocument = next
  links.setDocument(next, null)
  view.findController?.setDocument(next)
  for (let number = 1; number <= next.numPages; number += 1) {
    const own = pageView(view, number)
    if (own === null) continue
    const page = pages.get(number) ?? null
    // A page that is being drawn takes its data from the last PDF, which closes: its drawing would never end.
    if (page !== null && (changed.has(number) || isBeingDrawn(own))) drawAgain(own, page)
    // The viewer loads the pages without one, and their sizes, when they come into view.
    else own.pdfPage = page
  }
  view.update()
  await last.loadingTask.destroy()
  return true
}

/** Waits for drawings: one that is canceled takes the old picture of its page with it. */
async function whenDrawn(view: PDFViewer): Promise<void> {
  const views = Array.from({ length: view.pagesCount }, (_, index) => pageView(view, index + 1))
  const drawings = views.flatMap((own) => own?.renderTask?.promise ?? [])
  await Promise.race([
    Promise.allSettled(drawings),
    new Promise((resolve) => {
      setTimeout(resolve, DRAWN_WITHIN_MS)
    }),
  ])
}

/** The pages that have a picture, by number, and those that the viewer may begin to draw meanwhile. */
async function loadShownPages(
  view: PDFViewer,
  pdf: Library.PDFDocumentProxy,
): Promise<ReadonlyMap<number, Library.PDFPageProxy>> {
  const pages = new Map<number, Library.PDFPageProxy>()
  for (;;) {
    // The user may scroll while pages are loaded.
    const missing = listShown(view).filter((number) => !pages.has(number))
    if (missing.length === 0) return pages
    await Promise.all(missing.map(async (number) => pages.set(number, await pdf.getPage(number))))
  }
}

function listShown(view: PDFViewer): readonly number[] {
  const numbers = Array.from({ length: view.pagesCount }, (_, index) => index + 1)
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= DRAWN_AHEAD
  const drawn = numbers.filter((number) => {
    const own = pageView(view, number)
    // A page that is drawn again keeps its old picture.
    return own !== null && (own.renderingState !== NOT_DRAWN || own.div.querySelector('canvas') !== null)
  })
  return numbers.filter((number) => [view.currentPageNumber, ...drawn].some((one) => isNear(one, number)))
}

function pageView(view: PDFViewer, number: number): PageView | null {
  return (view.getPageView(number - 1) as PageView | undefined) ?? null
}

function isBeingDrawn({ renderingState }: PageView): boolean {
  return renderingState !== NOT_DRAWN && renderingState !== FINISHED
}

function hasSameSize(own: PageView | null, page: Library.PDFPageProxy): boolean {
  if (own === null) return false
  const { width, height } = page.getViewport({ scale: own.viewport.scale, rotation: own.viewport.rotation })
  return Math.abs(width - own.viewport.width) < 1 && Math.abs(height - own.viewport.height) < 1
}

/** The old picture stays until the viewer has drawn the new one. */
function drawAgain(own: PageView | null, page: Library.PDFPageProxy): void {
  if (own === null) return
  own.pdfPage = page
  own.reset({ keepCanvasWrapper: true })
}
