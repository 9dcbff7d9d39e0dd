/** Keeps "2 min ago" up to date while a page is open, including for elements that other scripts add. */
import { formatRecentAge } from './format-age.ts'

const EVERY_MS = 60_000
/** Interval while an age is counted in seconds. */
const EVERY_MS_AT_FIRST = 10_000

let timer: ReturnType<typeof setTimeout> | undefined

// A page of the history of the browser, and a tab that was hidden.
addEventListener('pageshow', refresh)
document.addEventListener('visibilitychange', refresh)
refresh()

function refresh(): void {
  clearTimeout(timer)
  if (document.visibilityState === 'hidden') return
  let isRecent = false
  for (const element of document.querySelectorAll<HTMLElement>('[data-ago]')) {
    const age = formatRecentAge(timeOf(element), Date.now())
    // Older than a month: the server has written the date.
    if (age === null) continue
    isRecent ||= age.endsWith(' s ago')
    if (element.textContent === age) continue
    // A new age in a live region must not be announced.
    element.setAttribute('aria-live', 'off')
    element.textContent = age
  }
  timer = setTimeout(refresh, isRecent ? EVERY_MS_AT_FIRST : EVERY_MS)
}

/** Milliseconds since 1970 of `2026-03-03 14:05:09 UTC`. */
function timeOf({ title }: HTMLElement): number {
  return Date.parse(title.replace(' UTC', 'Z').replace(' ', 'T'))
}
