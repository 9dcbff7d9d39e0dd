/** The live preview: takes over the state and the PDF of each compile as they change. */
const panel = document.querySelector<HTMLElement>('#state')
const paper = document.querySelector<HTMLElement>('#paper')
const heading = document.querySelector<HTMLElement>('#title')

let shownPdf = Number(/paper-(\d+)\.pdf/.exec(paper?.querySelector('object')?.data ?? '')?.[1] ?? 0)
let isAsking = false
let isStale = false

const events = new EventSource('/events')
events.addEventListener('state', ({ data }: MessageEvent<string>) => {
  const { title, pdfNumber } = JSON.parse(data) as { readonly title: string; readonly pdfNumber: number }
  if (heading !== null && title !== '' && heading.textContent !== title) {
    heading.textContent = title
    document.title = `${title} · Texproof`
  }
  void refreshPanel()
  if (pdfNumber === shownPdf) return
  shownPdf = pdfNumber
  void replace(paper, '/paper')
})
events.addEventListener('error', () => {
  const banner = panel?.querySelector('.banner')
  if (banner === null || banner === undefined) return
  banner.className = 'banner'
  banner.textContent = 'The command that made this preview has ended. It goes on when the command runs again.'
})

/** One question at a time, and one more when something changed in between. */
async function refreshPanel(): Promise<void> {
  isStale = true
  if (isAsking) return
  isAsking = true
  while (isStale) {
    isStale = false
    await replace(panel, '/panel')
  }
  isAsking = false
}

async function replace(shown: HTMLElement | null, address: string): Promise<void> {
  const answer = await fetch(address).catch(() => null)
  if (shown === null || answer === null || !answer.ok) return
  shown.innerHTML = await answer.text()
}
