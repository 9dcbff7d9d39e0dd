/** The live preview: edited page first, changed pages only, with real engines and a real browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Browser, BrowserContext, Page, Route } from 'playwright-core'

import type { BuildRecord } from '../../src/domain/build.ts'
import type { Repository } from '../../src/domain/types.ts'
import { endDraft } from '../../src/operations/edit/drafts.ts'
import type { PreviewOutcome } from '../../src/papers/preview/previews.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { testConfig } from '../support/hosts/test-config.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { fillText } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const FILLER = 'The tide in a narrow channel rises where the bed is shallow. '.repeat(12)
const PAGES = Array.from({ length: 14 }, (_, at) => `Page ${at + 1}.\n\n${`${FILLER}\n\n`.repeat(3)}\\newpage\n`)
// The second line of the first page is from another file.
PAGES[0] = PAGES[0]?.replace('Page 1.', 'Page 1.\\newline\\input{ebb}') ?? ''
// The last one takes so long that an edited page is shown before the document, however fast the machine is.
PAGES[13] = `${PAGES[13]}\\count255=0 \\loop\\ifnum\\count255<2000000 \\advance\\count255 by 1 \\repeat\n`
const paper = `\\documentclass{article}\n\\begin{document}\n${PAGES.join('\n')}\\end{document}\n`
const LOOP = '\\documentclass{article}\n\\begin{document}\n\\def\\x{\\x}\\x\n\\end{document}\n'

let host: PaperHost
let repository: Repository
let work: Checkout
let userId: string
let browser: Browser
let context: BrowserContext
let page: Page

before(async () => {
  host = await openPaperHost({ build: { ...testConfig.build, concurrency: 1, waitingEngines: 3 } })
  const added = await addTestUser(host.deps.store, { login: 'alice', password })
  if (added.kind !== 'added') throw new Error(added.reason)
  userId = added.user.id
  const token = await host.addToken(added.user, ['repo:write'])
  repository = await host.addRepository(added.user, 'tides')
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), {
    'main.tex': paper,
    'ebb.tex': 'Ebb text.\n',
  })
  await work.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
  if (withoutBrowser !== false) return
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: host.origin })
  page = await context.newPage()
  await page.goto('/login')
  await page.fill('[name=name]', 'alice')
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.origin}/`)
})
after(async () => {
  await browser?.close()
  await host.close()
})

/** A preview of the branch with another text. */
async function preview(text: string, signal = new AbortController().signal): Promise<PreviewOutcome> {
  const head = await host.deps.git.findBranch(repository.id, 'main')
  const commitId = head?.commitId ?? ''
  const paperOf = await host.deps.papers.findPaper(repository.id, { ref: 'refs/heads/main', commitId, document: null })
  if (paperOf === null) throw new Error('no paper')
  return host.deps.papers.compilePreview({
    userId,
    ownerId: repository.owner.id,
    build: paperOf.newest,
    commitId,
    drafts: new Map([['main.tex', text]]),
    edited: null,
    onPage: () => {},
    signal,
  })
}

async function discardDrafts(): Promise<void> {
  for (const key of await host.deps.store.drafts.listOfUser(userId, 100))
    await endDraft(host.deps, key, { draft: null, by: 'Alice' })
}

/** Opens a file without drafts, with its PDF, and puts the cursor at the end of a line. */
async function openAt(file: string, line: number): Promise<void> {
  await discardDrafts()
  await page.goto(`/alice/tides/edit/main/${file}?line=${line}`)
  await page.locator('.cm-focused').waitFor()
  await page.locator('.viewer[data-state=shown]').waitFor()
  await page.keyboard.press('End')
}

/** Creates a repository of alice, whose branch is built. */
async function addPaper(name: string, files: Readonly<Record<string, string>>): Promise<Checkout> {
  const alice = await host.deps.store.users.findByLogin('alice')
  if (alice === null) throw new Error('no user')
  const added = await host.addRepository(alice, name)
  const token = await host.addToken(alice, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), files)
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(added.id)
  return checkout
}

function documentOf(text: string): string {
  return `\\documentclass{article}\n\\begin{document}\n${text}\n\\end{document}\n`
}

async function whenUpToDate(): Promise<void> {
  await page.locator('[data-preview-status]:text-is("Preview up to date")').waitFor()
}

/** Runs in the page, as when the user changes to another tab and back. */
const SHOW_TAB = `((isShown) => {
  Object.defineProperty(document, 'hidden', { value: !isShown, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
})`

test('the PDF opens at the line of the cursor', options, async () => {
  const line = paper.split('\n').indexOf('Page 9.') + 1
  await page.goto(`/alice/tides/edit/main/main.tex?line=${line}`)
  await page.locator('[data-page-number="9"] .place-mark').waitFor()
})

test('the beginning of a file is not marked in the PDF', options, async () => {
  const found = page.waitForResponse((response) => response.url().includes('line=1'))
  await page.goto('/alice/tides/edit/main/main.tex')
  const answer = await found
  const { page: number } = (await answer.json()) as { readonly page: number }
  await page.locator('.viewer[data-state=shown]').waitFor()
  await page.locator('[data-page-number="1"] .textLayer span').first().waitFor()
  assert.deepEqual([number, await page.locator('.place-mark').count()], [1, 0])
})

test('the edited page is shown before the document, of which only changed pages are drawn again', options, async () => {
  await page.goto('/alice/tides/edit/main/main.tex?line=12')
  await page.locator('.cm-focused').waitFor()
  await page.locator('.viewer[data-state=shown]').waitFor()
  await page.locator('.place-mark').waitFor()
  await page.evaluate("document.querySelector('.viewer-pages').scrollTop = 0")
  await page.evaluate(RECORD_EVENTS)
  await page.keyboard.press('End')
  // Engines read ahead when it suits the machine, so an edit may come too early.
  let events: readonly ShownEvent[] = []
  for (let edit = 1; edit <= 12 && !events.some(({ type }) => type === 'pdf-page'); edit += 1) {
    await page.evaluate(MARK_PAGES)
    await page.keyboard.insertText(` Edit ${edit}.`)
    await page.locator('.textLayer', { hasText: `Edit ${edit}.` }).waitFor()
    await page.locator('[data-preview-status]:text-is("Preview up to date")').waitFor()
    await sleep(500)
    events = await page.evaluate<readonly ShownEvent[]>('window.shownEvents.splice(0)')
  }
  await page.locator('.page[data-page-number="2"] canvas:not([data-old])').waitFor()
  assert.deepEqual(
    [
      events.map(({ type, pages }) => [type, pages]),
      await page.locator('[data-page-number="1"] canvas[data-old]').count(),
    ],
    [
      [
        ['pdf-page', [2]],
        ['pdf-changed', [2]],
      ],
      1,
    ],
  )
})

interface ShownEvent {
  readonly type: string
  /** The edited page, or the changed ones; null = all. */
  readonly pages: readonly number[] | null
}

/** Runs in the page. */
const RECORD_EVENTS = `(() => {
  window.shownEvents = []
  const record = ({ type, detail }) =>
    window.shownEvents.push({ type, pages: detail?.changedPages ?? (detail ? [detail.editedPage] : null) })
  for (const type of ['pdf-page', 'pdf-changed']) document.querySelector('[data-viewer]').addEventListener(type, record)
})()`

/** Runs in the page: marks the pictures of the pages, to see which ones are replaced. */
const MARK_PAGES = `document.querySelectorAll('.page canvas').forEach((canvas) => (canvas.dataset.old = ''))`

test('a page keeps its picture while changes follow each other', options, async () => {
  await openAt('main.tex', 3)
  assert.equal(await page.evaluate(COUNT_EMPTY_PAGES), 0)
})

/** Runs in the page: how often the first page has no picture during some changes. */
const COUNT_EMPTY_PAGES = `(async () => {
  const viewer = document.querySelector('[data-viewer]')
  const first = document.querySelector('[data-page-number="1"]')
  const bytes = new Uint8Array(await (await fetch(viewer.dataset.file)).arrayBuffer())
  let count = 0
  const observer = new MutationObserver(() => (count += first.querySelector('canvas') === null ? 1 : 0))
  observer.observe(first, { childList: true, subtree: true })
  for (let change = 0; change < 20; change += 1) {
    const detail = { bytes: bytes.slice(), changedPages: [1] }
    viewer.dispatchEvent(new CustomEvent('pdf-changed', { detail }))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  while (first.dataset.loaded !== 'true') await new Promise((resolve) => setTimeout(resolve, 50))
  observer.disconnect()
  return count
})()`

test('a new PDF loads the shown pages only, and the others when they come into view', options, async () => {
  // With drafts, a preview would replace the PDF of the branch at once.
  await discardDrafts()
  // The PDF of the branch has one thread for all documents.
  await page.addInitScript(RECORD_LOADED_PAGES)
  await page.goto('/alice/tides/edit/main/main.tex?line=12')
  await page.locator('.cm-focused').waitFor()
  await page.keyboard.press('End')
  const untilLoaded = (): Promise<number> =>
    eventually(() => page.evaluate<number>('window.loadedPages.size'), { until: (count) => count === PAGES.length })
  await untilLoaded()
  await page.evaluate('window.loadedPages.clear()')
  // The first preview replaces the PDF of the last build.
  await page.keyboard.insertText(' Opened.')
  await page.locator('.textLayer', { hasText: 'Opened.' }).waitFor()
  await page.locator('[data-preview-status]:text-is("Preview up to date")').waitFor()
  await untilLoaded()
  await page.evaluate('window.loadedPages.clear()')
  await page.keyboard.insertText(' Loaded.')
  await page.locator('.textLayer', { hasText: 'Loaded.' }).waitFor()
  await page.locator('[data-preview-status]:text-is("Preview up to date")').waitFor()
  const loaded = await page.evaluate<readonly number[]>('[...window.loadedPages]')
  assert.deepEqual(
    loaded.filter((number) => number > 8),
    [],
  )
  await page.evaluate("document.querySelector('.viewer-pages').scrollTop = 1e6")
  await page.locator('[data-page-number="14"] .textLayer', { hasText: 'Page 14.' }).waitFor()
  await page.evaluate("document.querySelector('.viewer-pages').scrollTop = 0")
})

/** Runs in the page: the 1-based numbers of the pages that pdf.js requests from its thread. */
const RECORD_LOADED_PAGES = `(() => {
  window.loadedPages = new Set()
  const post = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.action === 'GetPage') window.loadedPages.add(message.data.pageIndex + 1)
    return post.call(this, message, ...rest)
  }
})()`

test('a new preview keeps the scroll position', options, async () => {
  await page.evaluate("document.querySelector('.viewer-pages').scrollTop = 300")
  await page.locator('.cm-content').focus()
  await page.keyboard.type(' More.')
  await page.locator('.textLayer', { hasText: 'More.' }).waitFor()
  assert.equal(await page.evaluate("document.querySelector('.viewer-pages').scrollTop"), 300)
})

test('pages that are added by an edit are shown', options, async () => {
  await page.keyboard.type('\\newpage Another page.')
  await page.locator('[data-part=count]:text-is("15")').waitFor()
})

test('a double click on the PDF leads to the line of the source', options, async () => {
  await page.locator('[data-page-number="1"] .textLayer span', { hasText: 'Page 1.' }).dblclick()
  await page.locator('.cm-activeLineGutter', { hasText: /^3$/ }).waitFor()
})

test('Ctrl+Alt+J shows the line of the source in the PDF', options, async () => {
  await page.keyboard.press('Control+Alt+J')
  await page.locator('[data-page-number="1"] .place-mark').waitFor()
})

test('without a network, a double click on the PDF says so', options, async () => {
  await openAt('main.tex', 3)
  const word = page.locator('[data-page-number="1"] .textLayer span', { hasText: 'Page 1.' })
  await word.waitFor()
  await page.context().setOffline(true)
  await word.dblclick()
  await page.locator('[data-part=word]:text-is("No connection.")').waitFor()
  await page.context().setOffline(false)
  await page.locator('.cm-content').focus()
})

test('the mark in the PDF ends with the next preview', options, async () => {
  await openAt('main.tex', 3)
  await page.locator('.place-mark').waitFor()
  await page.keyboard.insertText(' Marked.')
  await whenUpToDate()
  await page.locator('.textLayer', { hasText: 'Marked.' }).waitFor()
  assert.equal(await page.locator('.place-mark').count(), 0)
  await discardDrafts()
})

test('a double click on text of another file opens that file', options, async () => {
  await page.locator('[data-page-number="1"] .textLayer span', { hasText: 'Ebb text.' }).dblclick()
  await page.waitForURL('**/edit/main/ebb.tex?line=1')
})

test('a replacement in another file restarts the preview', options, async () => {
  await page.locator('.viewer[data-state=shown]').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await page.locator('.project-search [name=text]').fill('Page 1.')
  await page.locator('.project-search [name=replacement]').fill('First page.')
  await page.click('.project-search button:text-is("Replace 1 match")')
  await page.locator('.textLayer', { hasText: 'First page.' }).waitFor()
  await page.locator('.project-search [name=text]').press('Escape')
})

test('while the author types on, replaced previews are not requested', options, async () => {
  const requests: string[] = []
  // Held: a preview that nothing answers is running.
  await page.route('**/preview/main/**', (route) => void requests.push(route.request().method()))
  await page.locator('.cm-content').focus()
  const startedAt = performance.now()
  await page.keyboard.type('Low tide. '.repeat(6), { delay: 40 })
  await eventually(() => requests.length, { until: (count) => count >= 2 })
  const pauses = Math.floor((performance.now() - startedAt) / 250)
  await page.unroute('**/preview/main/**')
  await page.keyboard.insertText('Slack.')
  await page.locator('[data-preview-status]:text-is("Preview up to date")').waitFor()
  assert.ok(requests.length <= 1 + pauses, `${requests.length} requests with room for ${pauses} pauses`)
})

test('moving the cursor leaves the text of the PDF unchanged', options, async () => {
  await openAt('main.tex', 3)
  await page.locator('.textLayer', { hasText: 'Page 1.' }).waitFor()
  await page.evaluate(`(() => {
    window.changed = []
    const observer = new MutationObserver((changes) => window.changed.push(...changes.map(({ target }) => target.className)))
    for (const layer of document.querySelectorAll('.textLayer')) observer.observe(layer, { childList: true })
  })()`)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))')
  assert.deepEqual(await page.evaluate('window.changed'), [])
})

test('text of the PDF is no longer selected after a click into the source', options, async () => {
  await openAt('main.tex', 3)
  await page.locator('.textLayer', { hasText: 'Page 1.' }).waitFor()
  // Again if the page was drawn once more meanwhile, which removes the selection with the text.
  await eventually(
    async () => {
      await page.evaluate('getSelection().selectAllChildren(document.querySelector(".textLayer"))')
      return page.locator('.textLayer.selecting').count()
    },
    { until: (count) => count > 0 },
  )
  await page.locator('.cm-line').first().click()
  await page.locator('.textLayer.selecting').waitFor({ state: 'detached' })
})

test('a hidden tab compiles only when it is shown', options, async () => {
  await openAt('main.tex', 3)
  const other = await context.newPage()
  await other.goto('/alice/tides/edit/main/main.tex')
  await other.locator('.viewer[data-state=shown]').waitFor()
  const requests: string[] = []
  other.on('request', (request) => request.method() === 'POST' && requests.push(new URL(request.url()).pathname))
  await other.evaluate(`${SHOW_TAB}(false)`)
  await page.keyboard.insertText(' Flood.')
  await page.locator('.textLayer', { hasText: 'Flood.' }).waitFor()
  await whenUpToDate()
  await other.locator('.cm-line', { hasText: 'Flood.' }).waitFor()
  const whileHidden = [...requests]
  await other.evaluate(`${SHOW_TAB}(true)`)
  await other.locator('.textLayer', { hasText: 'Flood.' }).waitFor()
  await other.close()
  assert.deepEqual([whileHidden, requests], [[], ['/alice/tides/preview/main/main.tex']])
})

test('changes of others leave the running preview alone, and the next one contains them', options, async () => {
  await openAt('main.tex', 3)
  const other = await context.newPage()
  await other.goto('/alice/tides/edit/main/main.tex?line=3')
  await other.locator('.cm-focused').waitFor()
  await other.evaluate(`${SHOW_TAB}(false)`)
  const held: Route[] = []
  let isHolding = true
  await page.route('**/preview/main/**', (route) => (isHolding ? void held.push(route) : route.continue()))
  const cancelled: string[] = []
  page.on('requestfailed', (request) => cancelled.push(request.url()))
  await page.keyboard.insertText(' Mine.')
  await eventually(() => held.length, { until: (count) => count === 1 })
  for (const text of [' One.', ' Two.']) {
    await other.keyboard.press('End')
    await other.keyboard.insertText(text)
    await page.locator('.cm-line', { hasText: text }).waitFor()
  }
  const whileRunning = [held.length, [...cancelled]]
  isHolding = false
  await held[0]?.continue()
  await page.locator('.textLayer', { hasText: 'Two.' }).waitFor()
  await page.unroute('**/preview/main/**')
  await other.close()
  assert.deepEqual(whileRunning, [1, []])
})

/** Runs in the page: keeps each status, because some are replaced within a second. */
const RECORD_STATUS = `(() => {
  const status = document.querySelector('[data-preview-status]')
  window.statuses = []
  new MutationObserver(() => window.statuses.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true })
})()`

test('a preview is requested again after a failed connection or a cancellation', options, async () => {
  await openAt('main.tex', 3)
  const answers: ((route: Route) => Promise<void>)[] = [
    (route) => route.abort(),
    (route) => route.fulfill({ contentType: 'text/event-stream', body: 'data: {"kind":"cancelled"}\n\n' }),
  ]
  let requests = 0
  await page.route('**/preview/main/**', (route) => {
    requests += 1
    const [answer = (later: Route) => later.continue()] = answers.splice(0, 1)
    return answer(route)
  })
  await page.evaluate(RECORD_STATUS)
  await page.keyboard.insertText(' Again.')
  await page.locator('.textLayer', { hasText: 'Again.' }).waitFor()
  await whenUpToDate()
  await page.unroute('**/preview/main/**')
  const statuses = await page.evaluate<readonly string[]>('window.statuses')
  assert.deepEqual([requests, statuses.includes('No preview: no connection')], [3, true])
})

test('a page with drafts opens with their preview, at the line of the cursor', options, async () => {
  await openAt('main.tex', 3)
  await page.keyboard.insertText('\\newpage Inserted.\\newpage')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await page.goto(`/alice/tides/edit/main/main.tex?line=${paper.split('\n').indexOf('Page 9.') + 1}`)
  await page.locator('[data-page-number="11"] .place-mark').waitFor()
  await page.locator('[data-page-number="11"] .textLayer', { hasText: 'Page 9.' }).waitFor()
})

test('a paper whose builds have failed shows the PDF of the first preview without errors', options, async () => {
  await addPaper('ebb', {
    'main.tex': '\\documentclass{article}\n\\begin{document}\n\\input{nowhere}\n\\end{document}\n',
  })
  await page.goto('/alice/ebb/edit/main/main.tex')
  await page.locator('.editor-pdf:has-text("The PDF appears here after the first build.")').waitFor()
  await fillText(page, '\\documentclass{article}\n\\begin{document}\nSlack water.\n\\end{document}\n')
  await page.locator('.textLayer', { hasText: 'Slack water.' }).waitFor()
  assert.equal(await page.locator('.editor-pdf').getByText('after the first build').count(), 0)
})

test('a paper without a PDF of its newest commit opens with a preview', options, async () => {
  await addPaper('neap', { 'main.tex': documentOf('\\input{nowhere}') })
  await page.goto('/alice/neap/edit/main/main.tex')
  await page.locator('[data-preview-status]', { hasText: /^No PDF: 1 error$/ }).waitFor()
})

test(
  'the errors above the text are of the newest preview, and the number of errors leads to the first one',
  options,
  async () => {
    const main = documentOf('\\input{one}\n\\input{two}')
    await addPaper('surge', { 'main.tex': main, 'one.tex': 'Low \\wrong.\n', 'two.tex': 'High.\n\nHigh \\bad.\n' })
    await page.goto('/alice/surge/edit/main/one.tex')
    await page.locator('.note-above', { hasText: '\\wrong' }).waitFor()
    await fillText(page, 'Fine.\n\nLow \\worse.\n')
    await page.locator('.note-above', { hasText: 'Low \\worse.' }).waitFor()
    const notes = await page.locator('.note-line').allTextContents()
    await fillText(page, 'Fine.\n')
    await page.locator('[data-preview-status]', { hasText: /^Preview with 1 error$/ }).waitFor()
    const left = await page.locator('.notes-above').count()
    await page.click('[data-preview-status] button')
    await page.waitForURL('**/alice/surge/edit/main/two.tex?line=3*')
    assert.deepEqual([notes, left], [['3 Low \\worse.'], 0])
  },
)

test('on a phone, the number of errors shows the line of the first one in the source', options, async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/alice/neap/edit/main/main.tex')
  await page.click('[data-show-pane=pdf]')
  await page.click('[data-preview-status] button')
  await page.locator('.cm-focused .cm-requested-line').waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
})

test('two windows of a user keep the previews of their documents', options, async () => {
  await addPaper('atlas', { 'north.tex': documentOf('North.'), 'south.tex': documentOf('South.') })
  const windows = [page, await context.newPage()]
  for (const [at, file] of ['north.tex', 'south.tex'].entries())
    await windows[at]?.goto(`/alice/atlas/edit/main/${file}`)
  for (const window of windows) {
    await window.locator('.viewer[data-state=shown]').waitFor()
    await fillText(window, documentOf('Charted.'))
  }
  const shown = windows.map(async (window) => {
    await window.locator('.textLayer', { hasText: 'Charted.' }).waitFor()
    await window.locator('[data-preview-status]:text-is("Preview up to date")').waitFor()
    return window.locator('[data-viewer]').getAttribute('data-file')
  })
  const files = await Promise.all(shown)
  const answers = await Promise.all(files.map((file) => page.request.get(file ?? '')))
  await windows[1]?.close()
  assert.deepEqual(
    answers.map((answer) => answer.status()),
    [200, 200],
  )
})

test('a preview omits a draft that has the path of a folder, and says so', options, async () => {
  const folders = await addPaper('folders', { 'main.tex': documentOf('Opened.'), notes: 'A file.\n' })
  await page.goto('/alice/folders/edit/main/notes')
  await fillText(page, 'Typed.\n')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await folders.git('rm', '--quiet', 'notes')
  await folders.commit({ 'notes/tides.tex': 'In a folder.\n' })
  await folders.git('push', 'origin', 'main')
  await page.goto('/alice/folders/edit/main/main.tex')
  await fillText(page, documentOf('Charted.'))
  await page.locator('.textLayer', { hasText: 'Charted.' }).waitFor()
  const status = page.locator('[data-preview-status]', { hasText: /^Preview/ })
  assert.equal(
    await status.textContent(),
    'Preview up to date, without the draft of notes: the branch has a folder in place of a file, or the reverse. Commit the draft under another name, or discard it.',
  )
})

test('a newer preview of a user cancels the older one', async () => {
  const older = preview(LOOP)
  await sleep(300)
  const newer = await preview(paper)
  assert.deepEqual([(await older).kind, newer.kind], ['cancelled', 'compiled'])
})

test('two windows that request the same preview share it', async () => {
  const [one, other] = await Promise.all([preview(paper), preview(paper)])
  assert.deepEqual([one.kind, other], ['compiled', one])
})

test('a shared preview ends when all of its windows have left', async () => {
  const windows = [new AbortController(), new AbortController()]
  const shared = windows.map(({ signal }) => preview(LOOP, signal))
  await sleep(300)
  for (const left of windows) left.abort()
  assert.deepEqual(await Promise.all(shared), [{ kind: 'cancelled' }, { kind: 'cancelled' }])
})

test('a shared preview goes on when one of its windows leaves', async () => {
  const left = new AbortController()
  const leaving = preview(LOOP, left.signal)
  const staying = preview(LOOP)
  await sleep(300)
  left.abort()
  // The loop runs until a newer preview cancels it.
  const state = await Promise.race([staying, sleep(500, 'running')])
  await preview(paper)
  assert.deepEqual([state, await leaving, await staying], ['running', { kind: 'cancelled' }, { kind: 'cancelled' }])
})

test('a preview waits for the build of a push', async () => {
  await work.commit({ 'main.tex': LOOP })
  const pushed = work.git('push', 'origin', 'main')
  const newest = async (): Promise<BuildRecord | undefined> =>
    (await host.deps.store.builds.list(repository.id, { limit: 1, offset: 0 }))[0]
  const build = await eventually(newest, { until: (found) => found?.state === 'running' })
  const compiled = preview(paper).then(async ({ kind }) => [kind, (await newest())?.state])
  await sleep(1_500)
  await host.deps.papers.stopBuild(build?.id ?? 0)
  assert.deepEqual(await compiled, ['compiled', 'cancelled'])
  await pushed
})

test('a host with previews disabled compiles none', options, async () => {
  Object.assign(host.deps.config, { isPreviewEnabled: false })
  try {
    await page.goto('/alice/tides/edit/main/main.tex')
    await page.locator('.cm-content').waitFor()
    assert.deepEqual([await page.locator('[data-preview]').count(), await page.evaluate(POST_PREVIEW)], [0, 404])
  } finally {
    Object.assign(host.deps.config, { isPreviewEnabled: true })
  }
})

test('a push after a build continues an engine that has read the preamble', async () => {
  // Engines that have read nothing are not used for a project of more than 1,000 files and folders.
  const notes = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`notes/${at}.txt`, '']))
  let edition = 0
  const countAfterPush = async (): Promise<number> => {
    edition += 1
    const text = `\\documentclass{article}\n\\begin{document}\nEdition ${edition}.\n\\end{document}\n`
    await work.commit({ ...(edition === 1 ? notes : {}), 'main.tex': text })
    await work.git('push', 'origin', 'main')
    await host.whenBuilt(repository.id)
    return (await host.deps.papers.waitingEngines()).hits
  }
  const hits = await countAfterPush()
  await eventually(countAfterPush, { until: (count) => count > hits })
  const [newest] = await host.deps.store.builds.list(repository.id, { limit: 1, offset: 0 })
  assert.equal(newest?.state, 'succeeded')
})

/** Runs in the page. */
const POST_PREVIEW = `(async () => {
  const body = new FormData(document.querySelector('[data-edit-form]'))
  return (await fetch('/alice/tides/preview/main/main.tex', { method: 'POST', body })).status
})()`
