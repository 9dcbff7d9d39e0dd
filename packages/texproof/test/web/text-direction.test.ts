/** Names and messages with characters that change the direction of text do not change the order of the text after them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { borrowWindow } from '../support/web/borrow-window.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const OVERRIDE = '\u202E'
const FOLDER = `figures${OVERRIDE}`
const FILE = `${FOLDER}/fdp${OVERRIDE}exe.txt`
const BRANCH = `draft${OVERRIDE}`
const SUBJECT = `Measure${OVERRIDE} again`
const NAMES = [FILE, `${FILE}2`, `${FOLDER}/`, BRANCH, SUBJECT]

let host: PaperHost
let browser: Browser
let commitId: string

before(async () => {
  if (withoutBrowser !== false) return
  host = await openPaperHost(withoutBuilds)
  const { user, token } = await host.addUser('alice')
  await host.addRepository(user, 'tides')
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { [FILE]: 'High.\n' })
  await work.git('mv', FILE, `${FILE}2`)
  commitId = await work.commit({ 'main.txt': 'Low.\n', 'code.tex': `% ${OVERRIDE}hidden\n` }, SUBJECT)
  await work.git('branch', BRANCH)
  await work.git('push', 'origin', 'main', BRANCH)
  browser = await openBrowser()
})
after(async () => {
  if (withoutBrowser !== false) return
  await browser.close()
  await host.close()
})

/** The text of each element in which an override acts on more than one name or message. */
function findLeaks(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const override = '\\u202E'
    const names = ${JSON.stringify(NAMES)}
    const leaks = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (!text.textContent.includes(override)) continue
      let element = text.parentElement
      while (getComputedStyle(element).unicodeBidi === 'normal') element = element.parentElement
      const all = element.textContent.trim()
      const affected = all.slice(all.indexOf(override))
      if (!names.some((name) => name.includes(affected))) leaks.push(element.tagName + ': ' + all.replaceAll(/\\s+/g, ' '))
    }
    return leaks
  })()`)
}

test(
  'hidden characters of a source are marked in the file view, blame and diffs',
  { skip: withoutBrowser },
  async () => {
    const paths = ['/blob/main/code.tex', '/blame/main/code.tex', `/commit/${commitId}`, `/commit/${commitId}?split=1`]
    const pages = await Promise.all(
      paths.map(async (path) => (await fetch(`${host.origin}/alice/tides${path}`)).text()),
    )
    const lines = pages.map((page) => page.match(/<code>[^\n]*hidden[^\n]*<\/code>/)?.[0]?.replaceAll(/<\/?i>/g, ''))
    assert.deepEqual([...new Set(lines)], ['<code>% <mark>U+202E</mark>hidden</code>'])
    assert.match(pages[0] ?? '', /contains hidden characters that change the direction of text/)
  },
)

test('names of files and branches, and messages, are isolated', { skip: withoutBrowser }, async (t) => {
  const encoded = encodeURIComponent(`fdp${OVERRIDE}exe.txt2`)
  const folder = encodeURIComponent(FOLDER)
  const branch = encodeURIComponent(BRANCH)
  const paths = [
    '',
    `/tree/main/${folder}`,
    `/tree/${branch}`,
    `/blob/main/${folder}/${encoded}`,
    `/blob/${branch}/${folder}/${encoded}`,
    `/blame/main/${folder}/${encoded}`,
    `/commits/main`,
    `/commits/${branch}`,
    `/commits/main/${folder}/${encoded}`,
    `/commit/${commitId}`,
    `/branches`,
    `/compare/main...${branch}`,
    `/find/main`,
    `/search?q=High`,
  ]
  const page = await borrowWindow(browser, t)
  const leaks: (readonly [string, number, readonly string[]])[] = []
  for (const path of paths) {
    const response = await page.goto(`${host.origin}/alice/tides${path}`)
    leaks.push([path, response?.status() ?? 0, await findLeaks(page)])
  }
  assert.deepEqual(
    leaks,
    paths.map((path) => [path, 200, []]),
  )
})
