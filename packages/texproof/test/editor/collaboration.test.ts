/** Two people in one file: real browsers, a real server in its own process, and its end in the middle of a word. */
import assert from 'node:assert/strict'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import { createToken } from '../../src/accounts/tokens/create-token.ts'
import { openStore } from '../../src/store/store.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runProgram, runTestGit } from '../support/programs/run-program.ts'
import { fillText, openCommit, readText } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const EDIT = '/alice/tides/edit/main/README.md'

let dataDir: string
let token: string
let host: RunningHost
let browser: Browser
let alice: BrowserContext
let bob: BrowserContext

before(async (t) => {
  if (withoutBrowser !== false || !('after' in t)) return
  dataDir = makeFolder(t as Parameters<typeof makeFolder>[0])
  token = await addUsers()
  host = await startHost({ dataDir })
  const headers = { authorization: `Bearer ${token}` }
  const body = JSON.stringify({ name: 'tides', auto_init: true })
  await fetch(`${host.url}/api/v3/user/repos`, { method: 'POST', headers, body })
  await addCollaborator()
  browser = await openBrowser()
  alice = await signIn('alice')
  bob = await signIn('bob')
})
after(async () => {
  await browser?.close()
  await host?.stop()
})

/** Returns a token of alice. */
async function addUsers(): Promise<string> {
  const store = await openStore({ dataDir })
  const [first] = await Promise.all(
    ['alice', 'bob'].map((login) => addTestUser(store, { login, password, name: `<i>${login}</i>` })),
  )
  if (first?.kind !== 'added') throw new Error('no user')
  const details = { userId: first.user.id, name: 'test', scopes: ['repo:write'], expiresAt: null } as const
  const { text } = await createToken(store, details)
  await store.close()
  return text
}

async function addCollaborator(): Promise<void> {
  const store = await openStore({ dataDir })
  const repository = await store.repositories.findByName('alice', 'tides')
  const user = await store.users.findByLogin('bob')
  assert.ok(repository !== null && user !== null)
  await store.repositories.setCollaborator(repository.id, user.id, 'push')
  await store.close()
}

async function signIn(name: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: host.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.fill('[name=name]', name)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.url}/`)
  await page.close()
  return context
}

async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(EDIT)
  await page.locator('.cm-content').focus()
  return page
}

const whenSaved = (page: Page) => page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
const whenShown = (page: Page, text: string) => page.locator('.cm-line', { hasText: text }).first().waitFor()

test('people see the cursors and names of each other, and undo only their own changes', options, async () => {
  const pages = [await open(alice), await open(bob)] as const
  const [first, second] = pages
  await first.keyboard.press('Control+End')
  await first.keyboard.type('By alice.')
  await whenShown(second, 'By alice.')
  await second.keyboard.press('Control+Home')
  await second.keyboard.type('By bob. ')
  await whenShown(first, 'By bob.')
  await first.locator('.person-caret[data-name="<i>bob</i>"]').waitFor()
  const people = await first.locator('[data-people]').textContent()
  await first.keyboard.press('Control+Z')
  await second.locator('.cm-content', { hasText: 'By alice.' }).waitFor({ state: 'detached' })
  assert.deepEqual(
    [people, (await readText(second)).startsWith('By bob. ')],
    ['2 people: <i>alice</i>, <i>bob</i>', true],
  )
  await Promise.all(pages.map((page) => page.close()))
})

test('two windows of a user count as one person', options, async () => {
  const pages = [await open(alice), await open(alice), await open(bob)] as const
  const [first] = pages
  await first.locator('[data-people]', { hasText: 'bob' }).waitFor()
  assert.equal(await first.locator('[data-people]').textContent(), '2 people: <i>alice</i>, <i>bob</i>')
  await pages[2].close()
  await first.locator('[data-people]', { hasText: 'bob' }).waitFor({ state: 'detached' })
  assert.equal(await first.locator('[data-people]').textContent(), '')
  await Promise.all(pages.map((page) => page.close()))
})

test('Ctrl+S on a text that a co-author has committed shows that commit', options, async () => {
  const pages = [await open(alice), await open(bob)] as const
  const [first, second] = pages
  await first.keyboard.press('Control+End')
  await first.keyboard.type('Twice.')
  await whenSaved(first)
  await whenShown(second, 'Twice.')
  await second.keyboard.press('Control+S')
  const commit = second.locator('[data-draft-status] a')
  await commit.waitFor()
  await first.keyboard.press('Control+S')
  const status = first.locator('[data-draft-status]', { hasText: 'No changes' })
  const id = await commit.textContent()
  assert.equal(await status.textContent(), `No changes to commit. ibob/i has committed this text: ${id}`)
  assert.equal(await status.locator('a').getAttribute('href'), await commit.getAttribute('href'))
  await Promise.all(pages.map((page) => page.close()))
})

test('changes made without a network merge with changes of others', options, async () => {
  const pages = [await open(alice), await open(bob)] as const
  const [first, second] = pages
  await alice.setOffline(true)
  await first.keyboard.press('Control+End')
  await first.keyboard.type('Offline.')
  await first.locator('[data-draft-status]', { hasText: 'Offline' }).waitFor()
  await second.keyboard.press('Control+Home')
  await second.keyboard.type('Online. ')
  await whenSaved(second)
  await alice.setOffline(false)
  await whenShown(first, 'Online.')
  await whenShown(second, 'Offline.')
  assert.equal(await readText(first), await readText(second))
  await Promise.all(pages.map((page) => page.close()))
})

test('a server killed in the middle of a word loses nothing, and a commit credits both', options, async () => {
  const pages = [await open(alice), await open(bob)] as const
  const [first, second] = pages
  const typing = Promise.all([
    first.keyboard
      .press('Control+Home')
      .then(() => first.keyboard.type('alice types many words here. ', { delay: 40 })),
    second.keyboard.press('Control+End').then(() => second.keyboard.type('bob types at the end. ', { delay: 40 })),
  ])
  await whenShown(second, 'alice t')
  await host.stop('SIGKILL')
  await typing
  host = await startHost({ dataDir, args: ['--listen', `127.0.0.1:${host.port}`] })
  await whenShown(second, 'alice types many words here.')
  await whenShown(first, 'bob types at the end.')
  await Promise.all(pages.map(whenSaved))
  const texts = [await readText(first), await readText(second)]
  await first.keyboard.press('Control+S')
  await first.locator('[data-draft-status]', { hasText: 'Committed' }).waitFor()
  await second.locator('[data-draft-status]', { hasText: 'committed this text' }).waitFor()
  const dir = join(dataDir, 'clone')
  await runProgram('git', ['clone', '--quiet', `${host.url.replace('://', `://git:${token}@`)}/alice/tides.git`, dir])
  const message = (await runProgram('git', ['log', '-1', '--format=%B'], { cwd: dir })).stdout
  const text = await readFile(join(dir, 'README.md'), 'utf8')
  assert.deepEqual(
    [texts[1], text.trimEnd(), /\nCo-authored-by: ibob\/i <noreply@/.test(message)],
    [texts[0], texts[0]?.trimEnd(), true],
  )
  await Promise.all(pages.map((page) => page.close()))
})

test(
  'a push appears in the open editor and its list of files, and the editor says when the file was moved',
  options,
  async () => {
    const page = await open(alice)
    const dir = join(dataDir, 'pushed')
    const git = (...args: readonly string[]) =>
      runTestGit(dir, ['-c', 'user.name=Bob', '-c', 'user.email=bob@example.org', ...args])
    await runTestGit(dataDir, [
      'clone',
      '--quiet',
      `${host.url.replace('://', `://git:${token}@`)}/alice/tides.git`,
      dir,
    ])
    await appendFile(join(dir, 'README.md'), 'Pushed by bob.\n')
    await appendFile(join(dir, 'notes.tex'), 'Notes.\n')
    await git('add', '--all')
    await git('commit', '--quiet', '--message=Add a line and a file')
    await git('push', '--quiet')
    await whenShown(page, 'Pushed by bob.')
    await page.locator('.editor-files a:text-is("notes.tex")').waitFor()
    await git('mv', 'README.md', 'ABOUT.md')
    await git('commit', '--quiet', '--message=Rename the file')
    await git('push', '--quiet')
    const status = page.locator('[data-draft-status]', { hasText: 'renamed' })
    assert.equal(await status.textContent(), 'This file was renamed. Continue in ABOUT.md')
    await page.close()
  },
)

test('those who edit a file see the new path when a co-author renames it', options, async () => {
  const author = await alice.newPage()
  await author.goto('/alice/tides/new/main')
  await author.fill('#path', 'tides.tex')
  await fillText(author, 'Tides.\n')
  await author.click('button:text-is("Add file")')
  await author.waitForURL(/blob/)
  const other = await bob.newPage()
  await other.goto('/alice/tides/edit/main/tides.tex')
  await other.locator('[data-people]').waitFor({ state: 'attached' })
  await author.goto('/alice/tides/edit/main/tides.tex')
  await other.locator('[data-people]', { hasText: '2 people' }).waitFor()
  await openCommit(author)
  await author.fill('#path', 'sections/tides.tex')
  await author.click('button:text-is("Commit changes")')
  const status = other.locator('[data-draft-status]', { hasText: 'renamed this file' })
  const told = await status.textContent()
  await status.locator('a').click()
  await other.waitForURL('**/alice/tides/edit/main/sections/tides.tex')
  assert.deepEqual(
    [told, await readText(other)],
    ['<i>alice</i> renamed this file. Continue in sections/tides.tex', 'Tides.\n'],
  )
  await Promise.all([author.close(), other.close()])
})
