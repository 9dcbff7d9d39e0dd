/**
 * The PDF page with script: pdf.js draws the pages, with selectable text, search, links, an outline, and a double click
 * that leads to the source. Without script the page uses the browser's own viewer.
 *
 * Other scripts of the page send events to the viewer: `pdf-changed` reloads the file at the same position; its detail may list
 * the changed pages. `pdf-page` shows one page of another file, until the next `pdf-changed`. `pdf-place` shows a place.
 * A double click on a text sends `pdf-source` with its path and line; if that is canceled, the source does not open.
 */
import type * as Library from 'pdfjs-dist'
import type * as Components from 'pdfjs-dist/web/pdf_viewer.mjs'

import { findPart } from './find-part.browser.ts'
import { loadPdf, loadPdfLibrary } from './load-pdf.browser.ts'
import type { PdfLibrary } from './load-pdf.browser.ts'
import { showOutline } from './pdf-outline.browser.ts'
import { wireHistory, wirePlaces, wireSource } from './pdf-places.browser.ts'
import { replaceDocument, showPagesOf } from './replace-pages.browser.ts'

interface Reader extends PdfLibrary {
  readonly root: HTMLElement
  readonly bus: Components.EventBus
  readonly links: Components.PDFLinkService
  readonly view: Components.PDFViewer
}

interface SentPdf {
  /** Used up by the viewer; null = the file is requested. */
  readonly bytes: Uint8Array | null
}

/** Detail of `pdf-page`: a page of the document, in a PDF that begins with the page `firstPage`. */
interface EarlyPage extends SentPdf {
  readonly file: string
  readonly firstPage: number
  readonly editedPage: number
}

/** Detail of `pdf-changed`: the pages that differ from the shown PDF, 1-based. */
interface ChangedPages extends SentPdf {
  readonly changedPages: readonly number[]
}

/** Pages that are shown before their document, each with the PDF it is from. */
type EarlyPages = Map<number, Library.PDFDocumentProxy>

const ZOOM_STEPS = ['auto', 'page-width', 'page-fit', '0.5', '0.75', '1', '1.25', '1.5', '2', '3']

const root = document.querySelector<HTMLElement>('[data-viewer]')
if (root !== null) start(root).catch((error: unknown) => giveUp(root, error))

async function start(root: HTMLElement): Promise<void> {
  const pdfs = await loadPdfLibrary(root)
  const components = (await import(root.dataset['components'] ?? '')) as typeof Components
  const reader = createReader(root, pdfs, components)
  wireBar(reader)
  wirePanel(root)
  wireFind(reader)
  wireSource(reader)
  wirePlaces(reader, () => closePanel(root))
  wireHistory(reader)
  // A hidden viewer has no PDF before the first `pdf-changed`.
  const opened = root.hidden ? Promise.resolve() : open(reader)
  wireChanges(reader, opened)
  await opened
}

/** One change at a time, in order. */
function wireChanges(reader: Reader, opened: Promise<void>): void {
  let last: Promise<unknown> = opened
  const early: EarlyPages = new Map()
  const add = (change: () => Promise<void>): void => {
    // The viewer shows failures to open itself; the next change may be readable.
    last = last.then(change).catch(() => null)
  }
  reader.root.addEventListener('pdf-page', (event) => {
    const { detail } = event as CustomEvent<EarlyPage>
    add(() => showEarlyPage(reader, early, detail))
  })
  reader.root.addEventListener('pdf-changed', (event) => {
    const detail = event instanceof CustomEvent ? (event.detail as ChangedPages | null) : null
    add(() => change(reader, early, detail))
  })
}

/** Shows the edited page, and the next one if it is complete. */
async function showEarlyPage(reader: Reader, early: EarlyPages, edited: EarlyPage): Promise<void> {
  const { view } = reader
  if (view.pdfDocument === null || view.pdfDocument === undefined) return
  const pdf = await loadSent(reader, edited)
  const own = edited.editedPage - edited.firstPage + 1
  const pages = new Map([[edited.editedPage, own]])
  // The last page may end early.
  if (own + 1 < pdf.numPages && edited.editedPage < view.pagesCount) pages.set(edited.editedPage + 1, own + 1)
  const replaced = new Set(early.values())
  for (const number of await showPagesOf(view, pdf, pages)) early.set(number, pdf)
  await closeUnused([...replaced, pdf], early)
}

async function closeUnused(documents: readonly Library.PDFDocumentProxy[], early: EarlyPages): Promise<void> {
  const used = new Set(early.values())
  await Promise.all(documents.filter((pdf) => !used.has(pdf)).map((pdf) => pdf.loadingTask.destroy()))
}

/** Shows the newest file of the page: changed pages only, if they are known. */
async function change(reader: Reader, early: EarlyPages, changed: ChangedPages | null): Promise<void> {
  const { root, view } = reader
  if (changed === null) await reopen(reader)
  else {
    const pdf = await loadSent(reader, { file: root.dataset['file'] ?? '', bytes: changed.bytes })
    const pages = new Set([...changed.changedPages, ...early.keys()])
    if (await replaceDocument(reader, pdf, pages)) await showOutline(reader.links, pdf, () => closePanel(reader.root))
    else {
      await pdf.loadingTask.destroy()
      await reopen(reader)
    }
  }
  const replaced = new Set(early.values())
  early.clear()
  await closeUnused([...replaced], early)
  findPart(root, 'count').textContent = String(view.pagesCount)
}

function createReader(root: HTMLElement, pdfs: PdfLibrary, components: typeof Components): Reader {
  const { library } = pdfs
  const bus = new components.EventBus()
  // Without events of pages: with them, it focuses a page that a link led to whenever the page is drawn, which scrolls to it.
  const links = new components.PDFLinkService({ eventBus: new components.EventBus(), externalLinkTarget: 2 })
  links.externalLinkRel = 'noopener noreferrer nofollow'
  const view = new components.PDFViewer({
    container: findPart<HTMLDivElement>(root, 'pages'),
    eventBus: bus,
    linkService: links,
    findController: new components.PDFFindController({ eventBus: bus, linkService: links }),
    annotationMode: library.AnnotationMode.ENABLE,
    annotationEditorMode: library.AnnotationEditorType.DISABLE,
    imageResourcesPath: root.dataset['noteIcon'] ?? '',
  })
  links.setViewer(view)
  return { root, ...pdfs, bus, links, view }
}

/** Opens the PDF of the page. */
async function open(reader: Reader): Promise<void> {
  const { root, links, view } = reader
  const pdf = await loadSent(reader, { file: root.dataset['file'] ?? '', bytes: null })
  const old = view.pdfDocument
  view.setDocument(pdf)
  links.setDocument(pdf, null)
  await old?.loadingTask.destroy()
  findPart(root, 'count').textContent = String(pdf.numPages)
  findPart<HTMLInputElement>(root, 'page').max = String(pdf.numPages)
  findPart(root, 'bar').hidden = false
  await Promise.all([showOutline(links, pdf, () => closePanel(root)), showTagNote(pdf)])
}

/** Opens the bytes of a PDF, or its file. */
function loadSent(reader: Reader, { file, bytes }: SentPdf & { readonly file: string }) {
  return loadPdf(reader.root, reader, bytes === null ? { url: file } : { data: bytes })
}

/** Opens a newer PDF of the same document at the same position. */
async function reopen(reader: Reader): Promise<void> {
  const { root, view, bus } = reader
  if (root.dataset['state'] !== 'shown') return open(reader).catch((error: unknown) => giveUp(root, error))
  const scale = view.currentScaleValue
  const pages = findPart(root, 'pages')
  const top = pages.scrollTop
  const removeCopy = copyPages(pages)
  /** A place that another script shows before there are pages to scroll. */
  let place: unknown = null
  const remember = (event: Event): void => void (place = (event as CustomEvent<unknown>).detail)
  root.addEventListener('pdf-place', remember)
  const restore = (): void => {
    bus.off('pagesinit', restore)
    root.removeEventListener('pdf-place', remember)
    view.currentScaleValue = scale
    if (place === null) pages.scrollTop = top
    else root.dispatchEvent(new CustomEvent('pdf-place', { detail: place }))
  }
  const shown = ({ pageNumber }: { pageNumber: number }): void => {
    if (pageNumber !== view.currentPageNumber) return
    bus.off('pagerendered', shown)
    removeCopy()
  }
  bus.on('pagesinit', restore)
  bus.on('pagerendered', shown)
  await open(reader).catch((error: unknown) => {
    removeCopy()
    // The old pages stay; the next change may be readable.
    if (view.pdfDocument === null) giveUp(root, error)
  })
}

/** A picture of the visible pages over them, so that nothing flickers while another PDF is drawn. Call to remove it. */
function copyPages(pages: HTMLElement): () => void {
  for (const old of pages.parentElement?.querySelectorAll('.pages-copy') ?? []) old.remove()
  const copy = document.createElement('canvas')
  const { left, top, width, height } = pages.getBoundingClientRect()
  const ratio = devicePixelRatio
  copy.className = 'pages-copy'
  copy.width = Math.max(1, Math.round(width * ratio))
  copy.height = Math.max(1, Math.round(height * ratio))
  const context = copy.getContext('2d')
  for (const canvas of pages.querySelectorAll('canvas')) {
    const box = canvas.getBoundingClientRect()
    if (canvas.width === 0 || box.bottom < top || box.top > top + height) continue
    context?.drawImage(
      canvas,
      (box.left - left) * ratio,
      (box.top - top) * ratio,
      box.width * ratio,
      box.height * ratio,
    )
  }
  pages.after(copy)
  return () => copy.remove()
}

function giveUp(root: HTMLElement, error: unknown): void {
  root.dataset['state'] = 'failed'
  const notice = findPart(root, 'failure')
  notice.title = error instanceof Error ? error.message : ''
  notice.hidden = false
}

/** Buttons and fields; their shortcuts are handled by the script of every page. */
function wireBar({ root, bus, view }: Reader): void {
  const page = findPart<HTMLInputElement>(root, 'page')
  const zoom = findPart<HTMLSelectElement>(root, 'zoom')
  const on = (name: string, act: () => void): void => findPart(root, name).addEventListener('click', act)
  on('previous', () => view.previousPage())
  on('next', () => view.nextPage())
  on('smaller', () => view.decreaseScale())
  on('larger', () => view.increaseScale())
  page.addEventListener('change', () => {
    const wanted = page.valueAsNumber
    if (Number.isInteger(wanted)) view.currentPageNumber = Math.min(Math.max(wanted, 1), view.pagesCount)
    page.value = String(view.currentPageNumber)
  })
  zoom.addEventListener('change', () => (view.currentScaleValue = zoom.value))
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => (page.value = String(pageNumber)))
  bus.on('scalechanging', ({ scale, presetValue }: { scale: number; presetValue?: string }) =>
    showZoom(zoom, presetValue ?? null, scale),
  )
  bus.on('pagerendered', () => (root.dataset['state'] = 'shown'))
  wireDim(root)
}

/** A zoom between the steps gets its own option, in percent. */
function showZoom(zoom: HTMLSelectElement, preset: string | null, scale: number): void {
  const value = preset !== null && ZOOM_STEPS.includes(preset) ? preset : String(scale)
  const own = zoom.options[0]
  if (own === undefined) return
  own.hidden = [...zoom.options].slice(1).some((option) => option.value === value)
  own.value = own.hidden ? '' : value
  own.textContent = `${Math.round(scale * 100)}%`
  zoom.value = value
}

/** Pages stay white unless the user dims them: inverted figures mislead. */
function wireDim(root: HTMLElement): void {
  const button = findPart(root, 'dim')
  const show = (isDim: boolean): void => {
    root.toggleAttribute('data-dim', isDim)
    button.setAttribute('aria-pressed', String(isDim))
  }
  show(localStorage.getItem('texproof-dim') === 'yes')
  button.addEventListener('click', () => {
    const isDim = !root.hasAttribute('data-dim')
    localStorage.setItem('texproof-dim', isDim ? 'yes' : 'no')
    show(isDim)
  })
}

/** Below this width the panel overlays the pages. */
const isNarrow = matchMedia('(max-width: 63.99rem)')

/** The status in the toolbar toggles the panel with the problems. */
function wirePanel(root: HTMLElement): void {
  const button = root.querySelector<HTMLElement>('[data-part="panel"]')
  const panel = root.querySelector<HTMLElement>('.beside')
  if (button === null || panel === null) return
  const updateExpanded = (): void => button.setAttribute('aria-expanded', String(panel.checkVisibility()))
  button.addEventListener('click', (event) => {
    event.preventDefault()
    root.dataset['panel'] = panel.checkVisibility() ? 'closed' : 'open'
    updateExpanded()
  })
  isNarrow.addEventListener('change', () => {
    delete root.dataset['panel']
    updateExpanded()
  })
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closePanel(root)
  })
  updateExpanded()
}

/** A link to a position in the PDF closes the panel that covers it. */
function closePanel(root: HTMLElement): void {
  if (!isNarrow.matches) return
  delete root.dataset['panel']
  root.querySelector('[data-part="panel"]')?.setAttribute('aria-expanded', 'false')
}

function wireFind({ root, bus }: Reader): void {
  const form = findPart<HTMLFormElement>(root, 'find')
  const field = findPart<HTMLInputElement>(root, 'find-text')
  const found = findPart(root, 'found')
  const ask = (type: '' | 'again', findPrevious: boolean): void =>
    void bus.dispatch('find', {
      source: form,
      type,
      query: field.value,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      matchDiacritics: false,
      findPrevious,
    })
  // On this page the search shortcut focuses this field.
  document.querySelector('header [data-key="/"]')?.removeAttribute('data-key')
  field.dataset['key'] = '/'
  field.addEventListener('input', () => ask('', false))
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    ask('again', event.shiftKey)
  })
  // On a narrow screen the field is on its own line below the toolbar.
  const button = findPart(root, 'find-open')
  const show = (isOpen: boolean): void => {
    root.toggleAttribute('data-finding', isOpen)
    button.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) field.focus()
  }
  button.addEventListener('click', () => show(!root.hasAttribute('data-finding')))
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || !isFindKey(event) || !mayFind(root)) return
    event.preventDefault()
    show(true)
    field.select()
  })
  findPart(root, 'find-previous').addEventListener('click', () => ask('again', true))
  findPart(root, 'find-next').addEventListener('click', () => ask('again', false))
  const showCount = ({ matchesCount }: { matchesCount?: { current: number; total: number } }): void => {
    const { current = 0, total = 0 } = matchesCount ?? {}
    found.textContent = field.value === '' ? '' : total === 0 ? 'No results' : `${current} of ${total}`
  }
  bus.on('updatefindmatchescount', showCount)
  bus.on('updatefindcontrolstate', showCount)
}

/** Ctrl+F, or Cmd+F on a Mac. */
function isFindKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'f' && ctrlKey !== metaKey && !shiftKey && !altKey
}

/**
 * Whether the key finds text in the PDF: the search of the browser would miss all pages that are not drawn. Pressed again in
 * the field, it opens that search, for the rest of the page. In the editor, the PDF must have the focus.
 */
function mayFind(root: HTMLElement): boolean {
  const { activeElement: focused } = document
  if (root.dataset['state'] !== 'shown' || focused?.matches('[data-part="find-text"]') === true) return false
  return root.contains(focused) || document.querySelector('[data-editor-page]') === null
}

/** Shows a note for screen readers if the PDF has no structure. */
async function showTagNote(pdf: Library.PDFDocumentProxy): Promise<void> {
  const note = document.querySelector<HTMLElement>('[data-untagged]')
  const marks = (await pdf.getMarkInfo()) as { readonly Marked?: boolean } | null
  if (note !== null) note.hidden = marks?.Marked === true
}
