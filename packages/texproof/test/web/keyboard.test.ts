/** Journeys with the keyboard alone, in a real browser; each stop of Tab must be visible. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

let site: FilledSite
let browser: Browser

before(async () => {
  if (withoutBrowser !== false) return
  site = await openFilledSite()
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await site?.close()
})

/** A new window, optionally signed in. */
async function openWindow(t: TestContext, login: string | null): Promise<Page> {
  const page = await borrowWindow(browser, t, { baseURL: site.origin, viewport: { width: 1280, height: 700 } })
  if (login !== null) {
    const { cookies } = await site.signIn(login)
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: site.origin })))
  }
  return page
}

/** The focused element: its accessible name, whether it is visible and whether it has a focus ring. */
const readFocus = `(() => {
  const element = document.activeElement
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
  const box = element.getBoundingClientRect()
  const ringed = [element, element.parentElement].some((each) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })
  const isInSight = box.top >= 0 && box.bottom <= innerHeight + 1
  const top = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
  const isCovered = top !== null && !element.contains(top) && !top.contains(element) && !element.labels?.[0]?.contains(top)
  return { name: name.replaceAll(/\\s+/g, ' ').trim(), tag: element.tagName, ringed, isInSight, isCovered }
})()`

interface Focus {
  readonly name: string
  readonly tag: string
  readonly ringed: boolean
  readonly isInSight: boolean
  readonly isCovered: boolean
}

const MAX_STOPS = 80

/** Presses Tab until the element with this name has the focus; checks each stop. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let n = 0; n < MAX_STOPS; n += 1) {
    await page.keyboard.press('Tab')
    const focus: Focus = await page.evaluate(readFocus)
    passed.push(focus.name)
    if (focus.tag !== 'BODY')
      assert.deepEqual([focus.name, focus.ringed, focus.isInSight, focus.isCovered], [focus.name, true, true, false])
    if (name.test(focus.name)) return
  }
  assert.fail(`Tab does not come to ${name}, but to ${passed.join(' | ')}`)
}

async function pressAndWait(page: Page, key: string, address: RegExp): Promise<void> {
  await Promise.all([page.waitForURL(address), page.keyboard.press(key)])
}

test('Tab, Space and Enter sign in, create a repository and a token', { skip: withoutBrowser }, async (t) => {
  const page = await openWindow(t, null)
  await page.goto('/')
  await tabTo(page, /^Sign in$/)
  await pressAndWait(page, 'Enter', /\/login/)
  await tabTo(page, /^Username or/)
  await page.keyboard.type('alice')
  await tabTo(page, /^Password$/)
  await page.keyboard.type('nine trees by the river')
  await tabTo(page, /^Keep me signed in/)
  await page.keyboard.press('Space')
  await pressAndWait(page, 'Enter', /:\d+\/$/)

  await page.keyboard.press('g')
  await pressAndWait(page, 'n', /\/new$/)
  await tabTo(page, /^Name$/)
  await page.keyboard.type('currents')
  await tabTo(page, /^Private: you and your collaborators$/)
  await page.keyboard.press('ArrowDown')
  await tabTo(page, /^Create repository$/)
  await pressAndWait(page, 'Enter', /\/alice\/currents$/)
  assert.equal(await page.getByText('private', { exact: true }).count(), 0)

  await page.goto('/settings/tokens')
  await tabTo(page, /^New token$/)
  await pressAndWait(page, 'Enter', /\/tokens\/new$/)
  await tabTo(page, /^Name$/)
  await page.keyboard.type('laptop')
  await page.keyboard.press('Enter')
  await page.getByLabel('Token', { exact: true }).waitFor()
})

test(
  'Tab and keys star a paper, change branches, find a file and go to a line',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openWindow(t, 'alice')
    await page.goto('/alice/tides')
    await tabTo(page, /^Star$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Unstar' }).waitFor()

    await page.keyboard.press('b')
    await tabTo(page, /^feature\/a$/)
    await pressAndWait(page, 'Enter', /\/tree\/feature\/a$/)
    await pressAndWait(page, 't', /\/find\/feature\/a$/)
    await page.keyboard.type('intro')
    await page.locator('.found-files li').first().waitFor()
    await pressAndWait(page, 'Enter', /(?:q=intro|intro\.tex)$/)

    await page.goto('/alice/tides/blob/main/sections/intro.tex')
    await page.keyboard.press('l')
    await page.keyboard.type('1')
    await pressAndWait(page, 'Enter', /#L1$/)
    await pressAndWait(page, 'y', /\/blob\/[0-9a-f]{40}\/sections\/intro\.tex/)
    await pressAndWait(page, 'c', /\/commits\//)
    await page.keyboard.press('j')
    await pressAndWait(page, 'Enter', /\/commit\/[0-9a-f]{40}$/)
  },
)

test(
  'Enter in Find a file opens the first result of what was typed, even before its results arrive',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openWindow(t, 'alice')
    await page.goto('/alice/tides/find/main')
    const release = Promise.withResolvers<undefined>()
    await page.route(/\/find\/main\?q=/, async (route) => {
      await release.promise
      await route.continue()
    })
    await page.locator('#finder').pressSequentially('intro')
    await page.keyboard.press('Enter')
    release.resolve(undefined)
    await page.waitForURL(/\/blob\/main\/sections\/intro\.tex$/)
  },
)

test('Tab and Enter compare, share a PDF by a link and disable an account', { skip: withoutBrowser }, async (t) => {
  const page = await openWindow(t, 'alice')
  await page.goto('/alice/tides/compare')
  await tabTo(page, /^To$/)
  await page.keyboard.type('feature/a')
  await tabTo(page, /^Compare$/)
  await pressAndWait(page, 'Enter', /\/compare\/.*\.\.\./)

  await page.goto('/alice/tides/settings/share')
  await tabTo(page, /^Create link$/)
  await page.keyboard.press('Enter')
  await page.getByLabel('Link created').waitFor()

  await page.goto('/admin/users')
  await tabTo(page, /^Disable: bob$/)
  await pressAndWait(page, 'Enter', /\/bob\/disable$/)
  await tabTo(page, /^Disable account$/)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Enable: bob' }).waitFor()
})

test(
  'the list of keys of a PDF describes each of them, and shows arrows as on the keyboard',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openWindow(t, 'alice')
    await page.goto('/alice/tides/pdf/main')
    await page.locator('.viewer[data-state="shown"]').waitFor()
    await page.keyboard.press('?')
    const [keys, names] = await Promise.all(
      ['dt', 'dd'].map((part) => page.locator(`dialog.keys ${part}`).allTextContents()),
    )
    const rows = (keys ?? []).map((key, at) => `${key} ${names?.[at]}`)
    assert.deepEqual(
      rows.filter((row) => /^(?:\S*Arrow|[←→/+-] )/.test(row)),
      ['← Previous page', '→ Next page', '- Zoom out', '+ Zoom in', '/ Find in this PDF'],
    )
  },
)

test(
  'the list of keys is opened by ? and from the footer of a page, and closed by Escape',
  { skip: withoutBrowser },
  async (t) => {
    const page = await openWindow(t, 'alice')
    await page.goto('/alice/tides/blob/main/sections/intro.tex')
    await page.keyboard.press('?')
    const keys = page.locator('dialog.keys dt')
    assert.deepEqual(
      (await keys.allTextContents()).filter((key) => /^(?:\/|g h|g n|t|b|p|c|y|l|n, N|\?)$/.test(key)),
      ['g h', '/', 'g n', 'p', 'c', 'b', 'y', 't', 'l', 'n, N', '?'],
    )
    await page.keyboard.press('?')
    assert.equal(await page.locator('dialog').count(), 1)
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Shortcuts' }).focus()
    await page.keyboard.press('Enter')
    await keys.first().waitFor()
  },
)
