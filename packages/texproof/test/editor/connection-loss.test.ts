/** The editor without a network, without WebSocket, and after the end of the session, in a real browser. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import type { Repository, User } from '../../src/domain/types.ts'
import { roomLimits } from '../../src/live/rooms.ts'
import { endDraft } from '../../src/operations/edit/drafts.ts'
import { setArchived } from '../../src/operations/repository/change-repository.ts'
import { renameRepository } from '../../src/operations/repository/rename-repository.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { fillText, readText } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const EDIT = '/alice/tides/edit/main/notes.tex'
const ARCHIVED = 'This repository is archived and read-only. Its owner can unarchive it.'

let host: PaperHost
let browser: Browser
let work: Checkout
let context: BrowserContext
let page: Page
let userId: string
let alice: User
let repository: Repository
/** Questions of the browser before it leaves a page. */
let dialogs: string[]

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password, name: 'Alice Example' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  alice = outcome.user
  userId = alice.id
  await addTestUser(host.deps.store, { login: 'bob', password })
  await addTestUser(host.deps.store, { login: 'carol', password })
  const token = await host.addToken(outcome.user, ['repo:write'])
  repository = await host.addRepository(alice, 'tides')
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'notes.tex': '' })
  await work.git('push', 'origin', 'main')
  const bob = await host.deps.store.users.findByLogin('bob')
  if (bob === null) throw new Error('bob is missing')
  await host.deps.store.repositories.setCollaborator(repository.id, bob.id, 'push')
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})
beforeEach(async () => {
  if (withoutBrowser !== false) return
  await push('Tides.\n')
  context = await browser.newContext({ baseURL: host.origin })
  page = await context.newPage()
  await signIn(page)
  dialogs = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
})
afterEach(async () => {
  await context?.close()
})

/** Ends the drafts, and changes a text to the text of the branch. */
async function push(text: string): Promise<void> {
  for (const key of await host.deps.store.drafts.listOfUser(userId, 100))
    await endDraft(host.deps, key, { draft: null, by: 'Alice' })
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  if ((await work.git('show', 'HEAD:notes.tex')).stdout === text) return
  await work.commit({ 'notes.tex': text })
  await work.git('push', '--quiet', 'origin', 'main')
}

async function signIn(on: Page, login = 'alice'): Promise<void> {
  await on.goto('/login')
  await on.fill('[name=name]', login)
  await on.fill('[name=password]', password)
  await on.click('main button')
  await on.waitForURL(`${host.origin}/`)
}

async function open(on = page): Promise<void> {
  await on.goto(EDIT)
  await on.locator('.cm-content').focus()
  await on.keyboard.press('Control+Home')
}

/** A network that blocks WebSocket, as a proxy would. */
const blockWebSocket = (on = context): Promise<unknown> =>
  on.addInitScript(`WebSocket = class extends EventTarget {
    constructor() {
      super()
      setTimeout(() => this.dispatchEvent(new CloseEvent('close', { code: 1006 })))
    }
    close() {}
  }`)

const status = (text: string, on = page) => on.locator('[data-draft-status]', { hasText: text })
const whenSaved = (on = page) => on.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
const choose = (label: string) => page.click(`[data-draft-status] button:text-is("${label}")`)

async function readCommitted(): Promise<string> {
  await work.git('fetch', '--quiet', 'origin')
  return (await work.git('show', 'origin/main:notes.tex')).stdout
}

test('where WebSocket is blocked, what was typed at first is stored once', options, async () => {
  await blockWebSocket()
  await open()
  await page.keyboard.type('hello')
  await whenSaved()
  const copies = await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("texproof-"))')
  await page.reload()
  await page.locator('.cm-content').waitFor()
  await page.waitForResponse((response) => response.url().includes('/live/'))
  assert.deepEqual([await readText(page), copies, dialogs], ['helloTides.\n', [], []])
})

test('where WebSocket is blocked, typing does not overwrite the text of another device', options, async () => {
  const device = await browser.newContext({ baseURL: host.origin, storageState: await context.storageState() })
  await blockWebSocket()
  await blockWebSocket(device)
  const other = await device.newPage()
  await open(other)
  await open()
  await other.keyboard.type('Theirs. ')
  await whenSaved(other)
  await page.keyboard.type('Mine. ')
  await status('This draft was changed in another window.').waitFor()
  await page.keyboard.type('More. ')
  // Longer than it takes to send a change.
  await page.waitForTimeout(1_500)
  await other.reload()
  const stored = await readText(other)
  await choose('Keep this version')
  await whenSaved()
  await other.reload()
  assert.deepEqual([stored, await readText(other)], ['Theirs. Tides.\n', 'Mine. More. Tides.\n'])
  await device.close()
})

test('where WebSocket is blocked, the text of a deleted file can be committed as a new one', options, async () => {
  await blockWebSocket()
  await open()
  await work.git('rm', '--quiet', 'notes.tex')
  await work.commit({})
  await work.git('push', '--quiet', 'origin', 'main')
  // The state of a week later: the unchanged text is neither stored nor in a room.
  await host.deps.store.drafts.removeUnchanged(Date.now() + 1)
  await host.restart()
  await page.keyboard.type('Mine. ')
  await status('The file or its branch was renamed or deleted. Press Commit to save your text elsewhere.').waitFor()
  await page.keyboard.press('Control+S')
  await page.locator('main', { hasText: 'commit it as a new file' }).waitFor()
  assert.equal(await readText(page), 'Mine. Tides.\n')
})

test('where WebSocket is blocked, the unsaved texts of two windows are both kept', options, async () => {
  await blockWebSocket()
  const other = await context.newPage()
  for (const each of [other, page]) {
    let attempts = 0
    // After the third attempt, whole texts are sent.
    const isLast = (url: string): boolean => url.includes('/live/') && (attempts += 1) === 3
    await Promise.all([each.waitForResponse((response) => isLast(response.url())), open(each)])
  }
  await context.setOffline(true)
  await other.keyboard.type('Theirs. ')
  await status('No connection.', other).waitFor()
  await page.keyboard.type('Mine. ')
  await status('No connection.').waitFor()
  await other.close()
  await page.close()
  await context.setOffline(false)
  page = await context.newPage()
  await open()
  await status('This browser has unsaved changes').waitFor()
  const first = await readText(page)
  await choose('Restore unsaved changes')
  await whenSaved()
  assert.deepEqual([first, await readText(page)].toSorted(), ['Mine. Tides.\n', 'Theirs. Tides.\n'])
})

test('where WebSocket is blocked, a text whose answer was lost is no change of another window', options, async () => {
  await blockWebSocket()
  await open()
  let isLost = false
  await page.route('**/draft/main/notes.tex?user=*', async (route) => {
    if (isLost) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  await page.keyboard.type('a')
  await status('No connection.').waitFor()
  await page.keyboard.type('b')
  const shown = page.locator('[data-draft-status]', { hasText: /^Draft saved$|another window/ })
  await shown.waitFor()
  const answer = await shown.textContent()
  await page.reload()
  assert.deepEqual([answer, await readText(page), dialogs], ['Draft saved', 'abTides.\n', []])
})

test('where WebSocket is blocked, a text that the server refused is not sent again', options, async () => {
  await blockWebSocket()
  await open()
  await page.route('**/draft/main/notes.tex?user=*', (route) => {
    const isRefused = route.request().postData()?.includes('aTides') === true
    return isRefused ? route.fulfill({ status: 413 }) : route.fallback()
  })
  await page.keyboard.type('a')
  await page.locator('[data-draft-status]', { hasText: 'larger than 1 MB' }).waitFor()
  await page.keyboard.type('b')
  await whenSaved()
  await page.reload()
  assert.deepEqual([await readText(page), dialogs], ['abTides.\n', []])
})

test(
  'where WebSocket is blocked, a closed page sends the newest text after one without an answer',
  options,
  async () => {
    await blockWebSocket()
    await open()
    let failures = 0
    await page.route('**/draft/main/notes.tex?user=*', async (route) => {
      await route.abort()
      failures += 1
    })
    await page.keyboard.type('a')
    await status('No connection.').waitFor()
    await page.keyboard.type('b')
    // Then the next attempt is seconds away: nothing is sent but what the closed page sends.
    await eventually(() => failures >= 3)
    // Playwright may lose requests that outlive their page and have a route.
    await page.unroute('**/draft/main/notes.tex?user=*')
    await page.goto('/alice/tides')
    // The next page does not wait for what the last one sent.
    await eventually(() => host.deps.store.drafts.listOfUser(userId, 1), { until: ({ length }) => length === 1 })
    // The copy that the browser keeps if nothing was stored.
    await page.evaluate('localStorage.clear()')
    await page.goto(EDIT)
    assert.deepEqual([await readText(page), dialogs], ['abTides.\n', ['beforeunload']])
  },
)

test('where WebSocket is blocked, a long text that is not Latin is stored', options, async () => {
  await blockWebSocket()
  await open()
  await fillText(page, `${'潮'.repeat(39_999)}\n`)
  await whenSaved()
  await page.reload()
  assert.equal((await readText(page)).length, 40_000)
})

test('where WebSocket is blocked, a commit does not wait for it', options, async () => {
  await blockWebSocket()
  await open()
  await page.keyboard.type('hello')
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+S')])
  assert.deepEqual([await readCommitted(), dialogs], ['helloTides.\n', []])
})

test('where WebSocket is blocked, a commit does not wait for the author to stop typing', options, async () => {
  await blockWebSocket()
  await open()
  await page.route('**/draft/main/notes.tex?user=*', async (route) => {
    const response = await route.fetch()
    await page.keyboard.type('x')
    await route.fulfill({ response })
  })
  await page.keyboard.type('a')
  await Promise.all([page.waitForURL('**/blob/**', { timeout: 20_000 }), page.keyboard.press('Control+S')])
  assert.match(await readCommitted(), /^ax+Tides\.\n$/)
  assert.deepEqual(dialogs, [])
})

test('where WebSocket is blocked, a text that was committed is not offered again', options, async () => {
  await blockWebSocket()
  await open()
  await page.route('**/draft/main/notes.tex?user=*', async (route) => {
    const response = await route.fetch()
    await page.keyboard.type('x')
    await route.fulfill({ response })
  })
  await page.keyboard.type('a')
  await Promise.all([page.waitForURL('**/blob/**', { timeout: 20_000 }), page.keyboard.press('Control+S')])
  await push('Waves.\n')
  await open()
  await page.unroute('**/draft/main/notes.tex?user=*')
  await page.keyboard.type('b')
  const shown = page.locator('[data-draft-status]', { hasText: /^Draft saved$|This browser/ })
  await shown.waitFor()
  const answer = await shown.textContent()
  const left = await page.evaluate('Object.keys(localStorage).filter((key) => key.startsWith("texproof-draft "))')
  assert.deepEqual([answer, await readText(page), left, dialogs], ['Draft saved', 'bWaves.\n', [], []])
})

test('where WebSocket is blocked, what was typed after a commit with newer text is offered', options, async () => {
  await blockWebSocket()
  await open()
  await page.route('**/draft/main/notes.tex?user=*', async (route) => {
    const response = await route.fetch()
    await page.keyboard.type('x')
    await route.fulfill({ response })
  })
  await page.route('**/edit/main/notes.tex', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch({ maxRedirects: 0 })
    await page.keyboard.type('y')
    await route.fulfill({ response })
  })
  await page.keyboard.type('a')
  await Promise.all([page.waitForURL('**/blob/**', { timeout: 20_000 }), page.keyboard.press('Control+S')])
  await page.unrouteAll()
  await push('Waves.\n')
  await open()
  await status('This browser has unsaved changes, and the draft has changed since.').waitFor()
  await choose('Restore unsaved changes')
  await whenSaved()
  assert.match(await readText(page), /^ax+yTides\.\n$/)
  assert.deepEqual(dialogs, [])
})

test('where WebSocket is blocked, a text whose commit failed is offered', options, async () => {
  await blockWebSocket()
  await open()
  await page.route('**/draft/main/notes.tex?user=*', (route) => route.abort())
  await page.route('**/edit/main/notes.tex', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.fallback(),
  )
  await page.keyboard.type('a')
  await status('No connection.').waitFor()
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+S')])
  await page.unrouteAll()
  await push('Waves.\n')
  await open()
  await status('This browser has changes that may be committed already, and the draft has changed since.').waitFor()
  await choose('Restore unsaved changes')
  await whenSaved()
  assert.deepEqual([await readText(page), dialogs], ['aTides.\n', []])
})

test('where WebSocket is blocked, what is typed during a commit reaches the draft', options, async () => {
  await blockWebSocket()
  await open()
  const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/edit/main/notes.tex', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch({ maxRedirects: 0 })
    arrived.resolve()
    await answered.promise
    await route.fulfill({ response })
  })
  await page.keyboard.type('hello')
  await page.keyboard.press('Control+S')
  await arrived.promise
  await Promise.all([
    page.waitForResponse((response) => response.request().postData()?.includes('hello more Tides') ?? false),
    page.keyboard.type(' more '),
  ])
  await Promise.all([page.waitForURL('**/blob/**'), answered.resolve()])
  await open()
  assert.deepEqual([await readCommitted(), await readText(page), dialogs], ['helloTides.\n', 'hello more Tides.\n', []])
})

test('without a network, Ctrl+S says so, and the editor stays', options, async () => {
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  await context.setOffline(true)
  await status('Offline').waitFor()
  await page.keyboard.type('B')
  await page.keyboard.press('Control+S')
  await status('No connection. Your text is kept in this browser; commit it when you are online.').waitFor()
  await context.setOffline(false)
  await whenSaved()
  const before = await readCommitted()
  await page.keyboard.press('Control+S')
  await status('Committed').waitFor()
  assert.deepEqual([before, await readCommitted()], ['Tides.\n', 'ABTides.\n'])
})

test('a text typed offline is offered if the history is new, even when the tab stayed open', options, async () => {
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  await context.setOffline(true)
  await status('Offline').waitFor()
  await page.keyboard.type('B')
  await push('Waves.\n')
  // The state of a week later.
  await host.deps.store.drafts.removeUnchanged(Date.now() + 1)
  await host.restart()
  await Promise.all([page.waitForEvent('load'), context.setOffline(false)])
  await status('This browser has unsaved changes, and the file has changed since.').waitFor()
  await choose('Restore unsaved changes')
  await whenSaved()
  assert.deepEqual([await readText(page), dialogs], ['ABTides.\n', []])
})

test(
  'changes made without a network that are too large for one message are stored from the next page',
  options,
  async () => {
    await open()
    await context.setOffline(true)
    await status('Offline').waitFor()
    for (const letter of 'abc') await fillText(page, `${letter.repeat(99)}\n`.repeat(400))
    // Longer than it takes to keep a change in the browser.
    await page.waitForTimeout(1_500)
    await page.close()
    await context.setOffline(false)
    page = await context.newPage()
    await open()
    await whenSaved()
    await page.reload()
    assert.equal(await readText(page), `${'c'.repeat(99)}\n`.repeat(400))
  },
)

test('a question does not hide that there is no connection', options, async () => {
  await open()
  await page.evaluate(`localStorage.setItem(
    'texproof-unsent /alice/tides/live/main/notes.tex?user=${userId} 0',
    JSON.stringify({ epoch: 'other', updates: [], text: 'One' }),
  )`)
  await page.reload()
  await status('This browser has unsaved changes').waitFor()
  await context.setOffline(true)
  await status('Offline').waitFor()
  assert.equal(await status('This browser has unsaved changes').count(), 1)
  await context.setOffline(false)
  await choose('Discard')
})

test('each copy of another history is a question, which stays until it is answered', options, async () => {
  await open()
  await page.evaluate(`['One', 'Two'].forEach((text, index) => localStorage.setItem(
    'texproof-unsent /alice/tides/live/main/notes.tex?user=${userId} ' + index,
    JSON.stringify({ epoch: 'other', updates: [], text }),
  ))`)
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()])
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"people"'))
  await choose('Discard')
  const afterFirst = await status('This browser has unsaved changes').count()
  await choose('Restore unsaved changes')
  await whenSaved()
  assert.deepEqual([afterFirst, ['One', 'Two'].includes(await readText(page))], [1, true])
})

test(
  'copies of an earlier version are restored, and damaged ones neither stop the editor nor are deleted',
  options,
  async () => {
    await open()
    await context.setOffline(true)
    await status('Offline').waitFor()
    await page.keyboard.type('B')
    // Longer than it takes to keep a change in the browser.
    await page.waitForTimeout(1_500)
    await page.close()
    await context.setOffline(false)
    page = await context.newPage()
    await page.goto('/')
    await page.evaluate(`(() => {
    const [key] = Object.keys(localStorage).filter((name) => name.startsWith('texproof-unsent '))
    const { updates: [update], ...copy } = JSON.parse(localStorage[key])
    localStorage[key] = JSON.stringify({ ...copy, update })
    const prefix = key.slice(0, key.lastIndexOf(' ') + 1)
    localStorage[prefix + '1'] = '{"epoch":'
    localStorage[prefix + '2'] = JSON.stringify({ ...copy, updates: ['AAAA', '?'], text: 'Damaged. ' })
  })()`)
    await open()
    await status('This browser has unsaved changes').waitFor()
    const restored = await readText(page)
    await choose('Restore unsaved changes')
    await whenSaved()
    const left = await page.evaluate('Object.values(localStorage)')
    assert.deepEqual([restored, await readText(page), left], ['BTides.\n', 'Damaged. ', ['{"epoch":']])
  },
)

test('after signing in again in another tab, formulas are shown and Ctrl+S commits', options, async () => {
  await open()
  await page.keyboard.type('$x^2$ ')
  await whenSaved()
  await host.deps.store.sessions.removeOfUser(userId)
  await status('You are signed out.').waitFor()
  const other = await context.newPage()
  await signIn(other)
  await status('You are signed out.').waitFor({ state: 'detached' })
  await page.locator('.cm-line', { hasText: 'x^2' }).hover({ position: { x: 15, y: 8 } })
  await page.locator('.cm-formula math').waitFor()
  await page.keyboard.press('Control+S')
  await status('Committed').waitFor()
  assert.equal(await readCommitted(), '$x^2$ Tides.\n')
})

test(
  'after a rename of the repository, the editor opens at the new address with what was typed offline',
  options,
  async () => {
    await open()
    await page.keyboard.type('A')
    await whenSaved()
    await context.setOffline(true)
    await status('Offline').waitFor()
    await page.keyboard.type('B')
    await renameRepository(host.deps, { repository, actor: alice }, 'waves')
    await Promise.all([page.waitForURL('**/alice/waves/edit/main/notes.tex'), context.setOffline(false)])
    await whenSaved()
    const [text, copies] = [await readText(page), await page.evaluate('Object.keys(localStorage).join(" ")')]
    await renameRepository(host.deps, { repository: { ...repository, name: 'waves' }, actor: alice }, 'tides')
    assert.deepEqual([text, /texproof-unsent/.test(String(copies)), dialogs], ['ABTides.\n', false, []])
  },
)

test(
  'where WebSocket is blocked, the editor opens at the new address after a rename of the repository',
  options,
  async () => {
    await blockWebSocket()
    await open()
    await page.keyboard.type('A')
    await whenSaved()
    await renameRepository(host.deps, { repository, actor: alice }, 'waves')
    await page.keyboard.type('B')
    await page.waitForURL('**/alice/waves/edit/main/notes.tex')
    await page.locator('.cm-line', { hasText: 'ABTides.' }).waitFor()
    await whenSaved()
    await page.reload()
    const [text, copies] = [await readText(page), await page.evaluate('Object.keys(localStorage).join(" ")')]
    await renameRepository(host.deps, { repository: { ...repository, name: 'waves' }, actor: alice }, 'tides')
    assert.deepEqual([text, /texproof-draft/.test(String(copies)), dialogs], ['ABTides.\n', false, []])
  },
)

test('where WebSocket is blocked, the editor says that the repository was archived', options, async () => {
  await blockWebSocket()
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  await setArchived(host.deps, { repository, actor: alice }, true)
  await page.keyboard.type('B')
  await status(`${ARCHIVED} Copy your text before you leave this page.`).waitFor()
  await setArchived(host.deps, { repository, actor: alice }, false)
})

test('an open editor says that the repository was archived', options, async () => {
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  await setArchived(host.deps, { repository, actor: alice }, true)
  await status(`${ARCHIVED} Copy your text before you leave this page.`).waitFor()
  await setArchived(host.deps, { repository, actor: alice }, false)
})

test('while signed out, the link to sign in keeps the focus', options, async () => {
  await open()
  await host.deps.store.sessions.removeOfUser(userId)
  await page.locator('[data-draft-status] a').focus()
  // The second attempt has failed when the third begins.
  for (let attempt = 0; attempt < 3; attempt += 1) await page.waitForEvent('websocket')
  assert.equal(await page.locator('[data-draft-status] a:focus').textContent(), 'Sign in')
})

test('the editor of a private repository recovers after signing in again in another tab', options, async (t) => {
  await makePrivate(t)
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  await host.deps.store.sessions.removeOfUser(userId)
  // The first attempt has failed when the second begins.
  for (let attempt = 0; attempt < 2; attempt += 1) await page.waitForEvent('websocket')
  await status('You are signed out.').waitFor()
  await page.keyboard.type('B')
  const other = await context.newPage()
  await signIn(other)
  await whenSaved()
  assert.equal(await readText(page), 'ABTides.\n')
})

test(
  'where WebSocket is blocked, the editor of a private repository recovers after signing in again',
  options,
  async (t) => {
    await makePrivate(t)
    await blockWebSocket()
    await open()
    await page.keyboard.type('A')
    await whenSaved()
    await host.deps.store.sessions.removeOfUser(userId)
    await page.keyboard.type('B')
    await status('You are signed out.').waitFor()
    const other = await context.newPage()
    await signIn(other)
    await whenSaved()
    assert.equal(await readText(page), 'ABTides.\n')
  },
)

test('with more tabs than a user may have, the last one says so, and still saves and commits', options, async (t) => {
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  t.after(changeLimits({ membersOfUser: 1 }))
  const other = await context.newPage()
  const addresses: string[] = []
  other.on('websocket', (socket) => addresses.push(new URL(socket.url()).pathname))
  await open(other)
  await status('Too many editor tabs are open.', other).waitFor()
  await other.keyboard.type('B')
  await other.locator('[data-draft-status]', { hasText: /^Too many editor tabs are open.* Draft saved$/ }).waitFor()
  // Longer than the longest pause between two attempts after an interruption.
  await other.waitForTimeout(6_000)
  await Promise.all([other.waitForURL('**/blob/**'), other.keyboard.press('Control+S')])
  assert.deepEqual(
    [await readCommitted(), addresses, dialogs],
    ['BATides.\n', ['/alice/tides/live/main/notes.tex'], []],
  )
})

test(
  'a server with too many open editors is asked again only later, and a commit does not wait',
  options,
  async (t) => {
    t.after(changeLimits({ members: 0 }))
    const addresses: string[] = []
    page.on('websocket', (socket) => addresses.push(new URL(socket.url()).pathname))
    await open()
    await page.keyboard.type('A')
    await status('Too many people are editing now. Your changes are kept in this browser').waitFor()
    // Longer than the longest pause between two attempts after an interruption.
    await page.waitForTimeout(6_000)
    const attempts = addresses.length
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Control+S')])
    assert.deepEqual([attempts, await readCommitted(), dialogs], [1, 'ATides.\n', []])
  },
)

/** Ends the session of alice, and signs in another user in this browser. */
async function signInInstead(on: Page, login: string): Promise<void> {
  await host.deps.store.sessions.removeOfUser(userId)
  await context.clearCookies()
  await signIn(on, login)
}

test('a text typed offline is not given to another user of the browser', options, async () => {
  await open()
  await page.keyboard.type('A')
  await whenSaved()
  await context.setOffline(true)
  await status('Offline').waitFor()
  await page.keyboard.type('B')
  await page.goto('about:blank')
  await context.setOffline(false)
  await signInInstead(page, 'bob')
  await open()
  await page.keyboard.type('C')
  await whenSaved()
  const ofBob = await readText(page)
  await signInInstead(page, 'alice')
  await open()
  await whenSaved()
  assert.deepEqual([ofBob, await readText(page)], ['CATides.\n', 'CABTides.\n'])
})

for (const [how, isBlocked, reason] of [
  ['the editor', false, 'Another user has signed in. Sign in as yourself to continue.'],
  ['where WebSocket is blocked, the editor', true, 'You are signed out.'],
] as const)
  test(`${how} does not save as another user who has signed in, but when its user returns`, options, async (t) => {
    await makePrivate(t)
    if (isBlocked) await blockWebSocket()
    await open()
    await page.keyboard.type('A')
    await whenSaved()
    const other = await context.newPage()
    // Carol may not read the repository.
    for (const login of ['bob', 'carol']) {
      await signInInstead(other, login)
      await page.keyboard.type('B')
      await status(reason).waitFor()
      // The next attempt has failed as well.
      await page.waitForResponse((response) => response.url().includes(isBlocked ? '/draft/' : '/live/'))
    }
    await signInInstead(other, 'alice')
    await whenSaved()
    const key = { repositoryId: repository.id, branch: 'main', path: 'notes.tex' }
    const draft = await host.deps.store.drafts.find(key)
    const authors = draft?.authors.map((author) => author.userId)
    assert.deepEqual([await readText(page), authors], ['ABBTides.\n', [userId]])
  })

/** Hides the repository from others until the end of the test. */
async function makePrivate(t: TestContext): Promise<void> {
  await host.deps.store.repositories.change(repository.id, { visibility: 'private' })
  t.after(() => host.deps.store.repositories.change(repository.id, { visibility: 'public' }))
}

/** Changes limits of the host until the result is called. */
function changeLimits(limits: Partial<Record<keyof typeof roomLimits, number>>): () => void {
  const before = { ...roomLimits }
  Object.assign(roomLimits, limits)
  return () => void Object.assign(roomLimits, before)
}

test('a paste beyond 1 MB is refused', options, async () => {
  await open()
  await fillText(page, '潮'.repeat(400_000))
  await status('Not inserted: the file would be larger than 1 MB. Split the file.').waitFor()
  assert.equal(await readText(page), 'Tides.\n')
})

test('null characters of a pasted text are removed, and the rest is stored', options, async () => {
  await open()
  await fillText(page, '\0The \0\0tide\n\0rises.\0')
  await page.keyboard.type(' It falls.')
  await whenSaved()
  await page.reload()
  assert.equal(await readText(page), 'The tide\nrises. It falls.')
})

test('a letter beyond 1 MB in UTF-8 is refused until another one is deleted', options, async () => {
  await open()
  const lines = `${'潮'.repeat(24)}\n`.repeat(14_364)
  await fillText(page, lines)
  await page.keyboard.press('Control+End')
  await page.keyboard.type('abcde')
  await status('Not inserted: the file would be larger than 1 MB. Split the file.').waitFor()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('f')
  assert.equal(await readText(page), `${lines}abcf`)
})

test('a replacement of 25,000 matches at once is stored', options, async () => {
  await open()
  await fillText(page, `${'colour '.repeat(10)}\n`.repeat(2_500))
  await whenSaved()
  await page.keyboard.press('Control+F')
  await page.fill('.cm-search [name=search]', 'colour')
  await page.fill('.cm-search [name=replace]', 'color')
  await page.click('.cm-search [name=replaceAll]')
  await whenSaved()
  await page.reload()
  assert.equal(await readText(page), `${'color '.repeat(10)}\n`.repeat(2_500))
})

test('a text whose changes are too large for the server is offered on the next page', options, async () => {
  await open()
  await context.setOffline(true)
  await status('Offline').waitFor()
  for (let paste = 0; paste < 3; paste += 1) await fillText(page, `${'a'.repeat(99)}\n`.repeat(10_200))
  await fillText(page, 'Short.\n')
  await context.setOffline(false)
  await status('The server refused a change, because the file would be larger than 1 MB.').waitFor()
  await page.reload()
  await choose('Restore unsaved changes')
  await whenSaved()
  assert.equal(await readText(page), 'Short.\n')
})

test('a browser that cannot store changes says so', options, async () => {
  await open()
  await page.evaluate(`(() => {
    for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2))
      try {
        for (let index = 0; ; index += 1) localStorage.setItem('full ' + size + ' ' + index, 'x'.repeat(size))
      } catch {}
  })()`)
  await context.setOffline(true)
  await status('Offline').waitFor()
  await page.keyboard.type('A')
  await status('This browser cannot store your changes. Keep this page open, or copy your text.').waitFor()
})
