/** The editor on its page, with a real build and a real browser. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { fillText, readText } from '../support/web/editor.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const paper = String.raw`\documentclass{article}
\begin{document}
\section{Tides}
We write \foo here.
\begin{itemize}
  \item One
\end{itemize}
\end{document}
`

let host: PaperHost
let browser: Browser
let work: Checkout
let context: BrowserContext
let page: Page
/** What the browser reports: refused styles and scripts, exceptions. */
let complaints: string[]

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password, name: 'Alice Example' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  const token = await host.addToken(outcome.user, ['repo:write'])
  const repository = await host.addRepository(outcome.user, 'tides')
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'main.tex': paper, 'notes.txt': '' })
  await work.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
  if (withoutBrowser !== false) return
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: host.origin })
  await signIn()
})
after(async () => {
  await browser?.close()
  await host.close()
})
beforeEach(async () => {
  if (withoutBrowser !== false) return
  page = await context.newPage()
  complaints = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
})
afterEach(async () => {
  if (withoutBrowser !== false) return
  await page.close()
  assert.deepEqual(complaints, [])
})

async function signIn(): Promise<void> {
  const first = await context.newPage()
  await first.goto('/login')
  await first.fill('[name=name]', 'alice')
  await first.fill('[name=password]', password)
  await first.click('main button')
  await first.waitForURL(`${host.origin}/`)
  await first.close()
}

/** Opens a file and puts the cursor at the end of a line. */
async function openAt(path: string, line: number): Promise<void> {
  await page.goto(`/alice/tides/edit/main/${path}?line=${line}`)
  await page.locator('.cm-focused').waitFor()
  await page.keyboard.press('End')
}

test('Ctrl+S commits the text', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  await fillText(page, 'One.\nTwo.\n')
  await page.keyboard.press('Control+S')
  await page.waitForURL('**/blob/main/notes.txt?after=commit')
  await work.git('fetch', '--quiet', 'origin')
  assert.equal((await work.git('show', 'origin/main:notes.txt')).stdout, 'One.\nTwo.\n')
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
})

test('Enter after an open environment closes it', options, async () => {
  await openAt('main.tex', 3)
  await page.keyboard.press('Enter')
  await page.keyboard.type('\\begin{quote}')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Words')
  assert.match(await readText(page), /\n\\begin\{quote\}\n {2}Words\n\\end\{quote\}\nWe write/)
})

test('the cursor at a \\begin marks its \\end', options, async () => {
  await openAt('main.tex', 5)
  await page.keyboard.press('Home')
  assert.deepEqual(await page.locator('.cm-matchingBracket').allTextContents(), ['\\begin{itemize}', '\\end{itemize}'])
})

test('an environment folds', options, async () => {
  await openAt('main.tex', 5)
  await page.keyboard.press('Control+Shift+BracketLeft')
  await page.locator('.cm-foldPlaceholder').waitFor()
  assert.equal(await page.locator('.cm-line', { hasText: 'One' }).count(), 0)
})

test('the problem of the last build is on its line', options, async () => {
  await openAt('main.tex', 1)
  await page.keyboard.press('F8')
  assert.equal(await page.locator('.cm-lintRange-error').textContent(), 'We write \\foo here.')
  assert.match((await page.locator('.cm-diagnostic-error').textContent()) ?? '', /\\foo is not defined/)
})

test('Ctrl+/ comments a line and uncomments it', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.press('Control+/')
  assert.match(await readText(page), /\n% We write/)
  await page.keyboard.press('Control+/')
  assert.equal(await readText(page), paper)
})

test('Ctrl+F searches and replaces', options, async () => {
  await openAt('main.tex', 1)
  await page.keyboard.press('Control+F')
  await page.fill('.cm-search [name=search]', 'Tides')
  await page.fill('.cm-search [name=replace]', 'Waves')
  await page.click('.cm-search [name=replaceAll]')
  assert.equal(await readText(page), paper.replace('Tides', 'Waves'))
})

test('Tab indents, and after Esc it leaves the editor', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.press('Tab')
  assert.match(await readText(page), /\n {2}We write/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await page.locator('.cm-editor:not(.cm-focused)').waitFor()
})

test('commands, comments and verbatim text have the colors of sources', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await fillText(page, '\\emph{a} % note\n\\begin{verbatim}\n$ %\n\\end{verbatim}\n\\verb|$| b')
  const colors = await page.evaluate<readonly string[]>(COLORS)
  const [command, comment, verbatim, verb] = colors
  assert.deepEqual([new Set([command, comment, verbatim]).size, verb === verbatim], [3, true])
})

/** Runs in the page: the colors of a command, a comment, and verbatim text in an environment and in a line. */
const COLORS = `['\\\\emph', '% note', '$ %', '|$|'].map((text) => {
  const span = [...document.querySelectorAll('.cm-line span')].find(({ textContent }) => textContent.includes(text))
  return getComputedStyle(span).color
})`

for (const scheme of ['light', 'dark'] as const)
  test(`the editor with its search panel and a problem passes axe in ${scheme} mode`, options, async () => {
    const cookies = await context.cookies()
    const lenient = await browser.newContext({ baseURL: host.origin, colorScheme: scheme, bypassCSP: true })
    await lenient.addCookies(cookies)
    const other = await lenient.newPage()
    await other.goto('/alice/tides/edit/main/main.tex?line=4')
    await other.locator('.cm-focused').waitFor()
    await other.keyboard.press('Control+F')
    await other.locator('.cm-search').waitFor()
    assert.deepEqual(await findBarriers(other), [])
    await lenient.close()
  })
