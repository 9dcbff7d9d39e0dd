/** Relative times, which the browser keeps up to date while a page is open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

test(
  '"5 s ago" becomes "3 min ago" while the page is open, in text and tables',
  { skip: withoutBrowser },
  async (t) => {
    const site = await openFilledSite()
    t.after(() => site.close())
    const browser = await openBrowser()
    t.after(() => browser.close())
    const page = await borrowWindow(browser, t, { baseURL: site.origin })
    await page.goto('/alice/tides')
    // On a busy machine, the first page does without the last commits of the files.
    await eventually(
      async () => {
        await page.reload()
        return page.locator('.files td[title]').count()
      },
      { until: (count) => count > 0 },
    )
    const times = page.locator('.latest time, .files td[title]')
    const at = Date.parse((await page.locator('time').first().getAttribute('datetime')) ?? '')
    const absolute = await times.first().getAttribute('title')
    // Otherwise a slow page would show a later time.
    await page.clock.install({ time: at })
    await page.clock.pauseAt(at + 5_000)
    await page.reload()
    await page
      .locator('time', { hasText: /^5 s ago$/ })
      .first()
      .waitFor()
    await page.clock.fastForward(3 * 60_000)
    await page
      .locator('time', { hasText: /^3 min ago$/ })
      .first()
      .waitFor()
    assert.deepEqual(
      [await times.first().getAttribute('title'), new Set((await times.allTextContents()).map((text) => text.trim()))],
      [absolute, new Set(['3 min ago'])],
    )
  },
)
