/** A repository of twenty documents, the last of which has an error: all pages show it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { letPushesWait } from '../support/hosts/let-pushes-wait.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }

/** `lesson-01` to `lesson-20`. */
const names = Array.from({ length: 20 }, (_, at) => `lesson-${String(at + 1).padStart(2, '0')}`)

const lesson = (name: string): string => String.raw`\documentclass{article}
${name === 'lesson-19' ? '' : String.raw`\input{shared/head}`}
\begin{document}
${name === 'lesson-20' ? String.raw`The tide is \turning.` : `This is ${name}.`}
\input{shared/terms}
\end{document}
`

letPushesWait()

let host: PaperHost
let browser: Browser
let checkout: Checkout

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  const token = await host.addToken(outcome.user, ['repo:write'])
  const repository = await host.addRepository(outcome.user, 'course')
  checkout = await host.makeCheckout(host.gitUrl('alice/course.git', token), {
    ...Object.fromEntries(names.map((name) => [`lessons/${name}.tex`, lesson(name)])),
    'lessons/shared/head.tex': '\\title{Tides for Sailors}\n',
    'lessons/shared/terms.tex': 'High water.\n\nLow water, see~\\ref{nowhere}.\n',
  })
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

async function openPage(t: TestContext, path: string, { width = 1280, isSignedIn = false } = {}): Promise<Page> {
  const page = await borrowWindow(browser, t, { baseURL: host.origin })
  await page.setViewportSize({ width, height: 844 })
  if (isSignedIn) {
    await page.goto('/login')
    await page.getByLabel('Name', { exact: false }).first().fill('alice')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('/')
  }
  await page.goto(path)
  return page
}

async function textOf(page: Page, selector: string): Promise<string> {
  return ((await page.locator(selector).first().textContent()) ?? '').replaceAll(/\s+/g, ' ').trim()
}

test('the start page leads to an error in the last of twenty documents in two clicks', options, async (t) => {
  const page = await openPage(t, '/', { isSignedIn: true })
  assert.match(await textOf(page, '.repositories tr:has(a[href="/alice/course"])'), /19 of 20 up to date/)
  await page.locator('.repositories a[href="/alice/course"]').click()
  await page
    .locator('.card .strip-failed', { hasText: 'lesson-20' })
    .getByRole('link', { name: 'lesson-20.tex:4' })
    .click()
  await page.waitForURL('**/lessons/lesson-20.tex#L4')
  assert.match(await textOf(page, '#L4 .note-error'), /\\turning/)
})

test('what needs attention on the start page names the document', options, async (t) => {
  const page = await openPage(t, '/', { isSignedIn: true })
  assert.match(await textOf(page, '.attention'), /alice\/course main lesson-20 lessons\/lesson-20\.tex:4/)
})

test('folders count the problems of all documents, and problems of shared files once', options, async (t) => {
  const page = await openPage(t, '/alice/course')
  assert.match(await textOf(page, '.files tr:has-text("lessons/")'), /✕ 1 ⚠ [12]/)
  await page.goto('/alice/course/tree/main/lessons')
  const rows = await page.locator('.files tbody tr').allInnerTexts()
  const counts = rows
    .map((row) => row.replaceAll(/\s+/g, ' '))
    .flatMap((row) => /^(\S+) .*?(✕ \d+)/.exec(row)?.slice(1) ?? [])
  assert.deepEqual(counts, ['lesson-20.tex', '✕ 1'])
  assert.match(await textOf(page, '.files tr:has-text("shared/")'), /⚠ 1/)
})

test('a problem of a shared file is shown once and names the documents that report it', options, async (t) => {
  const page = await openPage(t, '/alice/course/blob/main/lessons/shared/terms.tex')
  const notes = await page.locator('#L3 .note').allInnerTexts()
  assert.equal(notes.length, 1)
  assert.match(await textOf(page, '#L3 .reported-by'), /^lesson-01, lesson-02, lesson-03 and 17 more$/)
})

test('the home of a repository shows the first page of a document that is up to date', options, async (t) => {
  const page = await openPage(t, '/alice/course')
  const src = (await page.locator('.card .thumbnail').getAttribute('src')) ?? ''
  assert.equal(new URL(src, host.origin).searchParams.get('doc'), 'lesson-01')
  assert.match(await textOf(page, '.card .state'), /19 of 20 up to date/)
  assert.match(await textOf(page, '.card .documents li'), /lesson-20/)
})

test('the editor of the root file of a document shows and compiles that document', options, async (t) => {
  const page = await openPage(t, '/alice/course/edit/main/lessons/lesson-07.tex', { isSignedIn: true })
  const file = (await page.locator('[data-viewer]').getAttribute('data-file')) ?? ''
  assert.deepEqual(
    [
      new URL(file, host.origin).searchParams.get('doc'),
      await page.locator('[data-edit-form] [name=doc]').inputValue(),
    ],
    ['lesson-07', 'lesson-07'],
  )
})

test(
  'the list of files beside the editor keeps the document of shared files, and leads to the own one of root files',
  options,
  async (t) => {
    const page = await openPage(t, '/alice/course/edit/main/lessons/lesson-07.tex', { isSignedIn: true })
    const addressOf = async (name: string): Promise<string | null> =>
      page.locator(`.editor-files a:text-is("${name}")`).getAttribute('href')
    assert.deepEqual(
      [await addressOf('terms.tex'), await addressOf('lesson-08.tex')],
      [
        '/alice/course/edit/main/lessons/shared/terms.tex?doc=lesson-07',
        '/alice/course/edit/main/lessons/lesson-08.tex',
      ],
    )
  },
)

test('a phone shows the name of every document in the list of builds', options, async (t) => {
  const page = await openPage(t, '/alice/course/builds', { width: 390 })
  const rows = await page.locator('.builds tbody tr').allInnerTexts()
  assert.deepEqual(
    rows.map((row) => /lesson-\d\d/.exec(row)?.[0]),
    names.toReversed(),
  )
})

test(
  'the PDF page and the build page have the document in their titles, and a title from an included file',
  options,
  async (t) => {
    const page = await openPage(t, '/alice/course/pdf/main?doc=lesson-07')
    const pdfTitle = await page.title()
    await page.goto('/alice/course/pdf/main?doc=lesson-19')
    assert.equal(await textOf(page, 'h1'), 'lesson-19')
    await page.goto('/alice/course/builds/20')
    assert.deepEqual(
      [pdfTitle.replace(' · Texproof', ''), (await page.title()).replace(' · Texproof', '')],
      ['Tides for Sailors · lesson-07 @ main', 'Build 20: lesson-20 · alice/course'],
    )
    assert.match(await textOf(page, '.facts-wide'), /Tools pdfLaTeX: not included by another file, default engine/)
  },
)

// Last, because its builds would appear in the lists above. Nineteen documents are built already, so the push waits for
// one.
test('a push of twenty documents reports the error of the last one and how many are up to date', async () => {
  const pushed = (await checkout.git('push', 'origin', 'main:refs/heads/draft')).stderr
  const lines = pushed
    .split('\n')
    .filter((line) => line.startsWith('remote: '))
    .map((line) => line.slice('remote: '.length).trimEnd().replaceAll(host.origin, 'BASE'))
  assert.match(
    lines.at(-6) ?? '',
    /^Building draft: lessons\/lesson-19\.tex … done \(same files as before\) — 1 page, \d warnings?$/,
  )
  assert.match(
    lines.at(-5) ?? '',
    /^Building draft: lessons\/lesson-20\.tex … built with errors in .* s \(push accepted\)$/,
  )
  assert.match(lines.at(-4) ?? '', /^ {2}lessons\/lesson-20\.tex:4:13 .*\\turning/)
  assert.deepEqual(lines.slice(-3), [
    '  BASE/alice/course/builds/40',
    '19 of 20 documents up to date',
    '  BASE/alice/course/pdf/draft',
  ])
})
