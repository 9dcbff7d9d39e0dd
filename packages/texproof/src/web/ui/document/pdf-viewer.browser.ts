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

import { replaceDocument, showPagesOf } from './replace-pages.browser.ts'

/** A position on a page, from its top left corner, in points. */
interface Place {
  readonly page: number
  readonly x: number | null
  readonly y: number | null
  readonly width: number | null
  readonly height: number | null
}

interface Reader {
  readonly root: HTMLElement
  readonly library: typeof Library
  readonly bus: Components.EventBus
  readonly links: Components.PDFLinkService
  readonly view: Components.PDFViewer
}

/** Detail of `pdf-page`: a page of the document, in a PDF that begins with the page `firstPage`. */
interface EarlyPage {
  readonly file: string
  readonly firstPage: number
  readonly editedPage: number
}

/** Detail of `pdf-changed`: the pages that differ from the shown PDF, 1-based. */
interface ChangedPages {
  readonly changedPages: readonly number[]
}

/** Pages that are shown before their document, each with the PDF it is from. */
type EarlyPages = Map<number, Library.PDFDocumentProxy>

interface OutlineNode {
  readonly title: string
  readonly dest: string | unknown[] | null
  readonly url: string | null
  readonly items: readonly OutlineNode[]
}

const ZOOM_STEPS = ['auto', 'page-width', 'page-fit', '0.5', '0.75', '1', '1.25', '1.5', '2', '3']
const MAX_OUTLINE = 500

const root = document.querySelector<HTMLElement>('[data-viewer]')
if (root !== null) start(root).catch((error: unknown) => giveUp(root, error))

async function start(root: HTMLElement): Promise<void> {
  const library = (await import(root.dataset['library'] ?? '')) as typeof Library
  const components = (await import(root.dataset['components'] ?? '')) as typeof Components
  library.GlobalWorkerOptions.workerSrc = root.dataset['worker'] ?? ''
  const reader = createReader(root, library, components)
  wireBar(reader)
  wirePanel(root)
  wireFind(reader)
  wireSource(reader)
  wirePlaces(reader)
  const opened = open(reader)
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
async function showEarlyPage({ root, library, view }: Reader, early: EarlyPages, edited: EarlyPage): Promise<void> {
  if (view.pdfDocument === null || view.pdfDocument === undefined) return
  const pdf = await loadPdf(root, library, edited.file)
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
  const { root, library, view } = reader
  if (changed === null) await reopen(reader)
  else {
    const pdf = await loadPdf(root, library, root.dataset['file'] ?? '')
    const pages = new Set([...changed.changedPages, ...early.keys()])
    if (await replaceDocument(reader, pdf, pages)) await showOutline(reader.links, pdf)
    else {
      await pdf.loadingTask.destroy()
      await reopen(reader)
    }
  }
  const replaced = new Set(early.values())
  early.clear()
  await closeUnused([...replaced], early)
  part(root, 'count').textContent = String(view.pagesCount)
}

function createReader(root: HTMLElement, library: typeof Library, components: typeof Components): Reader {
  const bus = new components.EventBus()
  const links = new components.PDFLinkService({ eventBus: bus, externalLinkTarget: 2 })
  links.externalLinkRel = 'noopener noreferrer nofollow'
  const view = new components.PDFViewer({
    container: part<HTMLDivElement>(root, 'pages'),
    eventBus: bus,
    linkService: links,
    findController: new components.PDFFindController({ eventBus: bus, linkService: links }),
    annotationMode: library.AnnotationMode.ENABLE,
    annotationEditorMode: library.AnnotationEditorType.DISABLE,
  })
  links.setViewer(view)
  return { root, library, bus, links, view }
}

/** Opens the PDF of the page. */
async function open({ root, library, links, view }: Reader): Promise<void> {
  const pdf = await loadPdf(root, library, root.dataset['file'] ?? '')
  const old = view.pdfDocument
  view.setDocument(pdf)
  links.setDocument(pdf, null)
  await old?.loadingTask.destroy()
  part(root, 'count').textContent = String(pdf.numPages)
  part<HTMLInputElement>(root, 'page').max = String(pdf.numPages)
  part(root, 'bar').hidden = false
  await Promise.all([showOutline(links, pdf), tellTags(pdf)])
}

function loadPdf(root: HTMLElement, library: typeof Library, file: string): Promise<Library.PDFDocumentProxy> {
  const { cmaps = '', fonts = '', colours = '', wasm = '' } = root.dataset
  const task = library.getDocument({
    url: file,
    cMapUrl: cmaps,
    cMapPacked: true,
    standardFontDataUrl: fonts,
    iccUrl: colours,
    wasmUrl: wasm,
    enableXfa: false,
    withCredentials: true,
  })
  return task.promise
}

/** Opens a newer PDF of the same document at the same position. */
async function reopen(reader: Reader): Promise<void> {
  const { view, bus } = reader
  const scale = view.currentScaleValue
  const pages = part(reader.root, 'pages')
  const top = pages.scrollTop
  const removeCopy = copyPages(pages)
  const restore = (): void => {
    bus.off('pagesinit', restore)
    view.currentScaleValue = scale
    pages.scrollTop = top
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
    if (view.pdfDocument === null) giveUp(reader.root, error)
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
  const notice = part(root, 'failure')
  notice.title = error instanceof Error ? error.message : ''
  notice.hidden = false
}

/** Buttons and fields; their shortcuts are handled by the script of every page. */
function wireBar({ root, bus, view }: Reader): void {
  const page = part<HTMLInputElement>(root, 'page')
  const zoom = part<HTMLSelectElement>(root, 'zoom')
  const on = (name: string, act: () => void): void => part(root, name).addEventListener('click', act)
  on('previous', () => view.previousPage())
  on('next', () => view.nextPage())
  on('smaller', () => view.decreaseScale())
  on('larger', () => view.increaseScale())
  page.addEventListener('change', () => (view.currentPageNumber = Number(page.value) || view.currentPageNumber))
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
  own.textContent = `${Math.round(scale * 100)} %`
  zoom.value = value
}

/** Pages stay white unless the user dims them: inverted figures mislead. */
function wireDim(root: HTMLElement): void {
  const button = part(root, 'dim')
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
  const tell = (): void => button.setAttribute('aria-expanded', String(panel.checkVisibility()))
  button.addEventListener('click', (event) => {
    event.preventDefault()
    root.dataset['panel'] = panel.checkVisibility() ? 'closed' : 'open'
    tell()
  })
  isNarrow.addEventListener('change', () => {
    delete root.dataset['panel']
    tell()
  })
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closePanel(root)
  })
  tell()
}

/** A link to a position in the PDF closes the panel that covers it. */
function closePanel(root: HTMLElement): void {
  if (!isNarrow.matches) return
  delete root.dataset['panel']
  root.querySelector('[data-part="panel"]')?.setAttribute('aria-expanded', 'false')
}

function wireFind({ root, bus }: Reader): void {
  const form = part<HTMLFormElement>(root, 'find')
  const field = part<HTMLInputElement>(root, 'find-text')
  const found = part(root, 'found')
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
  part(root, 'find-open').addEventListener('click', ({ currentTarget }) => {
    const isOpen = root.toggleAttribute('data-finding')
    ;(currentTarget as HTMLElement).setAttribute('aria-expanded', String(isOpen))
    if (isOpen) field.focus()
  })
  part(root, 'find-previous').addEventListener('click', () => ask('again', true))
  part(root, 'find-next').addEventListener('click', () => ask('again', false))
  const tell = ({ matchesCount }: { matchesCount?: { current: number; total: number } }): void => {
    const { current = 0, total = 0 } = matchesCount ?? {}
    found.textContent = field.value === '' ? '' : total === 0 ? 'No results' : `${current} of ${total}`
  }
  bus.on('updatefindmatchescount', tell)
  bus.on('updatefindcontrolstate', tell)
}

/** A double click opens the source of that position. */
function wireSource({ root, view }: Reader): void {
  const pages = part(root, 'pages')
  const lookUp = (event: MouseEvent): void => {
    const { synctex } = root.dataset
    if (synctex === undefined) return
    const sheet = (event.target as Element).closest<HTMLElement>('.page')
    const number = Number(sheet?.dataset['pageNumber'])
    const page = view.getPageView(number - 1)
    if (sheet === null || page === undefined) return
    const box = sheet.getBoundingClientRect()
    const [x = 0, fromBottom = 0] = page.getPagePoint(event.clientX - box.left, event.clientY - box.top)
    const [left = 0, , , top = 0] = page.viewport.viewBox
    void goToSource(root, synctex, { page: number, x: x - left, y: top - fromBottom })
  }
  pages.addEventListener('dblclick', lookUp)
  pages.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey) lookUp(event)
  })
}

async function goToSource(
  root: HTMLElement,
  synctex: string,
  { page, x, y }: { page: number; x: number; y: number },
): Promise<void> {
  const address = new URL(synctex, location.href)
  address.searchParams.set('page', String(page))
  address.searchParams.set('x', x.toFixed(2))
  address.searchParams.set('y', y.toFixed(2))
  const place = await askPlace(root, address)
  if (place === null) return
  const { path, line, href = null } = place
  const event = new CustomEvent('pdf-source', { detail: { path, line }, cancelable: true })
  if (root.dispatchEvent(event) && href !== null) location.assign(href)
}

async function goToPage(root: HTMLElement, address: string): Promise<void> {
  const href = (await askPlace(root, address))?.href
  if (typeof href === 'string') location.hash = new URL(href, location.href).hash
}

/** What a position corresponds to. */
interface FoundPlace {
  readonly path?: string
  readonly line?: number
  readonly href?: string | null
  readonly message?: string
}

/** The target of a position; messages of the host are shown below the pages. */
async function askPlace(root: HTMLElement, address: string | URL): Promise<FoundPlace | null> {
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  // Not JSON: the message below is shown.
  const said = (await answer.json().catch(() => ({}))) as FoundPlace
  if (answer.ok && (said.path !== undefined || typeof said.href === 'string')) {
    part(root, 'word').textContent = ''
    return said
  }
  part(root, 'word').textContent = said.message ?? 'No source line found for this position.'
  return null
}

/** `#page=3&y=120&height=12` scrolls to a position and marks it; scrolling updates the page in the address. */
function wirePlaces({ root, bus, view }: Reader): void {
  let place = readPlace()
  const go = (): void => {
    if (place === null) return
    const page = view.getPageView(place.page - 1)
    if (page === undefined) return
    if (place.y === null) view.currentPageNumber = place.page
    else {
      const top = page.viewport.viewBox[3] - Math.max(0, place.y - 120)
      view.scrollPageIntoView({ pageNumber: place.page, destArray: [null, { name: 'XYZ' }, null, top, null] })
    }
    markPlace(root, view, place)
  }
  bus.on('pagesinit', () => {
    if (root.dataset['state'] !== 'shown') view.currentScaleValue = 'auto'
    go()
  })
  bus.on('pagerendered', ({ pageNumber }: { pageNumber: number }) => {
    if (place?.page === pageNumber) markPlace(root, view, place)
  })
  // Links to a position in the open PDF are followed in the viewer.
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a.in-pdf') : null
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    closePanel(root)
    void goToPage(root, link.href)
  })
  root.addEventListener('pdf-place', (event) => {
    place = (event as CustomEvent<Place>).detail
    go()
  })
  addEventListener('hashchange', () => {
    place = readPlace()
    go()
  })
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => {
    const known = readPlace()
    if (known?.page === pageNumber || (known === null && pageNumber === 1)) return
    history.replaceState(null, '', `#page=${pageNumber}`)
  })
}

function readPlace(): Place | null {
  const said = new URLSearchParams(location.hash.slice(1))
  const number = (name: string): number | null => {
    const value = said.get(name)
    return value === null || value === '' || !Number.isFinite(Number(value)) ? null : Number(value)
  }
  const page = number('page')
  if (page === null) return null
  return { page, x: number('x'), y: number('y'), width: number('width'), height: number('height') }
}

/** Marks a line by an overlay, which is restored after drawing and zooming. */
function markPlace(root: HTMLElement, view: Components.PDFViewer, place: Place): void {
  const page = view.getPageView(place.page - 1)
  for (const old of root.querySelectorAll('.place-mark')) old.remove()
  if (page === undefined || place.y === null) return
  const { viewport } = page
  const [left, , right, top] = viewport.viewBox as readonly [number, number, number, number]
  const x = left + (place.x ?? 0)
  const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(x, top - place.y)
  const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(
    place.width === null ? right : x + place.width,
    top - place.y - (place.height ?? 12),
  )
  const mark = document.createElement('div')
  mark.className = 'place-mark'
  const share = (length: number, whole: number): string => `${(length / whole) * 100}%`
  mark.style.left = share(Math.min(x1, x2), viewport.width)
  mark.style.width = share(Math.abs(x2 - x1), viewport.width)
  mark.style.top = share(Math.min(y1, y2), viewport.height)
  mark.style.height = share(Math.abs(y2 - y1), viewport.height)
  page.div.append(mark)
}

async function showOutline(links: Components.PDFLinkService, pdf: Library.PDFDocumentProxy): Promise<void> {
  const nav = document.querySelector<HTMLElement>('[data-outline]')
  if (nav === null) return
  const outline = (await pdf.getOutline()) as readonly OutlineNode[] | null
  nav.hidden = outline === null || outline.length === 0
  nav.querySelector('ol')?.remove()
  if (outline !== null) nav.append(outlineList(links, outline, { left: MAX_OUTLINE }))
}

function outlineList(
  links: Components.PDFLinkService,
  nodes: readonly OutlineNode[],
  budget: { left: number },
): HTMLElement {
  const list = document.createElement('ol')
  for (const { title, dest, url, items } of nodes) {
    if (budget.left-- <= 0) break
    const item = document.createElement('li')
    const link = document.createElement('a')
    link.textContent = title
    // The library passes web and mail addresses only.
    if (url !== null) links.addLinkAttributes(link, url)
    else link.href = dest === null ? '#' : links.getDestinationHash(dest)
    link.addEventListener('click', (event) => {
      if (url !== null) return
      event.preventDefault()
      if (root !== null) closePanel(root)
      if (dest !== null) void links.goToDestination(dest)
    })
    item.append(link)
    if (items.length > 0) item.append(outlineList(links, items, budget))
    list.append(item)
  }
  return list
}

/** Notes for screen readers that the PDF has no structure. */
async function tellTags(pdf: Library.PDFDocumentProxy): Promise<void> {
  const note = document.querySelector<HTMLElement>('[data-untagged]')
  const marks = (await pdf.getMarkInfo()) as { readonly Marked?: boolean } | null
  if (note !== null) note.hidden = marks?.Marked === true
}

function part<E extends HTMLElement = HTMLElement>(root: HTMLElement, name: string): E {
  const found = root.querySelector<E>(`[data-part="${name}"]`)
  if (found === null) throw new Error(`The viewer has no part "${name}".`)
  return found
}
