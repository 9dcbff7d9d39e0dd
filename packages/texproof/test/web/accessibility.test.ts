/** Accessibility of every page: axe finds no serious violation, in light and dark mode. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { createWebApp } from '../../src/web/app.ts'
import { everyPage } from '../support/web/every-page.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

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

test('every route is in the list of sampled pages', () => {
  const routes = createWebApp(site.host.deps)
    .routes.filter(({ method, path }) => method === 'GET' && !path.includes('*'))
    .map(({ path }) => path)
  const listed = new Set(everyPage(site).map(({ route }) => route))
  assert.deepEqual(
    [...new Set(routes)].filter((route) => !listed.has(route)),
    [],
  )
})

test('no page has a serious accessibility violation', { skip: withoutBrowser }, async () => {
  const found: string[] = []
  await visitPages({ colorScheme: 'light' }, async (page, path) => {
    found.push(...(await findBarriers(page)).map((barrier) => `${path}: ${barrier}`))
  })
  assert.deepEqual(found, [])
})

// Only the colors differ from light mode.
test('no page has too little contrast in dark mode', { skip: withoutBrowser }, async () => {
  const found: string[] = []
  await visitPages({ colorScheme: 'dark' }, async (page, path) => {
    found.push(
      ...(await findBarriers(page, ['color-contrast', 'link-in-text-block'])).map((barrier) => `${path}: ${barrier}`),
    )
  })
  assert.deepEqual(found, [])
})

/** Runs in a page: problems on a small screen, with inexact pointers, or in the list of headings. */
const findStumbles = `(() => {
  document.querySelectorAll('details').forEach((details) => (details.open = details.matches('[data-menu]') || details.open))
  const found = []
  const wide = document.documentElement.scrollWidth
  if (wide > innerWidth) found.push('scrolls sideways: ' + wide)
  for (const menu of document.querySelectorAll('details[data-menu] > .menu')) {
    const { left, right } = menu.getBoundingClientRect()
    if (left < 0 || right > innerWidth) found.push('menu from ' + left + ' to ' + right)
  }
  const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(({ tagName }) => Number(tagName[1]))
  if (levels.filter((level) => level === 1).length !== 1) found.push('headings of level 1: ' + levels)
  if (levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1)) found.push('a level of headings is missing: ' + levels)
  const targets = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
    .filter((target) => target.checkVisibility({ visibilityProperty: true }) && !target.matches('.skip, .visually-hidden *'))
    .map((target) => [target, target.getBoundingClientRect()])
  // A small target is fine within a sentence, or with enough space around it.
  const isAlone = ([target, box]) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    return targets.every(([other, { left, right, top, bottom }]) => other === target || other.contains(target) ||
      Math.hypot(x - Math.min(Math.max(x, left), right), y - Math.min(Math.max(y, top), bottom)) >= 12)
  }
  for (const each of targets) {
    const [target, { width, height }] = each
    const isInText = getComputedStyle(target).display === 'inline' && target.parentElement.textContent.trim() !== target.textContent.trim()
    if (width > 0 && (width < 24 || height < 24) && !isInText && !isAlone(each))
      found.push('small target: ' + target.outerHTML.slice(0, 90) + ' ' + Math.round(width) + ' x ' + Math.round(height))
  }
  return found
})()`

/** Text spacing that users may set for every page (WCAG 1.4.12). */
const WIDER_TEXT = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`

test(
  'no page is wider than 320 px, has small targets or skips a heading level',
  {
    skip: withoutBrowser,
  },
  async () => {
    const found: string[] = []
    await visitPages({ viewport: { width: 320, height: 640 } }, async (page, path) => {
      const stumbles: readonly string[] = await page.evaluate(findStumbles)
      found.push(...stumbles.map((stumble) => `${path}: ${stumble}`))
      await page.addStyleTag({ content: WIDER_TEXT })
      const wide: number = await page.evaluate('document.documentElement.scrollWidth')
      if (wide > 320) found.push(`${path}: scrolls sideways with letters further apart: ${wide}`)
    })
    assert.deepEqual(found, [])
  },
)

test('a printed page shows neither buttons nor tokens', { skip: withoutBrowser }, async () => {
  const { cookies } = await site.signIn('alice')
  const context = await browser.newContext({ baseURL: site.origin })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  const page = await context.newPage()
  await page.goto('/settings/tokens/new')
  await page.getByLabel('Name').fill('laptop')
  await page.getByRole('button', { name: 'Create token' }).click()
  const text = await page.getByLabel('Token', { exact: true }).inputValue()
  await page.emulateMedia({ media: 'print' })
  const printed = await page.locator('body').innerText()
  assert.deepEqual(
    [text.startsWith('pst_'), printed.includes('The token is not printed.'), printed.includes(text)],
    [true, true, false],
  )
  assert.deepEqual([await page.locator('#token').isVisible(), await page.locator('button:visible').count()], [false, 0])
  await context.close()
})

/** Opens every page as alice, or anonymously where that is required, and passes it on. */
async function visitPages(
  options: BrowserContextOptions,
  look: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  for (const viewer of ['alice', null] as const) {
    const context = await browser.newContext({ baseURL: site.origin, bypassCSP: true, ...options })
    if (viewer !== null) {
      const { cookies } = await site.signIn(viewer)
      await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
    }
    const page = await context.newPage()
    for (const { path } of everyPage(site).filter((each) => each.viewer === viewer && each.isPage)) {
      await page.goto(path)
      await look(page, path)
    }
    await context.close()
  }
}
