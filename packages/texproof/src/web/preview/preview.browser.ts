/** The live preview: updates status and PDF after each compile, and keeps the scroll position. */
const panel = document.querySelector<HTMLElement>('#state')
const heading = document.querySelector<HTMLElement>('#title')

let isAsking = false
let isStale = false

const events = new EventSource('/events')
events.addEventListener('state', ({ data }: MessageEvent<string>) => {
  const { title, file } = JSON.parse(data) as { readonly title: string; readonly file: string | null }
  showTitle(title)
  showPdf(file)
  void refreshPanel()
})
events.addEventListener('error', () => {
  const banner = panel?.querySelector('.banner')
  if (banner === null || banner === undefined) return
  banner.className = 'banner'
  banner.textContent = 'The preview server has stopped. This page reconnects when it starts again.'
})

function showTitle(title: string): void {
  if (heading === null || title === '' || heading.textContent === title) return
  heading.textContent = title
  document.title = `${title} · Texproof`
}

function showPdf(file: string | null): void {
  const viewer = document.querySelector<HTMLElement>('[data-viewer]')
  if (file === null || viewer?.dataset['file'] === file) return
  // The viewer appears with the first PDF.
  if (viewer === null) return location.reload()
  viewer.dataset['file'] = file
  viewer.dispatchEvent(new Event('pdf-changed'))
}

/** One request at a time, and one more if something changed in the meantime. */
async function refreshPanel(): Promise<void> {
  isStale = true
  if (isAsking) return
  isAsking = true
  while (isStale) {
    isStale = false
    // The preview has ended: keep the panel.
    const answer = await fetch('/panel').catch(() => null)
    if (panel !== null && answer?.ok) panel.innerHTML = await answer.text()
  }
  isAsking = false
}
