/** The page of a build under way: says what is being done, and loads itself again once the build is over. */
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
