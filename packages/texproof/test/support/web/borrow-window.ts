import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

interface Cleaner {
  after(clean: () => Promise<void>): void
}

/** Returned windows by options. */
const free = new WeakMap<Browser, Map<string, Page[]>>()

/**
 * An empty window until the end of a test, which another test may have used before. A new window needs a process that
 * compiles every script again, about a second of processor time. The cache of files and scripts that a test adds to
 * its pages survive.
 */
export async function borrowWindow(browser: Browser, t: Cleaner, options: BrowserContextOptions = {}): Promise<Page> {
  const ofBrowser = free.get(browser) ?? new Map<string, Page[]>()
  free.set(browser, ofBrowser)
  const key = JSON.stringify(options)
  const returned = ofBrowser.get(key) ?? []
  ofBrowser.set(key, returned)
  const page = returned.pop() ?? (await (await browser.newContext(options)).newPage())
  t.after(async () => {
    if (page.isClosed()) return page.context().close()
    // A page that reloads itself at this moment, as when a PDF is ready, cannot be left: it is not used again.
    const isEmpty = await clear(page, options).then(
      () => true,
      () => false,
    )
    if (isEmpty) returned.push(page)
    else await page.context().close()
  })
  return page
}

async function clear(page: Page, { viewport }: BrowserContextOptions): Promise<void> {
  const context = page.context()
  page.removeAllListeners()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll()
  await context.setOffline(false)
  const { origin } = new URL(page.url())
  await page.goto('about:blank')
  // After the page was left, because pages store text when they are left.
  const devtools = await context.newCDPSession(page)
  if (origin !== 'null') await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null })
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
  await context.clearCookies()
}
