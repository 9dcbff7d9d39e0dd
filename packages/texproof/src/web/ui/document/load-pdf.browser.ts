/** Opens PDFs with pdf.js. The addresses of its files are attributes of the element that shows the PDF. */
import type * as Library from 'pdfjs-dist'

/** The library, and the thread that all PDFs of a page share. */
export interface PdfLibrary {
  readonly library: typeof Library
  /** A new thread would load the script of the library again for each PDF. */
  readonly thread: Library.PDFWorker
}

/** Loads the library. */
export async function loadPdfLibrary(root: HTMLElement): Promise<PdfLibrary> {
  const library = (await import(root.dataset['library'] ?? '')) as typeof Library
  library.GlobalWorkerOptions.workerSrc = root.dataset['worker'] ?? ''
  return { library, thread: new library.PDFWorker() }
}

/** Opens a PDF by its address, or by its bytes, which are used up. */
export function loadPdf(
  root: HTMLElement,
  { library, thread }: PdfLibrary,
  source: { readonly url: string } | { readonly data: Uint8Array },
): Promise<Library.PDFDocumentProxy> {
  const { cmaps = '', fonts = '', colors = '', wasm = '' } = root.dataset
  const task = library.getDocument({
    ...source,
    // Each font of each preview would make the browser lay out the whole page again, the source included.
    disableFontFace: root.closest('.editor-page') !== null,
    worker: thread,
    cMapUrl: cmaps,
    cMapPacked: true,
    standardFontDataUrl: fonts,
    iccUrl: colors,
    wasmUrl: wasm,
    enableXfa: false,
    withCredentials: true,
  })
  return task.promise
}
