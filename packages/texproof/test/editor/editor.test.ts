/** The editor on its page, with a real build and a real browser. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'

import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core'

import { createToken } from '../../src/accounts/tokens/create-token.ts'
import { endDraft } from '../../src/operations/edit/drafts.ts'
import { openStore } from '../../src/store/store.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { readPdfText } from '../support/read-pdf-text.ts'
import { fillText, readText } from '../support/web/editor.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { makeFolder } from '../support/make-folder.ts'
import { startHost } from '../support/hosts/start-host.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

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
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>
let page: Page
/** Problems that the browser reports: refused styles and scripts, exceptions. */
let complaints: string[]
/** For tests without a network or a session, and of refused forms. The browser may report a failed connection after the next one succeeded. */
const failedConnection = /^(?:WebSocket connection to .* failed|Failed to load resource)/
let mayFailToConnect: boolean
let userId: string

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password, name: 'Alice Example' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  userId = outcome.user.id
  const token = await host.addToken(outcome.user, ['repo:write'])
  const repository = await host.addRepository(outcome.user, 'tides')
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), {
    'main.tex': paper,
    'notes.txt': '',
    'data/depth.csv': '1\n',
    'refs.bib': '@book{smith, title = {Tides}}\n',
  })
  await work.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
  if (withoutBrowser !== false) return
  browser = await openBrowser()
  context = await browser.newContext({ baseURL: host.origin })
  await signIn()
  storageState = await context.storageState()
  await context.close()
})
after(async () => {
  await browser?.close()
  await host.close()
})
beforeEach(async (t) => {
  // There are no suites, whose contexts have no `after`.
  if (withoutBrowser !== false || !('after' in t)) return
  await discardDrafts()
  page = await borrowWindow(browser, t, { viewport: { width: 1280, height: 900 }, baseURL: host.origin })
  context = page.context()
  await context.addCookies(storageState.cookies)
  complaints = []
  mayFailToConnect = false
  page.on('console', (message) => {
    const isExpected = mayFailToConnect && failedConnection.test(message.text())
    if (message.type() === 'error' && !isExpected) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
})
afterEach(async () => {
  if (withoutBrowser !== false) return
  // A change that arrives later would be in the text of the next test.
  await page.locator('[data-draft-status]:text-is("Saving…")').waitFor({ state: 'detached' })
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

/** Adds a repository with a built paper. */
async function addPaper(name: string, text: string): Promise<void> {
  const alice = await host.deps.store.users.findByLogin('alice')
  if (alice === null) throw new Error('no user')
  const added = await host.addRepository(alice, name)
  const token = await host.addToken(alice, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), { 'main.tex': text })
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(added.id)
}

/** Opens a file and puts the cursor at the end of a line. */
async function openAt(path: string, line: number): Promise<void> {
  await page.goto(`/alice/tides/edit/main/${path}?line=${line}`)
  await page.locator('.cm-focused').waitFor()
  await page.keyboard.press('End')
}

test('Ctrl+S commits the text, and the editor stays open', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  await fillText(page, 'One.\nTwo.\n')
  await page.keyboard.press('Control+S')
  await page.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  await work.git('fetch', '--quiet', 'origin')
  assert.equal((await work.git('show', 'origin/main:notes.txt')).stdout, 'One.\nTwo.\n')
  await page.keyboard.press('Control+S')
  await page.locator('[data-draft-status]:text-is("There are no changes to commit.")').waitFor()
  await page.keyboard.type('Three.')
  await whenSaved()
  await page.keyboard.press('Control+S')
  await page.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  await work.git('fetch', '--quiet', 'origin')
  assert.deepEqual(
    [(await work.git('show', 'origin/main:notes.txt')).stdout, new URL(page.url()).pathname],
    ['One.\nTwo.\nThree.\n', '/alice/tides/edit/main/notes.txt'],
  )
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
})

test('Ctrl+S leaves out a draft of another file that conflicts, and links to it', options, async () => {
  await page.goto('/alice/tides/edit/main/data/depth.csv')
  await fillText(page, '2\n')
  await whenSaved()
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'data/depth.csv': '3\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  await page.goto('/alice/tides/edit/main/notes.txt')
  await fillText(page, 'Four.\n')
  await whenSaved()
  await page.keyboard.press('Control+S')
  const status = page.locator('[data-draft-status]', { hasText: 'Committed' })
  await status.waitFor()
  await work.git('fetch', '--quiet', 'origin')
  const { stdout: id } = await work.git('log', '-1', '--format=%h', '--abbrev=7', 'origin/main')
  const text = `Committed ${id.trim()}. The draft of "data/depth.csv" conflicts with newer commits. Commit it in data/depth.csv`
  assert.deepEqual(
    [
      await status.textContent(),
      await status.locator('a').getAttribute('href'),
      (await work.git('show', 'origin/main:notes.txt', 'origin/main:data/depth.csv')).stdout,
      (await work.git('log', '-1', '--format=%s', 'origin/main')).stdout,
    ],
    [text, '/alice/tides/edit/main/data/depth.csv', 'Four.\n3\n', 'Edit notes.txt\n'],
  )
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
})

test('Ctrl+S in the search commits, and the search keeps the focus', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  await fillText(page, 'High water.\n')
  await page.keyboard.press('Control+F')
  await page.locator('.cm-search [name=search]:focus').waitFor()
  await page.keyboard.type('hi')
  await page.keyboard.press('Control+S')
  await page.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  await page.keyboard.type('gh')
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  assert.deepEqual(
    [(await work.git('show', 'HEAD:notes.txt')).stdout, await page.locator('.cm-search [name=search]').inputValue()],
    ['High water.\n', 'high'],
  )
})

test('Ctrl+S during a commit also commits what was typed meanwhile', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  await fillText(page, 'One.\n')
  await whenSaved()
  const answer = await beginCommit()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Two.')
  await whenSaved()
  await page.keyboard.press('Control+S')
  const [second] = await Promise.all([page.waitForRequest(isCommit), answer()])
  await second.response()
  await page.unroute('**/edit/main/notes.txt')
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  assert.equal((await work.git('show', 'HEAD:notes.txt')).stdout, 'One.\nTwo.\n')
})

test('the end of a commit leaves the focus in the search, where the author types meanwhile', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  await fillText(page, 'Ebb and flow.\n')
  await whenSaved()
  const answer = await beginCommit()
  await page.keyboard.press('Control+F')
  await page.locator('.cm-search [name=search]:focus').waitFor()
  await page.keyboard.type('fl')
  answer()
  await page.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  await page.keyboard.type('ow')
  assert.deepEqual(
    [await page.locator('.cm-search [name=search]').inputValue(), await readText(page)],
    ['flow', 'Ebb and flow.\n'],
  )
  await page.unroute('**/edit/main/notes.txt')
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
})

function isCommit(request: Request): boolean {
  return request.method() === 'POST' && request.url().includes('/edit/')
}

/** Begins a commit of notes.txt. The page gets its response when the returned function is called. */
async function beginCommit(): Promise<() => void> {
  const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/edit/main/notes.txt', async (route) => {
    if (!isCommit(route.request())) return route.fallback()
    const response = await route.fetch()
    arrived.resolve()
    await answered.promise
    await route.fulfill({ response })
  })
  await page.keyboard.press('Control+S')
  await arrived.promise
  return answered.resolve
}

test('Enter after an open environment closes it', options, async () => {
  await openAt('main.tex', 3)
  await page.keyboard.press('Enter')
  await page.keyboard.type('\\begin{quote}')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Words')
  assert.match(await readText(page), /\n\\begin\{quote\}\n {2}Words\n\\end\{quote\}\nWe write/)
})

test('Enter closes an environment inside another one of the same name', options, async () => {
  await openAt('main.tex', 6)
  await page.keyboard.press('Enter')
  await page.keyboard.type('\\begin{itemize}')
  await page.keyboard.press('Enter')
  await page.keyboard.type('\\item Two')
  assert.match(
    await readText(page),
    /\\item One\n {2}\\begin\{itemize\}\n {4}\\item Two\n {2}\\end\{itemize\}\n\\end\{itemize\}/,
  )
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

test('typing in a line that was opened by its number adds to the line', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex?line=6')
  await page.locator('.cm-requested-line').waitFor()
  await page.keyboard.type('% ')
  await page.locator('.cm-requested-line').waitFor({ state: 'detached' })
  assert.equal(await readText(page), paper.replace('\\item', '% \\item'))
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

test('the search panel has labels in sentence case', options, async () => {
  await openAt('main.tex', 1)
  await page.keyboard.press('Control+F')
  assert.deepEqual(await page.locator('.cm-search :is(.cm-button, label)').allTextContents(), [
    'Next',
    'Previous',
    'Select all',
    'Match case',
    'Regular expression',
    'Whole word',
    'Replace',
    'Replace all',
  ])
})

test('Ctrl+Alt+G goes to a line', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' Changed.')
  await page.keyboard.press('Control+Alt+g')
  await page.fill('.cm-goto-line input', '6')
  await page.click('.cm-goto-line button:text-is("Go")')
  await page.locator('.cm-activeLineGutter:text-is("6")').waitFor()
  await page.locator('.cm-goto-line').waitFor({ state: 'detached' })
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

test('a print of the editor contains every line of the text once', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  const lines = Array.from({ length: 300 }, (_, index) => `tide${index + 1}.`)
  await fillText(page, lines.join('\n'))
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  const printed = await readPdfText(await page.pdf())
  assert.deepEqual(printed.match(/tide\d+\./g), lines)
})

test('sources have no ligatures', options, async () => {
  await openAt('main.tex', 4)
  const shown = "getComputedStyle(document.querySelector('.cm-line')).fontVariantLigatures"
  assert.equal(await page.evaluate(shown), 'none')
})

// With them, Chromium takes seconds for a paragraph of 50 kB on one line.
test('the field that the editor replaces has no ligatures', options, async () => {
  await openAt('main.tex', 4)
  const shown = "getComputedStyle(document.querySelector('#text')).fontVariantLigatures"
  assert.equal(await page.evaluate(shown), 'none')
})

test('the letters that warm up the editor are neither in the text nor in a draft', options, async () => {
  await openAt('main.tex', 4)
  const before = await readText(page)
  await page.evaluate(`(async () => {
    for (let turn = 0; turn < 60; turn += 1) await new Promise((resolve) => requestIdleCallback(resolve))
  })()`)
  const after = [await readText(page), await page.locator('[data-draft-status]').textContent()]
  assert.deepEqual(after, [before, ''])
})

test('entries of a bibliography have the colors of sources', options, async () => {
  await page.goto('/alice/tides/edit/main/refs.bib')
  await fillText(page, 'Note\n@book{smith,\n  title = "The {T}ides",\n  year = 2020\n}\n@misc(jones,')
  await page.locator('.cm-line span', { hasText: '@misc' }).waitFor()
  const painted = await page.evaluate<readonly (readonly string[])[]>(PAINTED)
  assert.deepEqual(painted, [
    ['Note', 'ink-soft'],
    ['@book', 'syntax-word'],
    ['smith', 'syntax-name'],
    ['title', 'syntax-name'],
    ['"The {T}ides"', 'syntax-text'],
    ['year', 'syntax-name'],
    ['2020', 'syntax-value'],
    ['@misc', 'syntax-word'],
    ['jones', 'syntax-name'],
  ])
})

/** Runs in the page: the colored texts, each with the name of its color. */
const PAINTED = `(() => {
  const probe = document.body.appendChild(document.createElement('span'))
  const names = ['ink-soft', 'syntax-word', 'syntax-name', 'syntax-text', 'syntax-value']
  const colors = new Map(names.map((name) => {
    probe.style.color = 'var(--' + name + ')'
    return [getComputedStyle(probe).color, name]
  }))
  probe.remove()
  return [...document.querySelectorAll('.cm-line > span')].map((one) => [one.textContent, colors.get(getComputedStyle(one).color)])
})()`

for (const scheme of ['light', 'dark'] as const)
  test(`the editor with its search panel and a problem passes axe in ${scheme} mode`, options, async () => {
    const lenient = await browser.newContext({
      baseURL: host.origin,
      colorScheme: scheme,
      bypassCSP: true,
      storageState,
    })
    const other = await lenient.newPage()
    await other.goto('/alice/tides/edit/main/main.tex?line=4')
    await other.locator('.cm-focused').waitFor()
    await other.keyboard.press('Control+F')
    await other.locator('.cm-search').waitFor()
    assert.deepEqual(await findBarriers(other), [])
    await lenient.close()
  })

async function whenSaved(): Promise<void> {
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
}

async function discardDrafts(): Promise<void> {
  for (const key of await host.deps.store.drafts.listOfUser(userId, 100))
    await endDraft(host.deps, key, { draft: null, by: 'Alice' })
}

test('a draft is listed on the home page, opens on another device, and is discarded explicitly', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' A draft.')
  await whenSaved()
  const device = await browser.newContext({ baseURL: host.origin, storageState })
  const other = await device.newPage()
  await other.goto('/')
  await other.click('a:text-is("main.tex")')
  assert.equal(await readText(other), paper.replace('here.', 'here. A draft.'))
  await other.click('.editor-bar summary')
  await other.click('button:text("Discard draft")')
  assert.equal(await readText(other), paper)
  await device.close()
})

test('a page with a draft shows when it was saved, also after the connection', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' A draft.')
  await whenSaved()
  const requests: string[] = []
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => requests.push(String(payload))))
  await page.reload()
  await eventually(() => requests, { until: (all) => all.some((text) => text.includes('"ready"')) })
  assert.match((await page.locator('[data-draft-status]').textContent()) ?? '', /^Draft saved .+ ago$/)
})

test('the menu of the editor leads to the collaborators and to share links', options, async () => {
  await openAt('main.tex', 4)
  await page.click('.editor-bar summary')
  const links = page.locator('.editor-bar .menu a')
  assert.deepEqual(await links.allTextContents(), [
    'Word count',
    'History of this file',
    'Collaborators',
    'Share the PDF',
    'Delete this file',
  ])
  await links.getByText('Share the PDF').click()
  await page.click('a:text-is("invite collaborators")')
  await page.waitForURL('**/alice/tides/people')
})

test('a commit contains the draft and ends it', options, async () => {
  await openAt('notes.txt', 1)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Three.')
  await whenSaved()
  await page.keyboard.press('Control+S')
  await page.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  assert.deepEqual(await host.deps.store.drafts.listOfUser(userId, 10), [])
})

test('the outline keeps its buttons when lines move, and they open the new lines', options, async () => {
  await openAt('main.tex', 2)
  const button = page.locator('.editor-outline button:text-is("Tides")')
  await button.waitFor()
  await button.evaluate((element) => ((element as unknown as { id: string }).id = 'old'))
  const read = page.waitForResponse((response) => response.url().includes('/project/main/'))
  await page.keyboard.press('Enter')
  await (await read).finished()
  await eventually(
    async () => {
      await page.locator('#old').click()
      return page.locator('.cm-activeLineGutter', { hasText: /^4$/ }).count()
    },
    { until: (count) => count > 0 },
  )
})

test('a text typed without a network is kept by the browser and sent later', options, async () => {
  mayFailToConnect = true
  await openAt('main.tex', 4)
  await page.keyboard.type(' Online.')
  await whenSaved()
  await context.setOffline(true)
  await page.locator('[data-draft-status]', { hasText: 'Offline' }).waitFor()
  await page.keyboard.type(' Offline.')
  await eventually(() =>
    page.evaluate(`Object.values(localStorage).some((copy) => copy.includes('here. Online. Offline.'))`),
  )
  await page.close()
  await context.setOffline(false)
  page = await context.newPage()
  await page.goto('/alice/tides/edit/main/main.tex')
  await whenSaved()
  assert.equal(await readText(page), paper.replace('here.', 'here. Online. Offline.'))
})

test('a draft survives the end of the session', options, async () => {
  mayFailToConnect = true
  await openAt('main.tex', 4)
  await host.deps.store.sessions.removeOfUser(userId)
  await page.locator('[data-draft-status]', { hasText: 'signed out' }).waitFor()
  await page.keyboard.type(' Signed out.')
  await signIn()
  storageState = await context.storageState()
  await whenSaved()
  const [draft] = await host.deps.store.drafts.listOfUser(userId, 10)
  assert.equal(draft?.path, 'main.tex')
})

test('two windows show the same text while both type', options, async () => {
  await openAt('main.tex', 4)
  const other = await context.newPage()
  await other.goto('/alice/tides/edit/main/main.tex?line=4')
  await other.locator('.cm-focused').waitFor()
  await other.keyboard.press('End')
  await other.keyboard.type(' Theirs.')
  await page.locator('.cm-line', { hasText: 'here. Theirs.' }).waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.type('Mine. ')
  await other.locator('.cm-line', { hasText: 'Mine. We write' }).waitFor()
  const expected = paper.replace('We write', 'Mine. We write').replace('here.', 'here. Theirs.')
  assert.deepEqual([await readText(page), await readText(other)], [expected, expected])
  await other.close()
})

test('a draft is hidden from everyone who may not write', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' Secret.')
  await whenSaved()
  const body = new URLSearchParams({ text: 'x', branch: 'main', draft: '0' })
  const anonymous = await fetch(`${host.origin}/alice/tides/draft/main/main.tex`, { method: 'POST', body })
  assert.equal(anonymous.status, 403)
})

test('the word count lists the sections with the newest draft, and a commit without', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' Three more words.')
  await whenSaved()
  await page.click('.editor-bar summary')
  await page.click('a:text-is("Word count")')
  await page.locator('dialog tbody').waitFor()
  const rows = await page.locator('dialog tbody tr').allInnerTexts()
  assert.deepEqual(await findBarriers(page), [])
  await page.keyboard.press('Escape')
  await page.locator('.cm-focused').waitFor()
  await page.goto('/alice/tides/words/main')
  assert.deepEqual(
    [rows, await page.locator('tbody tr').allInnerTexts()],
    [
      ['Total\t7\t1\t0', 'Tides\t7\t1\t0'],
      ['Total\t4\t1\t0', 'Tides\t4\t1\t0'],
    ],
  )
})

test('the palette inserts symbols and snippets by name', options, async () => {
  await openAt('main.tex', 4)
  for (const name of ['varepsilon', 'fraction']) {
    await page.keyboard.press('Control+Alt+I')
    await page.locator('.palette input').fill(name)
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Enter')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.locator('.cm-focused').waitFor()
  }
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  assert.equal(await readText(page), paper.replace('here.', 'here.\\varepsilon\\frac{1}{2}'))
})

test('a row of a snippet ends with two backslashes', options, async () => {
  await page.goto('/alice/tides/edit/main/notes.txt')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+Alt+I')
  await page.locator('.palette input').fill('matrix')
  await page.keyboard.press('Enter')
  await page.locator('dialog').waitFor({ state: 'detached' })
  assert.equal(await readText(page), '\\begin{pmatrix}\n  a & b \\\\\n  c & d\n\\end{pmatrix}\n')
})

test('Vim keys are chosen once, undo one change at a time, and :w commits', options, async () => {
  await openAt('notes.txt', 1)
  await page.keyboard.press('F1')
  await page.selectOption('dialog select', 'vim')
  await page.keyboard.press('Escape')
  await page.locator('.cm-vim-panel').waitFor()
  await page.reload()
  await page.locator('.cm-vim-panel').waitFor()
  await page.locator('.cm-content').focus()
  const before = await readText(page)
  for (const keys of ['O', 'First']) await page.keyboard.type(keys)
  await page.keyboard.press('Escape')
  for (const keys of ['yyp', 'u']) await page.keyboard.type(keys)
  assert.equal(await readText(page), `First\n${before}`)
  await whenSaved()
  await page.keyboard.type(':w\n')
  await page.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
})

test('Emacs keys delete a line, and undo it', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.press('F1')
  await page.selectOption('dialog select', 'emacs')
  await page.keyboard.press('Escape')
  await page.locator('.cm-emacsMode').waitFor()
  for (const key of ['Control+a', 'Control+k']) await page.keyboard.press(key)
  const killed = await readText(page)
  await page.keyboard.press('Control+/')
  assert.deepEqual([killed, await readText(page)], [paper.replace('We write \\foo here.', ''), paper])
})

test('a misspelled word is underlined, corrected from the menu, or added to the dictionary', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' The tidall range, \\emph{recieve} $xyz$ Ponpon.')
  await page.keyboard.press('Control+Home')
  const underlined = page.locator('.cm-misspelled')
  await underlined.nth(2).waitFor()
  const before = await underlined.allTextContents()
  await page.keyboard.press('F7')
  await page.click('.spelling-menu button:text-is("tidal")')
  await underlined.filter({ hasText: 'recieve' }).click()
  await page.locator('.spelling-menu button').first().waitFor()
  await page.keyboard.press('Escape')
  await underlined.filter({ hasText: 'Ponpon' }).click()
  await page.click('.spelling-menu button:text-is("Add to your dictionary")')
  await underlined.nth(1).waitFor({ state: 'detached' })
  assert.deepEqual(
    [before, await underlined.allTextContents(), (await readText(page)).split('\n')[3]],
    [
      ['tidall', 'recieve', 'Ponpon'],
      ['recieve'],
      'We write \\foo here. The tidal range, \\emph{recieve} $xyz$ Ponpon.',
    ],
  )
})

test('typing after a click on a misspelled word goes to the text', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' recieve')
  await page.keyboard.press('Control+Home')
  await page.locator('.cm-misspelled').click()
  await page.locator('.spelling-menu').waitFor()
  await page.keyboard.type(' cp ')
  await page.locator('.spelling-menu').waitFor({ state: 'detached' })
  const line = (await readText(page)).split('\n')[3] ?? ''
  assert.deepEqual(
    [line.replace(' cp ', ''), line.includes(' cp '), new URL(page.url()).pathname],
    ['We write \\foo here. recieve', true, '/alice/tides/edit/main/main.tex'],
  )
})

test('keys in the menu of a misspelled word are not shortcuts of the page', options, async () => {
  await openAt('main.tex', 4)
  await page.keyboard.type(' recieve')
  await page.keyboard.press('Control+Home')
  await page.locator('.cm-misspelled').waitFor()
  await page.keyboard.press('F7')
  await page.locator('.spelling-menu button:focus').waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('Escape')
  await page.locator('.spelling-menu').waitFor({ state: 'detached' })
  // The editor notices its focus a moment later.
  await page.locator('.cm-focused').waitFor()
  assert.equal(await page.locator('dialog[open]').count(), 0)
})

test('a move of the cursor cancels the menu of a misspelled word', options, async () => {
  await page.addInitScript(HOLD_SUGGESTIONS)
  await openAt('main.tex', 4)
  await page.keyboard.type(' recieve tidall')
  await page.keyboard.press('Control+Home')
  const underlined = page.locator('.cm-misspelled')
  await underlined.nth(1).waitFor()
  await page.evaluate(RECORD_MENUS)
  await underlined.filter({ hasText: 'recieve' }).click()
  await page.keyboard.press('Control+End')
  await underlined.filter({ hasText: 'tidall' }).click()
  await page.evaluate('window.releaseSuggestions()')
  await page.locator('.spelling-menu').waitFor()
  assert.deepEqual(await page.evaluate('window.menus'), ['Suggestions for tidall'])
})

/** Runs in the page: the thread that checks the spelling is asked for suggestions only when they are released. */
const HOLD_SUGGESTIONS = `(() => {
  const held = []
  const post = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (...message) {
    if (message[0]?.kind === 'suggest') held.push(() => post.apply(this, message))
    else post.apply(this, message)
  }
  window.releaseSuggestions = () => held.splice(0).forEach((send) => send())
})()`

/** Runs in the page: the labels of the menus that open. */
const RECORD_MENUS = `(() => {
  window.menus = []
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node.classList?.contains('spelling-menu')) window.menus.push(node.getAttribute('aria-label'))
  }).observe(document.querySelector('.cm-editor'), { childList: true, subtree: true })
})()`

test('spelling is turned off, and an added word is removed', options, async () => {
  await host.deps.store.dictionaries.add({ userId }, 'Abcdefg')
  await openAt('main.tex', 4)
  await page.keyboard.type(' Recieve')
  await page.keyboard.press('Control+Home')
  await page.locator('.cm-misspelled').waitFor()
  await page.click('.editor-bar summary')
  await page.click('button:text-is("Spelling")')
  await page.click('dialog button[aria-label="Remove Abcdefg"]')
  await page.locator('dialog li', { hasText: 'Abcdefg' }).waitFor({ state: 'detached' })
  await page.uncheck('dialog input[type=checkbox]')
  await page.keyboard.press('Escape')
  await page.locator('.cm-misspelled').waitFor({ state: 'detached' })
  assert.deepEqual((await host.deps.store.dictionaries.list({ userId })).includes('Abcdefg'), false)
})

test('a spreadsheet is pasted as a table', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+A')
  const cells = '<table><tr><td>Name &amp; unit</td><td>Share</td></tr><tr><td>a_1</td><td>12.5%</td></tr></table>'
  await pasteInto({ 'text/html': cells, 'text/plain': 'Name & unit\tShare\na_1\t12.5%' })
  const table = String.raw`\begin{tabular}{lr}
  \hline
  Name \& unit & Share \\
  \hline
  a\_1 & 12.5\% \\
  \hline
\end{tabular}
`
  await page.locator('.cm-line', { hasText: 'tabular' }).first().waitFor()
  assert.equal(await readText(page), table)
})

test('a text with a table in it, and copied lines of a source, are pasted as plain text', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  const table = '<table><tr><td>1</td><td>Text</td></tr></table>'
  const pastes = [
    { 'text/html': `Before ${table}`, 'text/plain': 'Before 1\tText' },
    { 'text/html': table, 'text/plain': '\tIndented text' },
  ]
  const texts: string[] = []
  for (const contents of pastes) {
    await page.locator('.cm-content').focus()
    await page.keyboard.press('Control+A')
    await pasteInto(contents)
    await page.locator('.cm-line', { hasText: /text$/i }).waitFor()
    texts.push(await readText(page))
  }
  assert.deepEqual(texts, ['Before 1\tText', '\tIndented text'])
})

test('a table that is converted late appears where it was pasted', options, async () => {
  let release = (): void => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  await page.route(/-paste\.js/, (route) => isReleased.then(() => route.continue()))
  await openAt('main.tex', 4)
  await pasteInto({ 'text/html': '<table><tr><td>One</td><td>Two</td></tr></table>', 'text/plain': 'One\tTwo' })
  await page.keyboard.type(' After.')
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('% Top')
  release()
  await page.locator('.cm-line', { hasText: 'tabular' }).first().waitFor()
  const text = await readText(page)
  assert.match(text, /^% Top/)
  assert.match(text, /here\.\\begin\{tabular\}[^]*\\end\{tabular\}\n After\.\n/)
})

test('a table is pasted as plain text if the script that converts it cannot be loaded', options, async () => {
  mayFailToConnect = true
  await page.route(/-paste\.js/, (route) => route.abort())
  await openAt('main.tex', 4)
  await pasteInto({ 'text/html': '<table><tr><td>One</td><td>Two</td></tr></table>', 'text/plain': 'One\tTwo' })
  await page.locator('.cm-line', { hasText: 'One' }).first().waitFor()
  assert.equal(await readText(page), paper.replace('here.', 'here.One\tTwo'))
})

test('a pasted bibliography entry is tidied, and its key does not exist twice', options, async () => {
  await page.goto('/alice/tides/edit/main/refs.bib')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+End')
  await pasteInto({ 'text/plain': '@Book{ smith , TITLE="The {Moon}, a life",\n author={B. Smith}, year=2021 }' })
  await page.locator('[data-draft-status]', { hasText: '"smith" exists: pasted as "smitha".' }).waitFor()
  assert.equal(
    await readText(page),
    '@book{smith, title = {Tides}}\n@book{smitha,\n  title = "The {Moon}, a life",\n  author = {B. Smith},\n  year = 2021,\n}\n',
  )
})

test('a pasted image is uploaded and shown as a figure', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+A')
  await pasteInto({}, 'My plot.png')
  await page.locator('.cm-line', { hasText: 'figures/My-plot.png' }).waitFor()
  await work.git('fetch', '--quiet', 'origin')
  assert.deepEqual(
    [await readText(page), (await work.git('show', 'origin/main:figures/My-plot.png')).stdout],
    [
      String.raw`\begin{figure}[htbp]
  \centering
  \includegraphics[width=0.8\linewidth]{figures/My-plot.png}
  \caption{}
  \label{fig:My-plot}
\end{figure}
`,
      'Drawn.',
    ],
  )
})

test('a pasted image that is too large is refused with the limit, and the selected text stays', options, async () => {
  mayFailToConnect = true
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').focus()
  const before = await readText(page)
  await page.keyboard.press('Control+A')
  await pasteInto({}, 'large.png', 12 * 1024 ** 2)
  const refusal = page.locator('[data-draft-status]', { hasText: 'The upload failed.' })
  assert.match((await refusal.textContent()) ?? '', /"large\.png" is 12 MB; the limit is 10 MB per file/)
  assert.equal(await readText(page), before)
})

test('a picture dropped into the text becomes a figure there, and the selected text stays', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+End')
  await dropPicture(1)
  await page.locator('.cm-line', { hasText: 'figures/dropped.png' }).waitFor()
  const figure = String.raw`\begin{figure}[htbp]
  \centering
  \includegraphics[width=0.8\linewidth]{figures/dropped.png}
  \caption{}
  \label{fig:dropped}
\end{figure}
`
  assert.equal(await readText(page), paper.replace('We write', `${figure}We write`))
})

test('a picture dropped inside a line becomes a figure after the line', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').focus()
  await dropPicture(100)
  await page.locator('.cm-line', { hasText: 'figures/' }).waitFor()
  const figure = /\\begin\{figure\}[^]*\\end\{figure\}\n/.exec(await readText(page))?.[0] ?? ''
  assert.equal(await readText(page), paper.replace('here.\n', `here.\n${figure}`))
})

test('an image pasted at the end of the text becomes a figure after the last line', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await fillText(page, 'Tides')
  await pasteInto({}, 'plot.png')
  await page.locator('.cm-line', { hasText: 'figures/' }).waitFor()
  assert.match(await readText(page), /^Tides\n\\begin\{figure\}[^]*\\end\{figure\}\n$/)
})

/** Drops a picture into a line, so many pixels after its beginning. */
const dropPicture = (right: number) =>
  page.evaluate(`(() => {
  const line = [...document.querySelectorAll('.cm-line')].find(({ textContent }) => textContent.startsWith('We write'))
  const { left, top, height } = line.getBoundingClientRect()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['Drawn.'], 'dropped.png', { type: 'image/png' }))
  const place = { clientX: left + ${right}, clientY: top + height / 2 }
  line.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, ...place }))
})()`)

/** Pastes contents by their types, or a file. */
async function pasteInto(contents: Readonly<Record<string, string>>, fileName = '', fileBytes = 6): Promise<void> {
  await page.evaluate(`((contents, fileName, fileBytes) => {
    const clipboardData = new DataTransfer()
    for (const [type, text] of Object.entries(contents)) clipboardData.setData(type, text)
    const file = new File(['Drawn.'.padEnd(fileBytes)], fileName, { type: 'image/png' })
    if (fileName !== '') clipboardData.items.add(file)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.querySelector('.cm-content').dispatchEvent(event)
  })(${JSON.stringify(contents)}, ${JSON.stringify(fileName)}, ${fileBytes})`)
}

test(
  'files dropped on the list of files are uploaded to the root, and those on a folder to the folder',
  options,
  async () => {
    await page.goto('/alice/tides/edit/main/main.tex')
    await page.locator('.editor-outline button').waitFor()
    for (const [name, place] of [
      ['dropped.txt', '.editor-files'],
      ['tides.csv', '.editor-files summary'],
    ] as const) {
      await page.evaluate(`(${DROP_FILE})(${JSON.stringify(name)}, ${JSON.stringify(place)})`)
      await page.locator(`[data-files-status]:text-is("Uploaded ${name}.")`).waitFor()
    }
    await work.git('fetch', '--quiet', 'origin')
    assert.deepEqual(
      [
        await page.locator('.editor-files a:text-is("tides.csv")').isVisible(),
        await page.locator('.editor-outline button').isVisible(),
        (await work.git('show', 'origin/main:dropped.txt', 'origin/main:data/tides.csv')).stdout,
      ],
      [true, true, 'dropped.txttides.csv'],
    )
  },
)

test(
  'an entry of the list of files is dragged to another folder, and a replaced file is uploaded twice',
  options,
  async () => {
    await page.goto('/alice/tides/edit/main/main.tex')
    await page.locator('.cm-content').waitFor()
    const status = (text: string) => page.locator(`[data-files-status]:text-is("${text}")`).waitFor()
    await page.evaluate(`(${DROP_FILE})('list.tex', '.editor-files', ${JSON.stringify(String.raw`\input{plot.txt}`)})`)
    await status('Uploaded list.tex.')
    for (const text of ['One', 'Two']) {
      await page.evaluate(`(${DROP_FILE})('plot.txt', '.editor-files', ${JSON.stringify(text)})`)
      await status('Uploaded plot.txt.')
      await page.locator('.editor-files a:text-is("plot.txt")').waitFor()
    }
    await page.evaluate(DRAG_ENTRY)
    await status('Moved plot.txt to data. Updated 1 path in LaTeX sources.')
    await work.git('fetch', '--quiet', 'origin')
    assert.equal(
      (await work.git('show', 'origin/main:data/plot.txt', 'origin/main:list.tex')).stdout,
      String.raw`Two\input{data/plot.txt}`,
    )
  },
)

test('a list of files that arrives late does not replace a newer one', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').waitFor()
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const hold = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    asked.resolve()
    await released.promise
    await route.fulfill({ response })
  }
  await page.route('**/edit/main/main.tex', hold, { times: 1 })
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'early.txt': 'Early.\n' })
  await work.git('push', '--quiet', 'origin', 'main')
  await asked.promise
  const uploaded = page.waitForResponse('**/upload/main')
  await page.evaluate(`(${DROP_FILE})('late.txt', '.editor-files')`)
  await uploaded
  // Time for the list with the uploaded file, if it does not wait for the other.
  await page.waitForTimeout(2_000)
  released.resolve()
  await page.locator('[data-files-status]:text-is("Uploaded late.txt.")').waitFor()
  await page.waitForTimeout(500)
  assert.equal(await page.locator('.editor-files a:text-is("late.txt")').isVisible(), true)
})

test('a folder dropped on the list of files is uploaded with its paths', options, async (t) => {
  const dir = makeFolder(t)
  await mkdir(join(dir, 'soundings/raw'), { recursive: true })
  await mkdir(join(dir, 'soundings/.git'))
  await writeFile(join(dir, 'soundings/ebb.csv'), 'Ebb.')
  await writeFile(join(dir, 'soundings/raw/flood.csv'), 'Flood.')
  await writeFile(join(dir, 'soundings/.git/HEAD'), 'Head.')
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.editor-outline button').waitFor()
  await dropPaths('.editor-files-head', [join(dir, 'soundings')])
  await page.locator('[data-files-status]:text-is("Uploaded 2 files.")').waitFor()
  await work.git('fetch', '--quiet', 'origin')
  const listed = (await work.git('ls-tree', '-r', '--name-only', 'origin/main', 'soundings')).stdout
  assert.equal(listed, 'soundings/ebb.csv\nsoundings/raw/flood.csv\n')
})

test('a dropped folder with more files than one upload may have is refused with the limit', options, async (t) => {
  const dir = makeFolder(t)
  for (let number = 1; number <= 51; number += 1) await writeFile(join(dir, `${number}.csv`), 'Depth.')
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.editor-outline button').waitFor()
  await dropPaths('.editor-files-head', [dir])
  const refusal = page.locator('[data-files-status]', { hasText: 'Nothing was uploaded.' })
  assert.equal(
    await refusal.textContent(),
    'Nothing was uploaded. You dropped more than 50 files; the limit is 50 per upload. Push larger folders with git.',
  )
})

test('a folder dropped on the field for files leads to the field for folders', options, async (t) => {
  const dir = makeFolder(t)
  await writeFile(join(dir, 'ebb.csv'), 'Ebb.')
  await page.goto('/alice/tides/new/main')
  await page.locator('.cm-content').waitFor()
  await dropPaths('#files', [dir])
  const read = (): Promise<unknown> => page.evaluate("['validationMessage', 'value'].map((name) => files[name])")
  const refused = await read()
  await page.setInputFiles('#files', join(dir, 'ebb.csv'))
  assert.deepEqual(
    [refused, await read()],
    [
      ['Drop folders on the field below.', ''],
      ['', String.raw`C:\fakepath\ebb.csv`],
    ],
  )
})

test(
  'a folder dropped on the field for archives leads to the field for folders, which takes it',
  options,
  async (t) => {
    const dir = makeFolder(t)
    await writeFile(join(dir, 'main.tex'), String.raw`\documentclass{article}\begin{document}Tides.\end{document}`)
    await page.goto('/import')
    await page.locator('[data-chosen]').first().waitFor()
    await dropPaths('#archive', [dir])
    const refused = await page.evaluate('archive.validationMessage')
    await dropPaths('#folder', [dir])
    await page.locator('[data-chosen]:text-matches(": 1 file$")').waitFor()
    await page.locator('button:text-is("Upload")').click()
    await page.waitForURL(/\/import\/\w/)
    const summary = await page.locator('h1 + p').textContent()
    assert.deepEqual([refused, summary?.trim().slice(0, 7)], ['Drop folders on the field below.', '1 file,'])
  },
)

/** Drops files and folders of this machine, as from a file manager. */
async function dropPaths(place: string, files: readonly string[]): Promise<void> {
  const box = await page.locator(place).boundingBox()
  if (box === null) throw new Error('not shown')
  const session = await context.newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await session.detach()
}

test('the list of files says why an upload was refused', options, async () => {
  mayFailToConnect = true
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.cm-content').waitFor()
  await page.evaluate(`(${DROP_FILE})('large.txt', '.editor-files', 'x'.repeat(12 * 1024 ** 2))`)
  const refusal = page.locator('[data-files-status]', { hasText: 'The upload failed.' })
  assert.match((await refusal.textContent()) ?? '', /"large\.txt" is 12 MB; the limit is 10 MB per file/)
})

/** Runs in the page: drags a file to a folder. */
const DRAG_ENTRY = `(() => {
  const dataTransfer = new DataTransfer()
  const send = (place, type) =>
    place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  const links = [...document.querySelectorAll('.editor-files a')]
  send(links.find(({ textContent }) => textContent === 'plot.txt'), 'dragstart')
  send(document.querySelector('.editor-files summary'), 'drop')
})()`

/** Runs in the page: drops a file that contains its name, or another text. */
const DROP_FILE = `(name, place, text = name) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], name))
  document.querySelector(place).dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}`

test('panes are hidden, shown and resized with the keyboard, and the choice is kept', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.click('[data-show-pane=files]')
  await page.locator('.editor-files').waitFor({ state: 'hidden' })
  await page.locator('[data-resize=pdf]').press('ArrowLeft')
  await page.reload()
  await page.locator('.cm-content').waitFor()
  assert.deepEqual(
    [
      await page.locator('.editor-files').isVisible(),
      await page.locator('[data-resize=pdf]').getAttribute('aria-valuenow'),
    ],
    [false, '44'],
  )
  await page.click('[data-show-pane=files]')
})

test('the buttons of shown panes look pressed in forced colors', options, async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/alice/tides/edit/main/main.tex')
  const button = page.locator('[data-show-pane=files]')
  // Without the focus, which would be in the picture.
  const press = () => page.evaluate("document.querySelector('[data-show-pane=files]').click()")
  const shown = await button.screenshot()
  await press()
  await page.locator('[data-show-pane=files][aria-pressed=false]').waitFor()
  const hidden = await button.screenshot()
  await press()
  await page.emulateMedia({ forcedColors: null })
  assert.equal(shown.equals(hidden), false)
})

test('the text has all of the height until the author commits or renames the file', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('[data-open-commit]').waitFor()
  const fields = ['#path', '#message', '[name=to][value=new]']
  const shown = async (): Promise<readonly boolean[]> =>
    Promise.all(fields.map((field) => page.locator(field).isVisible()))
  const before = await shown()
  await page.click('[data-open-commit]')
  await page.locator('#message:focus').waitFor()
  const open = await shown()
  await page.click('[data-open-commit]')
  const closed = await shown()
  await page.click('.editor-bar summary')
  await page.click('text=Rename or move this file')
  await page.locator('#path:focus').waitFor()
  assert.deepEqual(
    [before, open, closed],
    [
      [false, false, false],
      [true, true, true],
      [false, false, false],
    ],
  )
})

test('the name of a new branch is shown only if a new branch is chosen', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.click('[data-open-commit]')
  const name = page.locator('#new-branch')
  const before = await name.isVisible()
  await page.check('text=A new branch')
  const chosen = await name.isVisible()
  await page.check('[name=to][value=branch]')
  assert.deepEqual([before, chosen, await name.isVisible()], [false, true, false])
})

test('Escape in the fields of the commit closes them, and returns the focus to the button', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.click('[data-open-commit]')
  await page.locator('#message:focus').press('Escape')
  await page.locator('[data-open-commit]:focus').waitFor()
  assert.deepEqual(
    [await page.locator('#message').isVisible(), await page.getAttribute('[data-open-commit]', 'aria-expanded')],
    [false, 'false'],
  )
})

test('the errors above the text leave it most of the height, even on a phone, and can be hidden', options, async () => {
  const errors = Array.from('abcdefghij', (letter) => `Word \\undef${letter} here.\n\n`).join('')
  await addPaper('errors', paper.replace('We write \\foo here.', errors))
  const shares: boolean[] = []
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/alice/errors/edit/main/main.tex')
    await page.locator('.cm-content').waitFor()
    const [pane, editor] = await Promise.all(
      ['.editor-source', '.cm-editor'].map((part) => page.locator(part).boundingBox()),
    )
    assert.ok(pane && editor)
    shares.push(editor.height > pane.height / 2 && editor.y + editor.height <= pane.y + pane.height + 1)
  }
  const notes = page.locator('.note-above')
  const count = await notes.count()
  await page.click('.notes-above summary:text-is("First 5 of 10 errors")')
  assert.deepEqual([shares, count, await notes.first().isVisible()], [[true, true], 5, false])
})

for (const width of [320, 768])
  test(
    `a touch screen of ${width} px shows the buttons of the toolbar on one line, with targets of 44 px`,
    options,
    async (t) => {
      const small = { viewport: { width, height: 844 }, hasTouch: true, isMobile: true, baseURL: host.origin }
      const touch = await borrowWindow(browser, t, small)
      await touch.context().addCookies(storageState.cookies)
      await touch.goto('/alice/tides/edit/main/main.tex')
      await touch.locator('[data-open-commit]').waitFor()
      const targets = touch.locator('.editor-bar').locator('button:visible, summary')
      const boxes = await Promise.all((await targets.all()).map((target) => target.boundingBox()))
      const [first] = boxes
      const misplaced = boxes.filter((box) => (box?.height ?? 0) < 44 || (box?.width ?? 0) < 44 || box?.y !== first?.y)
      const scrollWidth = await touch.evaluate('document.documentElement.scrollWidth')
      await touch.tap('[data-open-commit]')
      await touch.locator('#message:focus').waitFor()
      assert.deepEqual(
        [await targets.allInnerTexts(), misplaced, scrollWidth],
        [
          width < 640
            ? ['Files', 'Source', 'PDF', 'Commit', '']
            : ['Files', 'Source', 'PDF', 'Show in PDF', 'Commit', ''],
          [],
          width,
        ],
      )
    },
  )

for (const width of [320, 390])
  test(
    `a phone of ${width} px shows the name of the file and the state of its draft above the buttons`,
    options,
    async (t) => {
      const small = { viewport: { width, height: 844 }, hasTouch: true, isMobile: true, baseURL: host.origin }
      const touch = await borrowWindow(browser, t, small)
      await touch.context().addCookies(storageState.cookies)
      await touch.goto('/alice/tides/edit/main/main.tex')
      await touch.locator('[data-open-commit]').waitFor()
      await touch.locator('[data-draft-status]').evaluate((status) => (status.textContent = 'Draft saved'))
      const parts = ['.editor-bar', 'h1', '[data-draft-status]', '[data-open-commit]']
      const [bar, name, state, commit] = await Promise.all(parts.map((part) => touch.locator(part).boundingBox()))
      assert.ok(bar && name && state && commit)
      const isWhole = await touch.locator('h1').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
      assert.deepEqual(
        {
          names: await touch.locator('h1').allInnerTexts(),
          isWhole,
          isAbove: [name, state].map(({ y, height }) => y >= bar.y && y + height <= commit.y),
          // 53 px without the name.
          isLow: bar.height <= 53 + 40,
        },
        { names: ['Edit main.tex on main'], isWhole: true, isAbove: [true, true], isLow: true },
      )
    },
  )

test('a phone shows one pane at a time', options, async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/alice/tides/edit/main/main.tex')
  await page.locator('.viewer[data-state=shown]').waitFor({ state: 'attached' })
  const shown = async (): Promise<readonly boolean[]> =>
    Promise.all(['.editor-files', '.cm-editor', '.editor-pdf'].map((pane) => page.locator(pane).isVisible()))
  const before = await shown()
  await page.click('[data-show-pane=pdf]')
  assert.deepEqual(
    [before, await shown()],
    [
      [false, true, false],
      [false, false, true],
    ],
  )
})

test('a draft is compiled without a commit, and its PDF replaces the shown one', options, async () => {
  await openAt('main.tex', 4)
  await page.locator('.viewer[data-state=shown]').waitFor()
  await page.keyboard.type(' Previewed words.')
  await page.locator('.textLayer', { hasText: 'Previewed words.' }).waitFor()
  await work.git('fetch', '--quiet', 'origin')
  const file = await page.locator('[data-viewer]').getAttribute('data-file')
  const anonymous = await fetch(host.origin + file, { redirect: 'manual' })
  assert.deepEqual(
    [(await work.git('show', 'origin/main:main.tex')).stdout.includes('Previewed'), anonymous.status === 200],
    [false, false],
  )
})

test('a preview shows its problems on their lines, and keeps the pages if TeX makes none', options, async () => {
  await openAt('main.tex', 4)
  await page.locator('.viewer[data-state=shown]').waitFor()
  await fillText(page, '\\documentclass{article}\n\\begin{document}\n\\input{nowhere}\n\\end{document}\n')
  await page.locator('.viewer[data-stale]').waitFor()
  await page.locator('.cm-lintRange-error', { hasText: 'nowhere' }).waitFor()
  assert.equal(await page.locator('.pdfViewer .page').count(), 1)
})

test('a draft survives a killed server', options, async (test) => {
  const dataDir = makeFolder(test)
  const store = await openStore({ dataDir })
  const added = await addTestUser(store, { login: 'alice', password })
  if (added.kind !== 'added') throw new Error(added.reason)
  const { text: token } = await createToken(store, {
    userId: added.user.id,
    name: 'test',
    scopes: ['repo:write'],
    expiresAt: null,
  })
  await store.close()
  const first = await startHost({ dataDir })
  await fetch(`${first.url}/api/v3/user/repos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'tides', auto_init: true }),
  })
  const device = await browser.newContext()
  const other = await device.newPage()
  const open = async (url: string): Promise<void> => {
    await other.goto(`${url}/login`)
    await other.fill('[name=name]', 'alice')
    await other.fill('[name=password]', password)
    await other.click('main button')
    await other.goto(`${url}/alice/tides/edit/main/README.md`)
    await other.locator('.cm-content').waitFor()
  }
  await open(first.url)
  await fillText(other, 'Written before the crash.\n')
  await other.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await first.stop('SIGKILL')
  const second = await startHost({ dataDir })
  await device.clearCookies()
  await open(second.url)
  assert.equal(await readText(other), 'Written before the crash.\n')
  await device.close()
  await second.stop()
})
