/**
 * Reloads a changing page at intervals until the page is marked as final. Unchanged elements are kept, so neither
 * the focus nor images are lost. A hidden tab requests nothing.
 */
const EVERY_MS = 2_000

wait()

function wait(): void {
  if (document.querySelector('[data-live] [data-changing]') !== null) setTimeout(() => void look(), EVERY_MS)
}

async function look(): Promise<void> {
  const shown = document.querySelector('[data-live]')
  const next = document.visibilityState === 'visible' ? await ask() : shown
  // The session has ended, for example: the page itself shows why.
  if (next === undefined) return location.reload()
  if (shown !== null && next !== null) take(shown, next)
  wait()
}

/** null = no response, retried later; undefined = a different page. */
async function ask(): Promise<Element | null | undefined> {
  try {
    const answer = await fetch(location.href)
    if (answer.status >= 500) return null
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return page.querySelector('[data-live]') ?? undefined
  } catch {
    // The server is unreachable: keep the page and retry.
    return null
  }
}

/** Turns one node into another with few changes; nodes added at the end leave the rest untouched. */
function take(shown: ChildNode, next: ChildNode): void {
  if (shown.isEqualNode(next)) return
  if (!shown.cloneNode().isEqualNode(next.cloneNode())) return shown.replaceWith(next)
  const [left, right] = [[...shown.childNodes], [...next.childNodes]]
  for (const [index, child] of right.entries()) {
    const old = left[index]
    if (old === undefined) shown.appendChild(child)
    else take(old, child)
  }
  for (const surplus of left.slice(right.length)) surplus.remove()
}
