/** The page of a running build: shows its progress, and reloads when the build ends. */
const live = document.querySelector<HTMLElement>('[data-build-events]')

if (live !== null) listen(live, new EventSource(live.dataset['buildEvents'] ?? ''))

function listen(shown: HTMLElement, events: EventSource): void {
  events.addEventListener('progress', ({ data }: MessageEvent<string>) => {
    const { progress } = JSON.parse(data) as { readonly progress: string | null }
    shown.textContent = progress ?? 'queued'
  })
  events.addEventListener('over', () => {
    events.close()
    location.reload()
  })
}
