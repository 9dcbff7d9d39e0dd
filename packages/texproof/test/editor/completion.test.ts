/** Completion from the project, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { readText } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const files = {
  'main.tex': String.raw`\documentclass{article}
\usepackage{amsmath,graphicx}
\begin{document}
\input{chapters/ebb}

\end{document}
`,
  'chapters/ebb.tex': String.raw`\section{The ebb}
\label{sec:ebb}
\begin{figure}
  \caption{A <img src=x onerror=alert(1)> curve}
  \label{fig:curve}
\end{figure}
`,
  'refs.bib':
    '@article{smith20,\n  author = {Smith, Anna and Jones, Ben},\n  title = {Tides <script>},\n  year = 2020,\n}\n',
  'figures/curve.pdf': '',
}

let host: PaperHost
let browser: Browser
let context: BrowserContext
let page: Page

before(async () => {
  if (withoutBrowser !== false) return
  host = await openPaperHost({ isPreviewEnabled: false })
  const added = await addTestUser(host.deps.store, { login: 'alice', password })
  if (added.kind !== 'added') throw new Error(added.reason)
  const token = await host.addToken(added.user, ['repo:write'])
  await host.addRepository(added.user, 'tides')
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), files)
  await work.git('push', 'origin', 'main')
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
  await host?.close()
})
beforeEach(async () => {
  if (withoutBrowser === false) await openFile('main.tex?line=5')
})

async function openFile(path: string): Promise<void> {
  await page.goto(`/alice/tides/edit/main/${path}`)
  await page.locator('.cm-content').focus()
}

/** Types and returns the options with their details. */
async function listOptions(text: string): Promise<readonly string[]> {
  await page.keyboard.type(text)
  // Closes the list that typing has opened, which may be an older one.
  await page.keyboard.press('Escape')
  await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Space')
  await page.locator('.cm-tooltip-autocomplete li').first().waitFor()
  // The list ignores keys that follow at once.
  await page.waitForTimeout(100)
  return page.locator('.cm-tooltip-autocomplete li').allTextContents()
}

test('a citation is completed with author, year and title', options, async () => {
  assert.deepEqual(await listOptions('\\citep[p. 3]{sm'), ['smith20Smith and Jones, 2020'])
  assert.equal(await page.locator('.cm-completionInfo').textContent(), 'Tides <script>')
})

test('a label is completed with its caption or section', options, async () => {
  assert.deepEqual(await listOptions('\\ref{'), ['fig:curveA <img src=x onerror=alert(1)> curve', 'sec:ebbThe ebb'])
})

test('files are completed by their command', options, async () => {
  const found = [await listOptions('\\includegraphics[width=3cm]{'), await listOptions('}\\bibliography{')]
  assert.deepEqual([...found, await listOptions('}\\input{ch')], [['figures/curve.pdf'], ['refs'], ['chapters/ebb']])
})

test('an environment of a loaded package is completed with its end', options, async () => {
  await listOptions('\\begin{gathe')
  await page.keyboard.press('Enter')
  assert.match(await readText(page), /\\begin\{gather\}\n {2}\n\\end\{gather\}/)
})

test('a command is completed with fields to fill in', options, async () => {
  await listOptions('\\fra')
  await page.keyboard.press('Enter')
  await page.keyboard.type('1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  assert.match(await readText(page), /\\frac\{1\}\{2\}/)
})

test('entry types and fields are completed in a bibliography', options, async () => {
  await openFile('refs.bib')
  await page.keyboard.press('Control+End')
  assert.deepEqual(await listOptions('@inpro'), ['@inproceedings'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  assert.deepEqual(await listOptions('  jour'), ['journal', 'journaltitle'])
})

test('the outline lists the sections of all files and opens them', options, async () => {
  await page.click('.editor-outline button:text-is("The ebb")')
  await page.waitForURL('**/edit/main/chapters/ebb.tex?line=1')
})

test('F12 opens the definition of a label', options, async () => {
  await page.keyboard.type('\\ref{fig:curve}')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('F12')
  await page.waitForURL('**/edit/main/chapters/ebb.tex?line=5')
})

test('hovering over a citation shows its title and authors', options, async () => {
  await page.keyboard.type(' \\cite{smith20}')
  await page.locator('.cm-line span', { hasText: 'smith20' }).last().hover()
  const lines = page.locator('.cm-reference p')
  await lines.first().waitFor()
  assert.deepEqual(await lines.allTextContents(), ['Tides <script>', 'Smith and Jones, 2020'])
})

test('the project index is hidden from everyone who may not write', options, async () => {
  const anonymous = await fetch(`${host.origin}/alice/tides/project/main/main.tex`, { redirect: 'manual' })
  assert.notEqual(anonymous.status, 200)
})
