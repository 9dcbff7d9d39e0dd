/** Layout shared by pages: the frame of a repository's pages, styled controls, and the PDF viewer on one screen. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'

import { everyPage } from '../support/web/every-page.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const WIDTHS = [320, 390, 1280, 1920]

let site: FilledSite
let browser: Browser

before(async () => {
  site = await openFilledSite()
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await site.close()
})

/**
 * Runs in a page: the left edges of the wordmark, the name of the repository, the tabs and every block below them, and
 * the number of visible headings of level 1.
 */
const measureFrame = `(() => {
  const left = (element) => Math.round(element.getBoundingClientRect().left)
  const tabs = document.querySelector('main > .repository')
  const content = [...document.querySelector('main').children].filter(
    (element) => element !== tabs && element.matches(':not(dialog, .visually-hidden)') && element.getClientRects().length > 0,
  )
  const headings = [...document.querySelectorAll('h1')].filter((heading) => heading.textContent.trim() !== '')
  return {
    edges: [...new Set([document.querySelector('.wordmark'), tabs.querySelector('.repository-name'), tabs.querySelector('.tabs a'), ...content].map(left))],
    headings: headings.length,
  }
})()`

test(
  'header, tabs and content of every page of a repository start at the same left edge, and it has one h1',
  { skip: withoutBrowser, timeout: 240_000 },
  async () => {
    const paths = everyPage(site)
      .filter(({ route, viewer, isPage }) => isPage && viewer === 'alice' && route.startsWith('/:owner/:repo'))
      .map(({ path }) => path)
    const context = await openContext()
    const page = await context.newPage()
    const found: string[] = []
    const edges = new Map<number, Set<number>>(WIDTHS.map((width) => [width, new Set<number>()]))
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        const frame = await page.evaluate<{ edges: readonly number[]; headings: number }>(measureFrame)
        if (frame.edges.length !== 1) found.push(`${path} at ${width} px: left edges ${frame.edges.join(', ')}`)
        if (frame.headings !== 1) found.push(`${path}: ${frame.headings} headings of level 1`)
        for (const edge of frame.edges) edges.get(width)?.add(edge)
      }
    }
    await context.close()
    assert.deepEqual([found, [...edges.values()].map(({ size }) => size)], [[], WIDTHS.map(() => 1)])
    assert.ok(paths.length > 30)
  },
)

/** Runs in a page: controls and disclosures in the browser's default style. */
const findDefaultControls = `(() => {
  const found = []
  for (const control of document.querySelectorAll('input:not([type=hidden]), select, textarea, button')) {
    const style = getComputedStyle(control)
    if (style.appearance !== 'none') found.push(control.outerHTML.slice(0, 80) + ' has appearance ' + style.appearance)
    if (style.borderStyle === 'outset' || style.borderStyle === 'inset') found.push(control.outerHTML.slice(0, 80) + ' has a default border')
    const file = control.type === 'file' ? getComputedStyle(control, '::file-selector-button') : null
    if (file !== null && (file.appearance !== 'none' || file.borderStyle !== 'solid')) found.push('a file input has a default button')
  }
  for (const summary of document.querySelectorAll('summary'))
    if (getComputedStyle(summary).listStyleType !== 'none') found.push(summary.outerHTML.slice(0, 80) + ' has a default triangle')
  return found
})()`

test('no page shows a control in the default browser style', { skip: withoutBrowser, timeout: 240_000 }, async () => {
  const found: string[] = []
  for (const viewer of ['alice', null] as const) {
    const context = viewer === null ? await browser.newContext({ baseURL: site.origin }) : await openContext()
    const page = await context.newPage()
    for (const { path } of everyPage(site).filter((each) => each.isPage && each.viewer === viewer)) {
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      found.push(...(await page.evaluate<readonly string[]>(findDefaultControls)).map((what) => `${path}: ${what}`))
    }
    await context.close()
  }
  assert.deepEqual(found, [])
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test(
  'the PDF page fills a phone with the paper below one toolbar of 48 px, and does not scroll itself',
  { skip: withoutBrowser },
  async () => {
    const context = await openContext(phone)
    const page = await context.newPage()
    await page.goto('/alice/tides/pdf/main')
    await page.locator('.viewer[data-state="shown"]').waitFor()
    const sheet = await page.locator('.pdfViewer .page').first().boundingBox()
    const pane = await page.locator('.viewer-frame').boundingBox()
    const bar = await page.locator('.viewer-bar').boundingBox()
    assert.deepEqual(
      {
        toolbar: bar?.height,
        isPaperInUpperHalf: (sheet?.y ?? Infinity) < phone.viewport.height / 2,
        paneEndsAt: Math.round((pane?.y ?? 0) + (pane?.height ?? 0)),
        pageScrolls: await page.evaluate('document.documentElement.scrollHeight > innerHeight'),
      },
      { toolbar: 48, isPaperInUpperHalf: true, paneEndsAt: phone.viewport.height, pageScrolls: false },
    )
    await context.close()
  },
)

test(
  'the PDF page shows a phone without script the first page on its first screen',
  { skip: withoutBrowser },
  async () => {
    const context = await openContext({ ...phone, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/alice/tides/pdf/main')
    const picture = await page.locator('.page-pictures img').first().boundingBox()
    assert.ok((picture?.y ?? Infinity) < phone.viewport.height / 2)
    await context.close()
  },
)

test('the current tab of a repository is within a small screen', { skip: withoutBrowser }, async () => {
  const context = await openContext({ viewport: { width: 320, height: 640 } })
  const page = await context.newPage()
  await page.goto('/alice/tides/settings')
  const tab = await page.locator('.tabs [aria-current]').boundingBox()
  assert.ok((tab?.x ?? -1) >= 0 && (tab?.x ?? 0) + (tab?.width ?? 0) <= 320, JSON.stringify(tab))
  await context.close()
})

test('the status in the toolbar opens and closes the panel', { skip: withoutBrowser }, async () => {
  const context = await openContext(phone)
  const page = await context.newPage()
  await page.goto('/alice/tides/pdf/main')
  await page.locator('.viewer[data-state="shown"]').waitFor()
  const status = page.locator('.viewer-status')
  const read = async () => [await status.getAttribute('aria-expanded'), await page.locator('#problems').isVisible()]
  const closed = await read()
  await status.click()
  const open = await read()
  await page.keyboard.press('Escape')
  assert.deepEqual(
    [closed, open, await read()],
    [
      ['false', false],
      ['true', true],
      ['false', false],
    ],
  )
  await context.close()
})

async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const { cookies } = await site.signIn('alice')
  const context = await browser.newContext({ baseURL: site.origin, ...options })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  return context
}
