/** Positions in a PDF: from a double click to the source, and from an address or another script to a marked place. */
import type { EventBus, PDFLinkService, PDFViewer } from 'pdfjs-dist/web/pdf_viewer.mjs'

import { findPart } from './find-part.browser.ts'

/** A position on a page, from its top left corner, in points. */
interface Place {
  readonly page: number
  readonly x: number | null
  readonly y: number | null
  readonly width: number | null
  readonly height: number | null
  /** Whether the position is marked. @default true */
  readonly isMarked?: boolean
}

/** The parts of the viewer that show a place. */
interface Viewer {
  readonly root: HTMLElement
  readonly bus: EventBus
  readonly view: PDFViewer
}

/** A double click opens the source of that position. */
export function wireSource({ root, view }: Viewer): void {
  const pages = findPart(root, 'pages')
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

/** Place that a position corresponds to. */
interface FoundPlace {
  readonly path?: string
  readonly line?: number
  readonly href?: string | null
  readonly message?: string
}

/** The target of a position; messages of the host are shown below the pages. */
async function askPlace(root: HTMLElement, address: string | URL): Promise<FoundPlace | null> {
  // Without a network: null.
  const answer = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
  if (answer === null) {
    findPart(root, 'word').textContent = 'No connection.'
    return null
  }
  // Not JSON: the message below is shown.
  const said = (await answer.json().catch(() => ({}))) as FoundPlace
  if (answer.ok && (said.path !== undefined || typeof said.href === 'string')) {
    findPart(root, 'word').textContent = ''
    return said
  }
  findPart(root, 'word').textContent = said.message ?? 'No source line found for this position.'
  return null
}

/** `#page=3&y=120&height=12`, or `data-place` of the viewer, scrolls to a position and marks it; scrolling updates the page in the address. */
export function wirePlaces({ root, bus, view }: Viewer, closePanel: () => void): void {
  // Another script may have found the place before this one ran.
  let place = readPlace() ?? (JSON.parse(root.dataset['place'] ?? 'null') as Place | null)
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
    closePanel()
    void goToPage(root, link.href)
  })
  root.addEventListener('pdf-place', (event) => {
    place = (event as CustomEvent<Place>).detail
    go()
  })
  // In another PDF, the place may be elsewhere.
  root.addEventListener('pdf-changed', () => {
    if (root.dataset['state'] !== 'shown') return
    place = null
    removeMarks(root)
  })
  addEventListener('hashchange', () => {
    // A place that a link has left is shown exactly.
    if (readLeftPlace(history.state) !== null) return
    place = readPlace()
    go()
  })
  bus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => {
    const known = readPlace()
    if (known?.page === pageNumber || (known === null && pageNumber === 1)) return
    history.replaceState(null, '', `#page=${pageNumber}`)
  })
}

/** The part of the PDF that was visible when a link was followed, in points from the lower left corner of the page. */
interface LeftPlace {
  readonly page: number
  readonly left: number
  readonly top: number
}

/** A followed link of the PDF or its outline is an entry of the history, so that the browser goes back to where it was. */
export function wireHistory({ bus, links, view }: Omit<Viewer, 'root'> & { readonly links: PDFLinkService }): void {
  let visible: LeftPlace | null = null
  bus.on('updateviewarea', ({ location }: { location: Omit<LeftPlace, 'page'> & { readonly pageNumber: number } }) => {
    visible = { page: location.pageNumber, left: location.left, top: location.top }
  })
  const push = (): void => {
    history.replaceState({ leftPlace: visible }, '')
    history.pushState(null, '')
  }
  const arrival = followFocus({ bus, view })
  links.setHistory({
    pushCurrentPosition: push,
    push: ({ pageNumber }: { readonly pageNumber: number }) => arrival.expect(pageNumber),
    pushPage() {},
  })
  addEventListener('popstate', ({ state }) => {
    arrival.cancel()
    const place = readLeftPlace(state)
    if (place === null) return
    view.scrollPageIntoView({
      pageNumber: place.page,
      destArray: [null, { name: 'XYZ' }, place.left, place.top, null],
    })
  })
}

/** Moves the focus to the text of a page that a link leads to, when it is drawn, unless the reader has left the page. */
function followFocus({ bus, view }: Omit<Viewer, 'root'>) {
  let expected: number | null = null
  const focus = (): void => {
    const layer = expected === null ? null : (view.getPageView(expected - 1)?.textLayer?.div ?? null)
    if (layer?.isConnected !== true) return
    if (view.currentPageNumber === expected) layer.focus({ preventScroll: true })
    expected = null
  }
  bus.on('textlayerrendered', focus)
  return {
    expect(pageNumber: number): void {
      expected = pageNumber
      // The viewer scrolls to the page after this call.
      setTimeout(focus)
    },
    cancel: (): void => void (expected = null),
  }
}

function readLeftPlace(state: unknown): LeftPlace | null {
  return (state as { readonly leftPlace?: LeftPlace | null } | null)?.leftPlace ?? null
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
function markPlace(root: HTMLElement, view: PDFViewer, place: Place): void {
  const page = view.getPageView(place.page - 1)
  removeMarks(root)
  if (page === undefined || place.y === null || place.isMarked === false) return
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

function removeMarks(root: HTMLElement): void {
  for (const mark of root.querySelectorAll('.place-mark')) mark.remove()
}
