/** From an empty account to papers that are pushed, created, branched, renamed and made public, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { isOnPostgres } from '../support/database/test-database.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'

const password = 'nine trees by the river'
const PAPER = String.raw`\documentclass{article}
\title{Of Tides}
\begin{document}
\maketitle
Tides.
\end{document}
`

let host: PaperHost
let browser: Browser

before(async () => {
  host = await openPaperHost({ isPushToCreate: true })
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

// Scripts make no difference to the database.
for (const hasScript of isOnPostgres ? [false] : [true, false]) {
  const options = { skip: withoutBrowser }
  const how = hasScript ? 'with script' : 'without script'
  const login = hasScript ? 'alice' : 'bob'

  test(`an author creates a token on the first page, pushes a paper and finds it there, ${how}`, options, async (t) => {
    const page = await openPage(t, hasScript)
    await signIn(page, login)
    const lines = (await page.locator('.way pre').textContent()) ?? ''
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.locator('#token').inputValue()
    const remote = /remote add texproof (\S+)/.exec(lines)?.[1]?.replace('://', `://${login}:${token}@`) ?? ''
    const work = await host.makeCheckout(remote, { 'main.tex': PAPER })
    const pushed = await work.git('push', 'origin', 'main')
    assert.match(pushed.stderr, new RegExp(`Created private repository ${login}/tides`))

    await page.goto(host.origin)
    const row = page.locator('.repositories tr', { hasText: `${login} / tides` })
    assert.match((await row.textContent()) ?? '', /private[\s\S]*up to date[\s\S]*1\u{a0}page/u)
    await row.getByRole('img', { name: 'First page of main.pdf' }).click()
    assert.match(page.url(), new RegExp(`/${login}/tides/pdf/main$`))
  })

  const template = hasScript ? 'Thesis' : 'Article'
  test(`an author chooses the template ${template} in the gallery and reads its PDF, ${how}`, options, async (t) => {
    const page = await openPage(t, hasScript)
    await signIn(page, login)
    await page.getByRole('link', { name: 'New repository' }).click()
    await page.getByLabel('Name', { exact: true }).fill('winds')
    await page.getByLabel('Description').fill('On winds & waves')
    await page.getByRole('radio', { name: template }).check()
    await page.getByRole('button', { name: 'Create repository' }).click()
    // The page reloads automatically while the PDF is being built.
    await page.getByRole('link', { name: 'Open PDF' }).waitFor()
    assert.equal(await page.locator('.card .proof').textContent(), '● up to date')
  })

  test(`a branch is created, deleted, and restored, ${how}`, options, async (t) => {
    const page = await openPage(t, hasScript)
    await signIn(page, login)
    await page.goto(`${host.origin}/${login}/tides/branches`)
    await page.getByRole('link', { name: 'New branch' }).click()
    await page.getByLabel('Name', { exact: true }).fill('for the referee')
    await page.getByRole('button', { name: 'Create branch' }).click()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /the name cannot contain spaces/)
    await page.getByLabel('Name', { exact: true }).fill('for-the-referee')
    await page.getByRole('button', { name: 'Create branch' }).click()
    assert.match(page.url(), /\/tree\/for-the-referee$/)
    await page.getByRole('link', { name: 'Branches' }).click()
    await page.getByRole('link', { name: 'Delete for-the-referee' }).click()
    await page.getByRole('button', { name: 'Delete branch' }).click()
    assert.equal(await page.getByRole('link', { name: 'for-the-referee', exact: true }).count(), 0)
    await page.getByRole('button', { name: 'Restore for-the-referee' }).click()
    await page.getByRole('link', { name: 'for-the-referee', exact: true }).waitFor()
  })

  test(`a repository is renamed and made public, and its old address redirects to it, ${how}`, options, async (t) => {
    const page = await openPage(t, hasScript)
    await signIn(page, login)
    await page.goto(`${host.origin}/${login}/tides/settings`)
    await page.getByLabel('New name').fill('ocean-tides')
    await page.getByRole('button', { name: 'Rename repository' }).click()
    await page.getByRole('link', { name: 'Make public' }).click()
    assert.match((await page.locator('.becomes-visible').textContent()) ?? '', /2 branches[\s\S]*1 commit/)
    await page.getByLabel(`Type ${login}/ocean-tides`).fill(`${login}/ocean-tides`)
    await page.getByRole('button', { name: 'Make public' }).click()

    const anonymous = await openPage(t, hasScript)
    await anonymous.goto(`${host.origin}/${login}/tides`)
    assert.equal(anonymous.url(), `${host.origin}/${login}/ocean-tides`)
    await anonymous.goto(host.origin)
    const sheet = anonymous.locator('.gallery li', { hasText: `${login} / ocean-tides` })
    assert.match((await sheet.textContent()) ?? '', /Of Tides/)
  })
}

test('keys navigate the list, the repository and home, ? lists them, and they can be turned off', async (t) => {
  if (withoutBrowser !== false) return t.skip(withoutBrowser)
  const page = await openPage(t, true)
  await signIn(page, 'alice')
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  for (const name of ['listed-last', 'listed-first']) {
    const work = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), { 'a.txt': 'a\n' })
    await work.git('push', 'origin', 'main')
  }
  await page.goto(host.origin)
  const focused = async (): Promise<string | null> => {
    const row = page.locator('[data-row]:focus')
    return (await row.count()) === 0 ? null : row.getAttribute('href')
  }
  const rows = await page.locator('[data-row]').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  assert.equal(await focused(), rows[1])
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${host.origin}${rows[0]}`)
  await page.keyboard.press('b')
  assert.equal(await page.locator('details[data-key="b"]').getAttribute('open'), '')
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await page.waitForURL(/\/commits\//)
  await page.keyboard.press('?')
  assert.match((await page.locator('dialog.keys').textContent()) ?? '', /g hHome.*\/Search.*pPDF.*cCommits/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.waitForURL(`${host.origin}/`)

  await page.goto(`${host.origin}/settings/appearance`)
  await page.getByRole('checkbox').uncheck()
  await page.getByRole('button', { name: 'Save appearance' }).click()
  await page.goto(host.origin)
  await page.keyboard.press('j')
  assert.equal(await focused(), null)
})

/** A new window; any script error fails the test. */
async function openPage(t: TestContext, hasScript: boolean): Promise<Page> {
  const page = await borrowWindow(browser, t, { javaScriptEnabled: hasScript })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  t.after(async () => assert.deepEqual(faults, []))
  return page
}

async function signIn(page: Page, login: string): Promise<void> {
  await addTestUser(host.deps.store, { login, password })
  await page.goto(`${host.origin}/login`)
  await page.fill('[name=name]', login)
  await page.fill('[name=password]', password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Your repositories' }).waitFor()
}
