/**
 * Keeps the PDF page true while somebody reads it. While a build is under way its events tell how far it is and when it
 * is over; then, and now and again in between, the page is asked for anew, what has changed of the banner and of the
 * columns beside the paper is taken over, and the viewer is told when another PDF is shown. A tab that nobody looks at
 * asks for nothing.
 */
const WHILE_BUILDING_MS = 2_000
const WHILE_QUIET_MS = 10_000
const AFTER_FAULT_MS = 30_000

let timer: ReturnType<typeof setTimeout> | undefined
let events: EventSource | null = null

follow()
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wait(0)
})
// Open connections keep a page out of the browser's memory of pages to go back to.
addEventListener('pagehide', closeEvents)
addEventListener('pageshow', follow)

/** Listens to the build that the banner names, or looks again after a while. */
function follow(): void {
  closeEvents()
  const banner = document.querySelector<HTMLElement>('[data-live="banner"]')
  const address = banner?.dataset['events'] ?? ''
  if (address === '') return wait(isBuilding(banner) ? WHILE_BUILDING_MS : WHILE_QUIET_MS)
  events = new EventSource(address)
  events.addEventListener('progress', ({ data }: MessageEvent<string>) => {
    const { progress } = JSON.parse(data) as { readonly progress: string | null }
    const shown = document.querySelector('[data-progress]')
    if (shown !== null && progress !== null) shown.textContent = `: ${progress}`
  })
  events.addEventListener('over', () => wait(0))
  events.addEventListener('error', () => wait(WHILE_BUILDING_MS))
}

function isBuilding(banner: HTMLElement | null): boolean {
  const state = banner?.dataset['state'] ?? ''
  return state === 'queued' || state === 'running'
}

function closeEvents(): void {
  events?.close()
  events = null
}

function wait(afterMs: number): void {
  closeEvents()
  clearTimeout(timer)
  timer = setTimeout(() => void look(), afterMs)
}

async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return
  try {
    if (await isStillTrue()) return wait(WHILE_QUIET_MS)
    const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } })
    if (!answer.ok) return wait(AFTER_FAULT_MS)
    takeOver(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    follow()
  } catch {
    // The host is being restarted, or the network is gone: what is shown stays.
    wait(AFTER_FAULT_MS)
  }
}

/** Asked of the bytes, whose headers cost less than the page. */
async function isStillTrue(): Promise<boolean> {
  const file = document.querySelector<HTMLElement>('[data-viewer]')?.dataset['file'] ?? ''
  const seen = document.querySelector<HTMLElement>('[data-live="banner"]')?.dataset['seen'] ?? ''
  if (file === '' || seen === '') return false
  const { headers } = await fetch(file, { method: 'HEAD', cache: 'no-store' })
  return ['etag', 'x-texproof-state', 'x-texproof-build'].map((name) => headers.get(name)).join(' ') === seen
}

/** Ages grow by themselves: what says nothing else must not be read out again. */
function shapeOf(part: HTMLElement): string {
  return part.innerHTML.replaceAll(/<time.*?<\/time>/g, '')
}

function takeOver(fresh: Document): void {
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  const freshViewer = fresh.querySelector<HTMLElement>('[data-viewer]')
  // Before there is a PDF there is no place to keep, and the page is made otherwise.
  const liveOf = (page: Document): number => page.querySelectorAll('[data-live]').length
  if (viewer === null && (freshViewer !== null || liveOf(fresh) !== liveOf(document))) return location.reload()
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const newer = fresh.querySelector<HTMLElement>(`[data-live="${part.dataset['live']}"]`)
    if (newer === null) continue
    delete part.dataset['events']
    Object.assign(part.dataset, newer.dataset)
    if (shapeOf(newer) !== shapeOf(part)) part.replaceChildren(...newer.childNodes)
  }
  if (viewer === null || freshViewer === null) return
  if (viewer.dataset['pdfId'] === freshViewer.dataset['pdfId']) return
  Object.assign(viewer.dataset, { pdfId: freshViewer.dataset['pdfId'], file: freshViewer.dataset['file'] })
  viewer.dispatchEvent(new Event('pdf-changed'))
}
