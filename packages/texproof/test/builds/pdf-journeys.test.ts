/** Journeys of an author and a reader, with real git, real TeX and a real browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { letPushesWait } from '../support/hosts/let-pushes-wait.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest } from '../support/send-request.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const password = 'nine trees by the river'
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const options = { skip: withoutBrowser }

const paper = (
  body: string,
  second = 'The second page.',
): string => String.raw`\documentclass{article}\usepackage[hidelinks]{hyperref}
\title{On \emph{Narrow} Channels}\author{Alice}
\begin{document}
\maketitle
\section{Tides}
${body}

\newpage
${second}
\end{document}
`

letPushesWait()

let host: PaperHost
let browser: Browser
let token: string

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password, name: 'Alice Example' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  token = await host.addToken(outcome.user, ['repo:write'])
  await host.addRepository(outcome.user, 'tides')
  await host.addRepository(outcome.user, 'draft', 'private')
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

test(
  'an author pushes, reads the PDF, breaks it, finds the error, fixes it with a push, and tags',
  options,
  async (context) => {
    const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'main.tex': paper('All is well.') })
    const address = addressIn(await push(work, 'main'))
    assert.equal(address, `${host.origin}/alice/tides/pdf/main`)

    const page = await openPage(context, { hasScript: true })
    await page.goto(address)
    await page.locator('.viewer[data-state="shown"]').waitFor()
    assert.deepEqual(await readState(page), ['up to date', 'On Narrow Channels', '2'])

    await work.commit({ 'main.tex': paper('All is \\wel.') }, 'Break it')
    const broken = await push(work, 'main')
    assert.match(broken, /remote: Building main … built with errors in .* \(push accepted; last good PDF kept\)/)
    assert.match(broken, /remote: {3}main\.tex:6:8 /)

    await page.goto(address)
    assert.match(
      await bannerOf(page),
      /built with errors.*was built with errors\. Showing the last good PDF.*1 commit behind/,
    )
    await page.locator('.beside .place', { hasText: 'main.tex:6' }).click()
    await page.locator('#L6 .note-error').waitFor()
    assert.match((await page.locator('#L6').textContent()) ?? '', /\\wel/)

    await page.goto(address)
    await page.locator('.viewer[data-state="shown"]').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/#page=2$/)
    await work.commit({ 'main.tex': paper('All is corrected.', 'The second page, corrected.') }, 'Correct it')
    await push(work, 'main')
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.locator('.textLayer', { hasText: 'The second page, corrected.' }).waitFor()
    assert.deepEqual(await readState(page), ['up to date', 'On Narrow Channels', '2'])
    // The scroll position is kept.
    assert.equal(await page.locator('[data-part="page"]').inputValue(), '2')

    await work.git('tag', 'v1')
    await push(work, 'v1')
    await page.goto(`${host.origin}/alice/tides/pdf/v1`)
    assert.match(await bannerOf(page), /^● built/)
  },
)

test(
  'a double click leads to the line, and a line leads to its place, with script and without',
  options,
  async (context) => {
    const page = await openPage(context, { hasScript: true })
    await page.goto(`${host.origin}/alice/tides/pdf/main`)
    await page.locator('.textLayer span', { hasText: 'All is corrected.' }).dblclick()
    await page.waitForURL(/\/alice\/tides\/blob\/[0-9a-f]{40}\/main\.tex#L6$/)

    const plain = await openPage(context, { hasScript: false })
    await plain.goto(`${host.origin}/alice/tides/blob/main/main.tex`)
    await plain.fill('input[name="line"]', '9')
    await plain.click('text=Show in PDF')
    assert.match(plain.url(), /\/alice\/tides\/pdf\/main#page=2&x=[\d.]+&y=[\d.]+&width=[\d.]+&height=[\d.]+$/)

    await page.goto(plain.url())
    await page.locator('.page[data-page-number="2"] .place-mark').waitFor()
  },
)

test('the picture of the first page is visible until a page is drawn', options, async (context) => {
  const page = await openPage(context, { hasScript: true })
  const draw = Promise.withResolvers<void>()
  await page.route('**/pdf/main.pdf*', async (route) => {
    await draw.promise
    await route.continue()
  })
  await page.goto(`${host.origin}/alice/tides/pdf/main`, { waitUntil: 'domcontentloaded' })
  const readOpacity = (): Promise<unknown> =>
    page.evaluate("getComputedStyle(document.querySelector('.viewer-pages')).opacity")
  const before = [await page.locator('.first-page').isVisible(), await readOpacity()]
  draw.resolve()
  await page.locator('.viewer[data-state="shown"]').waitFor()
  const afterwards = [await page.locator('.first-page').isVisible(), await readOpacity()]
  assert.deepEqual({ before, afterwards }, { before: [true, '0'], afterwards: [false, '1'] })
})

test('notes in the PDF show an icon and their text, and request no other address', options, async (context) => {
  const note = (entries: string): string =>
    String.raw`\pdfannot width 8pt height 8pt depth 0pt {/Subtype /Text /Contents (Is it?) ${entries}}`
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), {
    'main.tex': paper(String.raw`{\catcode35=12 ${note('/Name /Comment')} ${note('/Name /x#2F..#2F..#2F..#2Fdocs#3F')}}
\pdfannot width 90pt height 9pt depth 0pt {/Subtype /FreeText /Contents (Typed) /DA (/Helv 10 Tf 0 g)}`),
  })
  await push(work, 'HEAD:refs/heads/notes')
  const page = await openPage(context, { hasScript: true })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'image') asked.push(new URL(request.url()).pathname.replace(/-[\d.]+\//, '/'))
  })
  await page.goto(`${host.origin}/alice/tides/pdf/notes`)
  const icons = page.locator('.textAnnotation img')
  await icons.nth(1).waitFor()
  const areShown = "[...document.querySelectorAll('.textAnnotation img')].every((icon) => icon.naturalWidth > 0)"
  await eventually(() => page.evaluate<boolean>(areShown))
  assert.deepEqual(
    asked.filter((path) => !/\/(?:picture|avatars)\/|mark\.svg$/.test(path)),
    ['/assets/pdfjs/note-icon', '/assets/pdfjs/note-icon'],
  )
  await icons.last().click()
  assert.equal(await page.locator('.popup:visible').innerText(), 'Is it?')
  const opacity = "getComputedStyle(document.querySelector('.annotationTextContent')).opacity"
  assert.equal(await page.evaluate(opacity), '0')
})

test('buttons and keys change the page, find text and zoom', options, async (context) => {
  const page = await openPage(context, { hasScript: true })
  await page.goto(`${host.origin}/alice/tides/pdf/main`)
  await page.locator('.viewer[data-state="shown"]').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/#page=2$/)
  const zoom = page.locator('[data-part="zoom"]')
  const before = await zoom.inputValue()
  await page.keyboard.press('+')
  await eventually(async () => (await zoom.inputValue()) !== before)
  await page.keyboard.press('/')
  await page.keyboard.type('second')
  await page.locator('[data-part="found"]', { hasText: '1 of 1' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-outline] a', { hasText: 'Tides' }).click()
  await page.waitForURL(/#page=1$/)
})

test('Back returns to the place where a link in the PDF was followed', options, async (context) => {
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), {
    'main.tex': paper(
      String.raw`\vspace*{9cm}\hyperlink{end}{To the end}`,
      String.raw`${'Ebb. \\newpage '.repeat(3)}\hypertarget{end}{The end.}`,
    ),
  })
  await push(work, 'HEAD:refs/heads/linked')
  const page = await openPage(context, { hasScript: true })
  await page.goto(`${host.origin}/alice/tides/pdf/linked`)
  await page.locator('.viewer[data-state="shown"]').waitFor()
  const readTop = () => page.evaluate<number>('document.querySelector(".viewer-pages").scrollTop')
  await page.locator('.annotationLayer a').first().click()
  await page.waitForURL(/#page=5$/)
  const before = await readTop()
  await page.goBack()
  await eventually(readTop, { until: (top) => top < before / 2 })
  const number = await page.locator('[data-part="page"]').inputValue()
  await page.goForward()
  await page.waitForURL(/#page=5$/)
  await eventually(readTop, { until: (top) => top > before / 2 })
  assert.deepEqual([new URL(page.url()).pathname, number], ['/alice/tides/pdf/linked', '1'])
})

test('a link in the PDF moves the focus to the page that it leads to', options, async (context) => {
  const page = await openPage(context, { hasScript: true })
  await page.goto(`${host.origin}/alice/tides/pdf/linked`)
  await page.locator('.viewer[data-state="shown"]').waitFor()
  await page.locator('.annotationLayer a').first().click()
  const focused = "document.activeElement.closest('.page')?.dataset.pageNumber"
  await eventually(() => page.evaluate<string | undefined>(focused), { until: (number) => number === '5' })
})

test('Ctrl+F finds text on pages that are not drawn yet, also on a narrow screen', options, async (context) => {
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), {
    'main.tex': paper(`${String.raw`Ebb.\newpage `.repeat(30)} The last tide.`),
  })
  await push(work, 'HEAD:refs/heads/long')
  const page = await openPage(context, { hasScript: true })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${host.origin}/alice/tides/pdf/long`)
    await page.locator('.viewer[data-state="shown"]').waitFor()
    await page.keyboard.press('Control+F')
    await page.keyboard.type('last tide')
    await page.locator('[data-part="found"]', { hasText: '1 of 1' }).waitFor()
    await page.locator('.textLayer .highlight', { hasText: 'last tide' }).waitFor()
    await page.goto('about:blank')
  }
})

test(
  'the page field moves to the nearest page, and restores the current one after other input',
  options,
  async (context) => {
    const page = await openPage(context, { hasScript: true })
    await page.goto(`${host.origin}/alice/tides/pdf/main`)
    await page.locator('.viewer[data-state="shown"]').waitFor()
    const field = page.locator('[data-part="page"]')
    const shown: string[] = []
    for (const typed of ['99', '0', '2', '1.5', '', '-3']) {
      await field.fill(typed)
      await field.press('Enter')
      shown.push(await field.inputValue())
    }
    assert.deepEqual(shown, ['2', '1', '2', '2', '2', '1'])
  },
)

test(
  'a reader without an account reads a private paper by its link, on a phone, until the link is revoked',
  options,
  async (context) => {
    const work = await host.makeCheckout(host.gitUrl('alice/draft.git', token), { 'main.tex': paper('Between us.') })
    await push(work, 'main')
    const link = await makeLink(context)

    const reader = await openPage(context, { hasScript: true, isPhone: true })
    await reader.goto(link)
    await reader.locator('.textLayer', { hasText: 'Between us.' }).waitFor()
    assert.equal(await reader.locator('h1').textContent(), 'On Narrow Channels')
    assert.equal(await reader.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    assert.deepEqual(await reader.locator('main a[href*="alice"]').count(), 0)
    const [download] = await Promise.all([reader.waitForEvent('download'), reader.click('text=Download')])
    assert.equal(download.suggestedFilename(), 'draft-main.pdf')

    await work.commit({ 'main.tex': paper('Between \\us.') }, 'Break it')
    await push(work, 'main')
    const plain = await openPage(context, { hasScript: false, isPhone: true })
    await plain.goto(link)
    assert.match((await plain.locator('.banner').textContent()) ?? '', /newer version has errors.*last good one/s)
    await plain.locator('.page-pictures img').first().waitFor()
    assert.deepEqual(
      await Promise.all((await plain.locator('.page-pictures img').all()).map((image) => image.getAttribute('alt'))),
      ['Page 1 of main.pdf', 'Page 2 of main.pdf'],
    )

    await revokeLinks(context)
    const gone = await plain.goto(link)
    assert.deepEqual(
      [gone?.status(), await plain.locator('h1').textContent(), await statusOf(`${link}/paper.pdf`)],
      [410, 'This link no longer works', 410],
    )
  },
)

test('a private repository is hidden at every address, and its share link opens the PDF only', async (context) => {
  const documentPaths = [
    'pdf/main',
    'pdf/main.pdf',
    'synctex/main?page=1&x=1&y=1',
    'picture/main.png',
    'badge/main.svg',
  ]
  const paths = [...documentPaths, 'builds', 'builds/1', 'builds/1/events', 'settings/share', 'blob/main/main.tex']
  const hidden = await Promise.all(paths.map((path) => statusOf(`${host.origin}/alice/draft/${path}`)))
  const absent = await Promise.all(paths.map((path) => statusOf(`${host.origin}/alice/nothing/${path}`)))
  assert.deepEqual([hidden, absent], [paths.map(() => 404), paths.map(() => 404)])
  if (withoutBrowser === false) {
    const link = await makeLink(context)
    const answer = await sendRequest(host.origin, { target: new URL(link).pathname })
    assert.equal(answer.headers['x-robots-tag'], 'noindex')
    assert.equal(/\/alice\/draft/.test(answer.text), false)
  }
})

async function push(work: Checkout, ...refs: readonly string[]): Promise<string> {
  const outcome = await work.git('push', 'origin', ...refs)
  return outcome.stderr.replaceAll(/ +$/gm, '')
}

function addressIn(output: string): string {
  return /remote: {3}(http\S+)/.exec(output)?.[1] ?? output
}

interface Cleaner {
  after(clean: () => Promise<void>): void
}

async function openPage(
  context: Cleaner,
  { hasScript, isPhone = false }: { readonly hasScript: boolean; readonly isPhone?: boolean },
): Promise<Page> {
  const page = await borrowWindow(browser, context, { javaScriptEnabled: hasScript, ...(isPhone ? phone : {}) })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
  context.after(async () =>
    assert.deepEqual(
      faults.filter((fault) => !/\b410\b/.test(fault)),
      [],
    ),
  )
  return page
}

async function readState(page: Page): Promise<readonly (string | null)[]> {
  return [
    (await page.locator('.banner .proof').textContent())?.replace(/^\S+\s+/, '').trim() ?? null,
    await page.locator('.paper-title').textContent(),
    await page.locator('[data-part="count"]').textContent(),
  ]
}

async function bannerOf(page: Page): Promise<string> {
  return ((await page.locator('.banner').textContent()) ?? '').replaceAll(/\s+/g, ' ').trim()
}

/** Signs in, opens the settings, presses the button and copies the address. */
async function makeLink(context: Cleaner): Promise<string> {
  const page = await openSettings(context)
  await page.click('text=Create link')
  return page.locator('#made').inputValue()
}

async function revokeLinks(context: Cleaner): Promise<void> {
  const page = await openSettings(context)
  const revoke = page.locator('button', { hasText: 'Revoke' })
  while ((await revoke.count()) > 0) await revoke.first().click()
}

async function openSettings(context: Cleaner): Promise<Page> {
  const page = await openPage(context, { hasScript: false })
  await page.goto(`${host.origin}/login?next=/alice/draft/settings/share`)
  await page.fill('#name', 'alice')
  await page.fill('#password', password)
  await page.click('main button.button')
  await page.waitForURL(/\/settings\/share$/)
  return page
}

async function statusOf(address: string): Promise<number> {
  return (await fetch(address, { redirect: 'manual' })).status
}
