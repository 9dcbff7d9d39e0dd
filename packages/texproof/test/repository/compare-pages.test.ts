/** The comparison of two PDFs, with real builds and a real browser. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const options = { skip: withoutBrowser }
/** Thirty lines of text, so that an added sentence does not move the page break. */
const FILLER = Array.from({ length: 30 }, (_, at) => `Line ${at} is about tides.\\par`).join('\n')

function paper({ first = '', color = 'red', between = '', end = '' }): string {
  return String.raw`\documentclass{article}
\usepackage{xcolor}
\begin{document}
\section{Tides}
The tide rises${first} twice a day.\par
${FILLER}
\newpage
A square.\par
\textcolor{${color}}{\rule{5cm}{5cm}}
\newpage
${between}
The last page${end}.\par
${FILLER}
\end{document}
`
}

let host: PaperHost
let browser: Browser
let page: Page

before(async () => {
  host = await openPaperHost()
  const { user, token } = await host.addUser('alice')
  const { id } = await host.addRepository(user, 'tides', 'public')
  const work = await host.makeCheckout(host.gitUrl('alice/tides', token), { 'main.tex': paper({}) })
  const versions = {
    same: paper({ first: String.raw`\pdfinfo{/Title (Tides)}` }),
    words: paper({ first: ' and falls', end: ' of all' }),
    figure: paper({ color: 'blue' }),
    page: paper({ between: String.raw`A new page about currents, winds and the moon.\newpage` }),
    broken: String.raw`\documentclass{article}\begin{document}\undefined`,
  }
  await work.git('push', 'origin', 'main')
  for (const [name, text] of Object.entries(versions)) {
    await work.git('checkout', '-q', '-B', name, 'main')
    if (name === 'broken') await writeFile(join(work.dir, 'other.tex'), text)
    else await writeFile(join(work.dir, 'main.tex'), text)
    if (name === 'broken') await work.git('rm', '-q', 'main.tex')
    await work.git('add', '--all')
    await work.git('commit', '-q', '-m', name)
    await work.git('push', '-q', 'origin', name)
  }
  await host.whenBuilt(id)
  if (withoutBrowser !== false) return
  browser = await openBrowser()
  page = await browser.newPage()
})
after(async () => {
  await browser?.close()
  await host.close()
})

const addressOf = (head: string): string => `${host.origin}/alice/tides/compare/main...${head}?view=pages`

/** The result of a comparison: its status, and the heading of each pair, with a star for those that are shown. */
async function compare(head: string): Promise<{ readonly status: string; readonly pairs: readonly string[] }> {
  await page.goto(addressOf(head))
  const status = page.locator('[data-part=status]')
  await status.filter({ hasText: /changed/ }).waitFor()
  const pairs = await page
    .locator('[data-part=pairs] > li')
    .evaluateAll((items) =>
      items.map((item) => `${item.querySelector('h2')?.textContent?.trim()}${item.checkVisibility() ? '*' : ''}`),
    )
  return { status: (await status.textContent()) ?? '', pairs }
}

test('changed words are listed and marked on both pages', options, async () => {
  assert.deepEqual(await compare('words'), {
    status: '2 of 3 pages changed',
    pairs: ['Page 1*', 'Page 2', 'Page 3*'],
  })
  const listed = await page
    .locator('[data-part=changes] li')
    .evaluateAll((items) => items.map((item) => item.textContent))
  assert.deepEqual(listed, ['Page 1 and falls', 'Page 3 page. page of all.'])
  await page.locator('#pages-3 canvas').nth(1).waitFor()
  const marks = await page
    .locator('#pages-3 .compared-page')
    .evaluateAll((sheets) => sheets.map((sheet) => [...sheet.querySelectorAll('span')].map((mark) => mark.className)))
  assert.deepEqual(marks, [['removed'], ['added', 'added', 'added']])
})

test('a changed figure is found on a page whose words are the same', options, async () => {
  assert.deepEqual(await compare('figure'), {
    status: '1 of 3 pages changed',
    pairs: ['Page 1', 'Page 2 figures or layout changed*', 'Page 3'],
  })
})

test('a new page is alone, and the next ones are beside their former versions', options, async () => {
  assert.deepEqual(await compare('page'), {
    status: '1 of 4 pages changed',
    pairs: ['Page 1', 'Page 2', 'Page 3 new*', 'Page 3, now 4'],
  })
})

test('unchanged pages can be shown', options, async () => {
  await compare('figure')
  await page.getByLabel('All pages').check()
  const visible = await page.locator('[data-part=pairs] > li:visible').count()
  assert.equal(visible, 3)
})

test('a comparison without changes says so', options, async () => {
  assert.deepEqual(await compare('same'), {
    status: 'No page has changed, except perhaps for page numbers and running heads.',
    pairs: ['Page 1', 'Page 2', 'Page 3'],
  })
})

test('without script, the pages are images side by side', async () => {
  const text = await (await fetch(addressOf('words'))).text()
  const [, images = ''] = /<noscript>([^]*?)<\/noscript>/.exec(text) ?? []
  const alternatives = [...images.matchAll(/ alt="([^"]*)"/g)].map(([, alt]) => alt)
  assert.deepEqual(
    alternatives,
    [1, 2, 3].flatMap((number) => [`Page ${number} of main`, `Page ${number} of words`]),
  )
})

test('a ref without a PDF is named', async () => {
  const text = await (await fetch(addressOf('broken'))).text()
  assert.match(text, /There is no PDF of <a href="\/alice\/tides\/pdf\/broken[^"]*"><bdi>broken<\/bdi><\/a/)
})

test('a ref that is compared with itself has the same PDF', async () => {
  assert.match(await (await fetch(addressOf('main'))).text(), /Both have the same PDF\./)
})

test('the form keeps the view', async () => {
  const { url } = await fetch(`${host.origin}/alice/tides/compare?base=main&head=words&view=pages`)
  assert.equal(url, addressOf('words'))
})
