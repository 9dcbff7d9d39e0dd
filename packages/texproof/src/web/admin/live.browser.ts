/**
 * A page on which something changes for a while: asked for anew now and again, until it says itself that nothing will
 * change any more. What is the same stays untouched, so neither the focus nor a picture is lost. A tab that nobody looks
 * at asks for nothing.
 */
const EVERY_MS = 2_000

wait()

function wait(): void {
  if (document.querySelector('[data-live] [data-changing]') !== null) setTimeout(() => void look(), EVERY_MS)
}

async function look(): Promise<void> {
  const shown = document.querySelector('[data-live]')
  const next = document.visibilityState === 'visible' ? await ask() : shown
  // Whoever is signed out meanwhile, for example, learns so from the page itself.
  if (next === undefined) return location.reload()
  if (shown !== null && next !== null) take(shown, next)
  wait()
}

/** null = no answer, which the next one may make good; undefined = another page came. */
async function ask(): Promise<Element | null | undefined> {
  try {
    const answer = await fetch(location.href)
    if (answer.status >= 500) return null
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return page.querySelector('[data-live]') ?? undefined
  } catch {
    // The server cannot be reached now: the page stays as it is, and the next look tries again.
    return null
  }
}

/** Makes one node into another by few changes; what is added to the end of a list leaves the rest of it alone. */
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
