/**
 * Replaces pages of an open PDF. The viewer of pdf.js can only open another document, which draws every page again; here
 * a page keeps its old picture until the new one is drawn, and pages that did not change keep theirs.
 */
import type * as Library from 'pdfjs-dist'
import type { PDFLinkService, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs'

/** What this file uses of a page view of pdf.js. */
interface PageView {
  pdfPage: Library.PDFPageProxy | null
  readonly viewport: Library.PageViewport
  reset(options: { readonly keepCanvasWrapper: boolean }): void
}

interface PageViewer {
  readonly view: PDFViewer
  readonly links: PDFLinkService
}

/**
 * Shows pages of another PDF in place of those of the open one. `pages` maps 1-based page numbers of the open PDF to
 * those of the other one. Pages of another size are left as they are.
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
  const numbers = Array.from({ length: next.numPages }, (_, index) => index + 1)
  const pages = await Promise.all(numbers.map((number) => next.getPage(number)))
  if (pages.some((page, index) => !hasSameSize(pageView(view, index + 1), page))) return false
  view.pdfDocument = next
  links.setDocument(next, null)
  view.findController?.setDocument(next)
  for (const [index, page] of pages.entries()) {
    const own = pageView(view, index + 1)
    if (own === null) continue
    if (changed.has(index + 1)) drawAgain(own, page)
    else own.pdfPage = page
  }
  view.update()
  await last.loadingTask.destroy()
  return true
}

function pageView(view: PDFViewer, number: number): PageView | null {
  return (view.getPageView(number - 1) as PageView | undefined) ?? null
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
