/**
 * Keeps the PDF page true while somebody reads it: asks for the page again, takes over what has changed of the banner
 * and of the columns beside the paper, and tells the viewer when another PDF is shown. Often while a build is under
 * way, seldom otherwise, never in a tab that nobody looks at.
 */
const WHILE_BUILDING_MS = 1_500
const WHILE_QUIET_MS = 20_000
const AFTER_FAULT_MS = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

wait(pause())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') wait(0)
})

/** How long the state that is shown will surely keep. */
function pause(): number {
  const state = document.querySelector<HTMLElement>('[data-live="banner"]')?.dataset['state'] ?? ''
  return state === 'queued' || state === 'running' ? WHILE_BUILDING_MS : WHILE_QUIET_MS
}

function wait(afterMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(() => void look(), afterMs)
}

async function look(): Promise<void> {
  if (document.visibilityState === 'hidden') return
  try {
    const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } })
    if (!answer.ok) return wait(AFTER_FAULT_MS)
    takeOver(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    wait(pause())
  } catch {
    // The host is being restarted, or the network is gone: what is shown stays.
    wait(AFTER_FAULT_MS)
  }
}

function takeOver(fresh: Document): void {
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  const freshViewer = fresh.querySelector<HTMLElement>('[data-viewer]')
  // The first PDF of all: there is no place to keep.
  if (viewer === null && freshViewer !== null) return location.reload()
  for (const part of document.querySelectorAll<HTMLElement>('[data-live]')) {
    const newer = fresh.querySelector<HTMLElement>(`[data-live="${part.dataset['live']}"]`)
    if (newer === null || newer.innerHTML === part.innerHTML) continue
    Object.assign(part.dataset, newer.dataset)
    part.replaceChildren(...newer.childNodes)
  }
  if (viewer === null || freshViewer === null) return
  if (viewer.dataset['pdfId'] === freshViewer.dataset['pdfId']) return
  Object.assign(viewer.dataset, { pdfId: freshViewer.dataset['pdfId'], file: freshViewer.dataset['file'] })
  viewer.dispatchEvent(new Event('pdf-changed'))
}
