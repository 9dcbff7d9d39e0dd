/**
 * Keeps the PDF page up to date. During a build, its events report progress and completion. At the end, and at
 * intervals, the page is fetched again: changes of the banner and the panels are applied, and the viewer is notified of
 * a new PDF. A hidden tab requests nothing.
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
// Open connections exclude a page from the back/forward cache.
addEventListener('pagehide', closeEvents)
addEventListener('pageshow', follow)

/** Listens to the events of the build in the banner, or polls. */
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
    // The host is restarting or the network is down: keep the page.
    wait(AFTER_FAULT_MS)
  }
}

/** Checked with a HEAD request for the PDF, which is cheaper than the page. */
async function isStillTrue(): Promise<boolean> {
  const file = document.querySelector<HTMLElement>('[data-viewer]')?.dataset['file'] ?? ''
  const seen = document.querySelector<HTMLElement>('[data-live="banner"]')?.dataset['seen'] ?? ''
  if (file === '' || seen === '') return false
  const { headers } = await fetch(file, { method: 'HEAD', cache: 'no-store' })
  return ['etag', 'x-texproof-state', 'x-texproof-build'].map((name) => headers.get(name)).join(' ') === seen
}

/** Ignores ages, so that screen readers do not announce a part that is otherwise unchanged. */
function shapeOf(part: HTMLElement): string {
  return part.innerHTML.replaceAll(/<time.*?<\/time>/g, '')
}

function takeOver(fresh: Document): void {
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  const freshViewer = fresh.querySelector<HTMLElement>('[data-viewer]')
  // Before there is a PDF the page has another structure, and no position to keep.
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
