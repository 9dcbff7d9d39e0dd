/**
 * Editing a paper in the browser while others push, with real git, real TeX and a real browser, with script and
 * without.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { setRegistration } from '../../src/accounts/join/registration.ts'
import { letPushesWait } from '../support/hosts/let-pushes-wait.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { fillText, openCommit, readText } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { makeFolder } from '../support/make-folder.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const paper = String.raw`\documentclass{article}\title{Tides}\author{Alice}
\begin{document}
\maketitle
\input{sections/intro}
\end{document}
`
const intro = (word: string): string => `First line.\n\nWe write ${word} here.\n\nLast line.\n`

letPushesWait()

let host: PaperHost
let browser: Browser
let work: Checkout

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password, name: 'Alice Example' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  const token = await host.addToken(outcome.user, ['repo:write'])
  await host.addRepository(outcome.user, 'tides')
  const files = { 'main.tex': paper, 'sections/intro.tex': intro('it') }
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), files)
  await work.git('push', 'origin', 'main')
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

async function openPage(t: TestContext, hasScript: boolean, size = { width: 1280, height: 900 }): Promise<Page> {
  const page = await borrowWindow(browser, t, { javaScriptEnabled: hasScript, viewport: { width: 1280, height: 900 } })
  await page.setViewportSize(size)
  await page.goto(`${host.origin}/login`)
  await page.fill('[name=name]', 'alice')
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.origin}/`)
  return page
}

/** Pushes on top of the commits made in the browser; returns git's output. */
async function pushIntro(word: string): Promise<string> {
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'sections/intro.tex': intro(word) }, 'Push')
  return (await work.git('push', 'origin', 'main')).stderr
}

async function introOnMain(): Promise<string> {
  await work.git('fetch', '--quiet', 'origin')
  return (await work.git('show', 'origin/main:sections/intro.tex')).stdout
}

for (const hasScript of [true, false]) {
  const how = hasScript ? 'with script' : 'without script'

  test(
    `an author breaks a paper, opens the address that git prints, edits the line and reads it, ${how}`,
    options,
    async (t) => {
      const told = await pushIntro('\\foo')
      const address = /remote: +(http:\S+\/builds\/\d+)/.exec(told)?.[1] ?? ''
      assert.match(told, /remote: +sections\/intro\.tex:3:10 /)
      const page = await openPage(t, hasScript)
      await page.goto(address)
      await page.click('.problem .place:text("sections/intro.tex:3")')
      await page.locator('#L3.marked-error').waitFor()
      await page.click('#L3 .edit-line:text("Edit this line")')
      await page.waitForURL('**/alice/tides/edit/main/sections/intro.tex?line=3')
      assert.match(
        (await page.locator('.note-above').innerText()) ?? '',
        /3\s+We write \\foo here\.[^]*\\foo is not defined/,
      )
      const text = await readText(page, hasScript)
      if (hasScript) assert.equal(await page.locator('.cm-requested-line').innerText(), 'We write \\foo here.')
      await fillText(page, text.replace('\\foo', 'fixed words'), hasScript)
      await openCommit(page, hasScript)
      await page.click('button:text("Commit changes")')
      await page.waitForURL('**/blob/main/sections/intro.tex?after=commit#L3')
      await page.locator('.banner', { hasText: 'Committed to main.' }).waitFor()
      await page.locator('.banner .proof', { hasText: 'up to date' }).waitFor()
      await page.click('text=View PDF')
      await page.locator('.banner-good').waitFor()
      assert.equal(await introOnMain(), intro('fixed words'))
    },
  )

  test(`a reader of the PDF edits the line beside it, and the PDF refreshes itself, ${how}`, options, async (t) => {
    await pushIntro('\\foo')
    const page = await openPage(t, hasScript)
    await page.goto(`${host.origin}/alice/tides/pdf/main`)
    await page.click('.beside a:text("Edit this line")')
    await fillText(page, intro('other words'), hasScript)
    await openCommit(page, hasScript)
    await page.fill('#message', 'Fix it')
    await page.click('button:text("Commit changes")')
    await page.waitForURL(`${host.origin}/alice/tides/pdf/main`)
    await page.locator('.banner-good').waitFor()
    if (hasScript) await page.locator('.textLayer', { hasText: 'other words' }).waitFor()
    await work.git('fetch', '--quiet', 'origin')
    assert.equal(
      (await work.git('log', '-1', '--format=%an: %s', 'origin/main')).stdout.trim(),
      'Alice Example: Fix it',
    )
  })

  test(`two users who change one line resolve the conflict on a phone, ${how}`, options, async (t) => {
    await pushIntro('this')
    const page = await openPage(t, hasScript, { width: 360, height: 740 })
    await page.goto(`${host.origin}/alice/tides/edit/main/sections/intro.tex`)
    await fillText(page, intro('mine'), hasScript)
    await pushIntro('theirs')
    await openCommit(page, hasScript)
    await Promise.all([page.waitForEvent('load'), page.click('button:text("Commit changes")')])
    assert.doesNotMatch(await page.content(), /&lt;&lt;&lt;|=====|&gt;&gt;&gt;/)
    assert.equal(await page.locator('.version pre').first().textContent(), 'We write mine here.\n')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
    await page.check('label:text("Both, yours first") input')
    await page.click('button:text("Commit resolution")')
    await page.waitForURL('**/blob/main/sections/intro.tex?after=commit')
    assert.equal(await introOnMain(), intro('mine').replace('here.\n', 'here.\nWe write theirs here.\n'))
  })

  test(`a text survives the end of its session, ${how}`, options, async (t) => {
    const page = await openPage(t, hasScript)
    await page.goto(`${host.origin}/alice/tides/edit/main/sections/intro.tex`)
    await fillText(page, intro(`an hour ${how}`), hasScript)
    await page.context().clearCookies()
    await openCommit(page, hasScript)
    await page.click('button:text("Commit changes")')
    await page.locator('h1:text-is("You are signed out")').waitFor()
    const [signIn] = await Promise.all([page.waitForEvent('popup'), page.click('a:has-text("Sign in in a new tab")')])
    await signIn.fill('[name=name]', 'alice')
    await signIn.fill('[name=password]', password)
    await signIn.click('main button')
    await signIn.waitForURL('**/edit/main/sections/intro.tex')
    await page.click('button:text("Try again")')
    assert.equal(await readText(page, hasScript), intro(`an hour ${how}`))
    await page.click('button:text("Try again")')
    await page.waitForURL('**/blob/main/sections/intro.tex?after=commit')
    assert.equal(await introOnMain(), intro(`an hour ${how}`))
  })

  test(`pictures and bibliographies are uploaded, ${how}`, options, async (t) => {
    const page = await openPage(t, hasScript)
    await page.goto(`${host.origin}/alice/tides`)
    await page.click('text=Add files')
    const file = (name: string, bytes: number) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.alloc(bytes, 1),
    })
    await page.setInputFiles('#files', [file('plot.png', 300_000), file(`refs-${hasScript}.bib`, 20)])
    await page.click('button:text("Upload files")')
    await page.waitForURL('**/alice/tides/tree/main')
    await page.locator('.files a', { hasText: `refs-${hasScript}.bib` }).waitFor()
  })

  test(`a folder is uploaded with its paths, ${how}`, options, async (t) => {
    const folder = join(makeFolder(t), `soundings-${hasScript}`)
    mkdirSync(join(folder, 'raw'), { recursive: true })
    for (const name of ['ebb.csv', 'raw/flood.csv']) writeFileSync(join(folder, name), 'Depth.')
    const page = await openPage(t, hasScript)
    await page.goto(`${host.origin}/alice/tides/new/main`)
    await page.setInputFiles('#folder', folder)
    await page.click('button:text("Upload files")')
    await page.waitForURL('**/alice/tides/tree/main')
    await work.git('fetch', '--quiet', 'origin')
    const listed = await work.git('ls-tree', '-r', '--name-only', 'origin/main', `soundings-${hasScript}`)
    assert.deepEqual(listed.stdout.trim().split('\n'), [
      `soundings-${hasScript}/ebb.csv`,
      `soundings-${hasScript}/raw/flood.csv`,
    ])
  })
}

test('a co-author without an account is invited by link, registers, writes and reads the PDF', options, async (t) => {
  await pushIntro('it')
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const author = await openPage(t, true)
  await author.goto(`${host.origin}/alice/tides/settings`)
  await author.click('a:text("Invite by link or email")')
  await author.click('button:text("Create invitation")')
  const link = await author.inputValue('#made')

  const page = await borrowWindow(browser, t, { viewport: { width: 1280, height: 900 } })
  await page.goto(link)
  await page.locator('h1:text-is("Invitation to alice/tides")').waitFor()
  await page.click('a:text("Create an account")')
  await page.fill('[name=login]', 'bob')
  await page.fill('[name=password]', password)
  await page.click('button:text("Create account")')
  await page.click('button:text("Accept")')
  await page.waitForURL(`${host.origin}/alice/tides`)
  await page.goto(`${host.origin}/alice/tides/edit/main/sections/intro.tex`)
  await fillText(page, intro('both of us'), true)
  await openCommit(page)
  await page.click('button:text("Commit changes")')
  await page.waitForURL('**/blob/main/sections/intro.tex?after=commit')
  await page.locator('.banner .proof', { hasText: 'up to date' }).waitFor()
  await page.click('text=View PDF')
  await page.locator('.textLayer', { hasText: 'both of us' }).waitFor()
  assert.deepEqual(
    [await introOnMain(), (await work.git('log', '-1', '--format=%an: %s', 'origin/main')).stdout.trim()],
    [intro('both of us'), 'bob: Edit intro.tex'],
  )
})

/** Three files that exceed the limit only together. From disk: as text in messages to the browser they would take many seconds. */
function makeLargeFiles(t: TestContext): readonly string[] {
  const folder = makeFolder(t)
  const paths = ['1.png', '2.png', '3.png'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, Buffer.alloc(9_900_000, 1))
  return paths
}

test('an upload that is too large is rejected with the limit', options, async (t) => {
  const page = await openPage(t, false)
  await page.goto(`${host.origin}/alice/tides/new/main`)
  await page.setInputFiles('#files', [...makeLargeFiles(t)])
  await page.click('button:text("Upload files")')
  assert.deepEqual(
    [await page.locator('h1').first().textContent(), await page.locator('h1 + p').textContent()],
    ['Request too large', 'The request exceeds the limit of 25 MB. Nothing was changed.'],
  )
})

test(
  'with script, an upload that is too large is refused before it is sent, and keeps the message',
  options,
  async (t) => {
    const page = await openPage(t, true)
    await page.goto(`${host.origin}/alice/tides/new/main`)
    await page.locator('.cm-content').waitFor()
    const paths = makeLargeFiles(t)
    await page.fill('#upload-message', 'Add three plots')
    await page.setInputFiles('#files', [...paths])
    const excess = await page.evaluate('files.validationMessage')
    await page.click('button:text("Upload files")')
    const focused = await page.evaluate('document.activeElement.id')
    await page.setInputFiles('#files', paths.slice(0, 1))
    await page.click('button:text("Upload files")')
    await page.waitForURL('**/alice/tides/tree/main')
    await work.git('fetch', '--quiet', 'origin')
    const subject = (await work.git('log', '-1', '--format=%s', 'origin/main')).stdout.trim()
    assert.deepEqual(
      [excess, focused, subject],
      ['The files are 28.4 MB in total; the limit is 25 MB per upload.', 'files', 'Add three plots'],
    )
  },
)

test('leaving an edit that was not sent asks for confirmation, and an uncommitted one is kept', options, async (t) => {
  const page = await openPage(t, true)
  await page.goto(`${host.origin}/alice/tides/edit/main/sections/intro.tex#L5`)
  await page.locator('.cm-focused').waitFor()
  assert.equal(await page.locator('.cm-requested-line').innerText(), 'Last line.')
  await openCommit(page)
  await page.locator('.cm-content').press('End')
  await page.keyboard.type(' More.')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await page.context().setOffline(true)
  await page.locator('[data-draft-status]', { hasText: 'Offline' }).waitFor()
  await page.keyboard.type(' And more.')
  const asked = page.waitForEvent('dialog')
  const left = page.click('text=Cancel').catch(() => {})
  const dialog = await asked
  assert.equal(dialog.type(), 'beforeunload')
  await dialog.dismiss()
  await left
  assert.match(await readText(page), /Last line\. More\. And more\.\n$/)
  await page.context().setOffline(false)
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await page.click('text=Cancel')
  await page.waitForURL('**/blob/main/sections/intro.tex*')
  await page.goto(`${host.origin}/alice/tides/edit/main/sections/intro.tex`)
  assert.match(await readText(page), /Last line\. More\. And more\.\n$/)
  await page.click('.editor-bar summary')
  await page.click('button:text("Discard draft")')
})

test('the line to edit is on the screen, near the beginning of a file and far below', options, async (t) => {
  const lines = Array.from({ length: 400 }, (_, at) => `Line ${at + 1} of a long chapter.`).join('\n\n')
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'long.tex': lines }, 'Write')
  await work.git('push', 'origin', 'main')
  const page = await openPage(t, true, { width: 1280, height: 600 })
  for (const line of [3, 401, 797]) {
    await page.goto(`${host.origin}/alice/tides/edit/main/long.tex?line=${line}`)
    await page.locator('.cm-focused').waitFor()
    const [requested, inEditor, inWindow] = await page.evaluate<readonly [string, boolean, boolean]>(REQUESTED_LINE)
    assert.deepEqual([requested, inEditor, inWindow], [lines.split('\n')[line - 1], true, true])
  }
})

test('a phone shows the line to edit among long lines, and in folded text', options, async (t) => {
  const lines = Array.from({ length: 120 }, (_, at) => `Line ${at + 1}. ${'Many words follow. '.repeat(60)}end`)
  lines.splice(60, 3, '\\begin{quote}', 'Folded words.', '\\end{quote}')
  await work.git('pull', '--quiet', '--rebase', 'origin', 'main')
  await work.commit({ 'wrapped.tex': lines.join('\n') }, 'Write')
  await work.git('push', 'origin', 'main')
  const page = await openPage(t, true, { width: 390, height: 844 })
  const shown: (readonly [string, boolean])[] = []
  for (const line of [3, 110, 61]) {
    await page.goto(`${host.origin}/alice/tides/edit/main/wrapped.tex?line=${line}`)
    await page.locator('.cm-focused').waitFor()
    shown.push(await page.evaluate(START_OF_LINE))
  }
  await page.keyboard.press('Control+Shift+BracketLeft')
  await page.locator('.cm-foldPlaceholder').waitFor()
  await page.evaluate('void (location.hash = "#L62")')
  await page.locator('.cm-foldPlaceholder').waitFor({ state: 'detached' })
  shown.push(await page.evaluate(START_OF_LINE))
  assert.deepEqual(
    shown,
    [3, 110, 61, 62].map((line) => [lines[line - 1]?.slice(0, 12), true]),
  )
})

/** The first characters of the line to edit, and whether they are visible in the editor and the window. */
const START_OF_LINE = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => {
  const { top, bottom } = document.querySelector('.cm-scroller').getBoundingClientRect()
  const line = document.querySelector('.cm-requested-line')
  const range = document.createRange()
  range.selectNodeContents(line)
  const [first] = range.getClientRects()
  return [line.textContent.slice(0, 12), first.top >= Math.max(0, top) && first.bottom <= Math.min(bottom, innerHeight)]
})`

/** Which line is to be edited, and whether it is visible in the editor and in the window, after two frames. */
const REQUESTED_LINE = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => {
  const { top, bottom } = document.querySelector('.cm-scroller').getBoundingClientRect()
  const element = document.querySelector('.cm-requested-line')
  const line = element.getBoundingClientRect()
  return [element.textContent, line.top >= top && line.bottom <= bottom, line.top >= 0 && line.bottom <= innerHeight]
})`

test('a copy button copies without the clipboard API of secure pages, and gets its label back', options, async (t) => {
  const page = await openPage(t, true)
  // As over plain HTTP, which has no clipboard API.
  const script = await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  t.after(() => script.dispose())
  await page.goto(`${host.origin}/alice/tides`)
  await page.click('.clone summary')
  const button = page.locator('[data-copy="clone-url"]')
  await button.click()
  await page.locator('[data-copy="clone-url"]:text-is("Copied")').waitFor()
  await button.click()
  await page.locator('[data-copy="clone-url"] svg').waitFor()
  assert.equal((await button.innerText()).trim(), 'Copy')
  await page.goto(`${host.origin}/search`)
  await page.locator('main [name=q]').focus()
  await page.keyboard.press('Control+V')
  assert.equal(await page.locator('main [name=q]').inputValue(), `${host.origin}/alice/tides.git`)
})
