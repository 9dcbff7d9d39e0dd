/** Every page as a reader with other eyes or hands meets it: axe finds nothing serious, in light and in dark. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { createWebApp } from '../src/web/app.ts'
import { everyPage } from './support/every-page.ts'
import { openFilledSite } from './support/filled-site.ts'
import type { FilledSite } from './support/filled-site.ts'
import { findBarriers } from './support/find-barriers.ts'
import { openBrowser, withoutBrowser } from './support/open-browser.ts'

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

test('every kind of page stands in the list of pages to look at', () => {
  const routes = createWebApp(site.host.deps)
    .routes.filter(({ method, path }) => method === 'GET' && !path.includes('*'))
    .map(({ path }) => path)
  const listed = new Set(everyPage(site).map(({ route }) => route))
  assert.deepEqual(
    [...new Set(routes)].filter((route) => !listed.has(route)),
    [],
  )
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no page has a serious barrier in ${colorScheme}`, { skip: withoutBrowser }, async () => {
    const found: string[] = []
    for (const viewer of ['alice', null] as const) {
      const context = await browser.newContext({ colorScheme, baseURL: site.origin, bypassCSP: true })
      if (viewer !== null) {
        const { cookies } = await site.signIn(viewer)
        await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
      }
      const page = await context.newPage()
      for (const { path } of everyPage(site).filter((each) => each.viewer === viewer && each.isPage)) {
        await page.goto(path)
        found.push(...(await findBarriers(page)).map((barrier) => `${path}: ${barrier}`))
      }
      await context.close()
    }
    assert.deepEqual(found, [])
  })
}

test('no page and no menu is wider than a small phone', { skip: withoutBrowser }, async () => {
  const width = 360
  const { cookies } = await site.signIn('alice')
  const context = await browser.newContext({ baseURL: site.origin, viewport: { width, height: 800 } })
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  const page = await context.newPage()
  const found: string[] = []
  for (const { path } of everyPage(site).filter(({ viewer, isPage }) => viewer !== null && isPage)) {
    await page.goto(path)
    const edges = await page.locator('html, details[data-menu] > .menu').evaluateAll((elements) =>
      elements.map((element) => {
        element.closest('details')?.setAttribute('open', '')
        return [element.getBoundingClientRect().left, element.scrollWidth] as const
      }),
    )
    if (edges.some(([left, wide]) => left < 0 || left + wide > width)) found.push(`${path}: ${String(edges)}`)
  }
  await context.close()
  assert.deepEqual(found, [])
})
