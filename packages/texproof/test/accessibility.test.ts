/** Every page as a reader with other eyes or hands meets it: axe finds nothing serious, in light and in dark. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { after, before, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { createWebApp } from '../src/web/app.ts'
import { everyPage } from './support/every-page.ts'
import { openFilledSite } from './support/filled-site.ts'
import type { FilledSite } from './support/filled-site.ts'
import { openBrowser, withoutBrowser } from './support/open-browser.ts'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

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
        await page.evaluate(axe)
        const violations = await page.evaluate(runAxe)
        found.push(...violations.map((violation) => `${path}: ${violation}`))
      }
      await context.close()
    }
    assert.deepEqual(found, [])
  })
}

interface AxeWindow {
  readonly axe: {
    run(options: object): Promise<{
      readonly violations: readonly {
        readonly id: string
        readonly impact: string
        readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
      }[]
    }>
  }
}

/** Runs in the page. */
async function runAxe(): Promise<string[]> {
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const { violations } = await (globalThis as unknown as AxeWindow).axe.run({ runOnly, iframes: false })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id} at ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(', ')}: ${nodes[0]?.failureSummary ?? ''}`,
    )
}
