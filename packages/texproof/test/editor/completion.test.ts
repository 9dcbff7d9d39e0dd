/** Completion, search and replace in the project, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { readDraftsOfBranch } from '../../src/operations/edit/drafts.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
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
  'notes.txt': `Slack water at noon.\nNo slack water.\n${'a'.repeat(40)}!\n`,
  'log.md': 'Slack <b>water</b>, slack water\n',
}

let host: PaperHost
let browser: Browser
let context: BrowserContext
let page: Page
let repositoryId: number

before(async () => {
  if (withoutBrowser !== false) return
  host = await openPaperHost({ ...withoutBuilds, isPreviewEnabled: false })
  const added = await addTestUser(host.deps.store, { login: 'alice', password })
  if (added.kind !== 'added') throw new Error(added.reason)
  const token = await host.addToken(added.user, ['repo:write'])
  repositoryId = (await host.addRepository(added.user, 'tides')).id
  await addTestUser(host.deps.store, { login: 'bob', password })
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), files)
  await work.git('push', 'origin', 'main')
  browser = await openBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: host.origin })
  page = await context.newPage()
  await signIn(page, 'alice')
})
after(async () => {
  await browser?.close()
  await host?.close()
})
beforeEach(async () => {
  if (withoutBrowser !== false) return
  await openFile('main.tex?line=5')
  // What a test has typed there is replaced by the next. The second key goes beyond the row, to the end of the line.
  for (const key of ['Shift+End', 'Shift+End']) await page.keyboard.press(key)
})

async function signIn(window: Page, name: string): Promise<void> {
  await window.goto('/login')
  await window.fill('[name=name]', name)
  await window.fill('[name=password]', password)
  await window.click('main button')
  await window.waitForURL(`${host.origin}/`)
}

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

test('an environment is completed with its end before another one of the same name', options, async () => {
  await page.keyboard.insertText('\n\\begin{multline}\n  x\n\\end{multline}')
  await page.keyboard.press('ArrowUp')
  for (const key of ['ArrowUp', 'ArrowUp', 'Home']) await page.keyboard.press(key)
  await listOptions('\\begin{multlin')
  await page.keyboard.press('Enter')
  const isRight = /\\begin\{multline\}\n {2}\n\\end\{multline\}\n\\begin\{multline\}\n {2}x\n\\end\{multline\}/.test(
    await readText(page),
  )
  await page.keyboard.press('Control+Z')
  assert.equal(isRight, true)
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

test('on a Mac, Cmd+click opens a definition, and Ctrl+click does not', options, async () => {
  const mac = await context.newPage()
  await mac.addInitScript("Object.defineProperty(navigator, 'platform', { value: 'MacIntel' })")
  const opened: string[] = []
  await mac.route(/\/edit\/main\/(?:refs\.bib|chapters\/ebb\.tex)\?/, (route) => {
    opened.push(new URL(route.request().url()).pathname)
    return route.abort()
  })
  await mac.goto('/alice/tides/edit/main/main.tex?line=4')
  await mac.locator('.cm-focused').waitFor()
  await mac.keyboard.type(' \\ref{fig:curve} \\cite{smith20}')
  await mac.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  const word = (text: string) => mac.locator('.cm-line span', { hasText: text }).last()
  await word('fig:curve').click({ modifiers: ['Control'] })
  // The details of the label would cover the citation.
  await mac.mouse.move(0, 0)
  await mac.locator('.cm-tooltip-hover').waitFor({ state: 'hidden' })
  await word('smith20').click({ modifiers: ['Meta'] })
  await eventually(() => opened.length, { until: (count) => count > 0 })
  await mac.close()
  assert.deepEqual(opened, ['/alice/tides/edit/main/refs.bib'])
})

test('hovering over a citation shows its title and authors', options, async () => {
  await page.keyboard.type(' \\cite{smith20}')
  await page.locator('.cm-line span', { hasText: 'smith20' }).last().hover()
  const lines = page.locator('.cm-reference p')
  await lines.first().waitFor()
  assert.deepEqual(await lines.allTextContents(), ['Tides <script>', 'Smith and Jones, 2020'])
})

test('Ctrl+Alt+H shows the details of a citation at the cursor until Escape, and no others', options, async () => {
  await page.keyboard.type(' \\cite{smith20}')
  await page.keyboard.press('ArrowLeft')
  const lines = page.locator('.cm-reference p')
  await page.locator('.cm-line span', { hasText: 'smith20' }).last().hover()
  await lines.first().waitFor()
  await page.evaluate(RECORD_ANNOUNCEMENTS)
  await page.keyboard.press('Control+Alt+h')
  await eventually(() => page.evaluate<readonly string[]>('window.announced'), {
    until: (announced) => announced.some((text) => text.includes('Tides <script>')),
  })
  assert.deepEqual(await lines.allTextContents(), ['Tides <script>', 'Smith and Jones, 2020'])
  await page.keyboard.press('Escape')
  await lines.first().waitFor({ state: 'detached' })
})

/** Runs in the page: what is announced to screen readers stays for a moment only. */
const RECORD_ANNOUNCEMENTS = `(() => {
  window.announced = []
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) window.announced.push(node.textContent)
  }).observe(document.querySelector('.cm-announced'), { childList: true })
})()`

test('the project index is hidden from everyone who may not write', options, async () => {
  const anonymous = await fetch(`${host.origin}/alice/tides/project/main/main.tex`, { redirect: 'manual' })
  assert.notEqual(anonymous.status, 200)
})

/** Fills the search panel and returns its status and its lines. */
async function searchProject(text: string, replacement: string): Promise<readonly string[]> {
  await page.keyboard.press('Control+Shift+F')
  const panel = page.locator('.project-search')
  await panel.locator('[name=text]').fill(text)
  await panel.locator('[name=replacement]').fill(replacement)
  await panel
    .locator('[role=status]')
    .last()
    .filter({ hasText: /match|expression/ })
    .waitFor()
  await panel.locator('[name=text]').press('Enter')
  await panel.locator('[role=status]:text-is("Searching…")').waitFor({ state: 'detached' })
  return panel.locator('[role=status]:last-of-type, li > label, li button').allTextContents()
}

test('Ctrl+Shift+F finds text in files and drafts, and stays open when a match opens its file', options, async () => {
  await page.keyboard.type('slack water')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  assert.deepEqual(await searchProject('slack water', ''), [
    '4 matches in 3 files.',
    ' log.md 1 match',
    '1 Slack <b>water</b>, slack water',
    ' main.tex 1 match',
    '5 slack water',
    ' notes.txt 2 matches',
    '1 Slack water at noon.',
    '2 No slack water.',
  ])
  await page.click('.project-search button:has-text("No slack")')
  await page.waitForURL('**/edit/main/notes.txt?line=2')
  await page.locator('.project-search li').first().waitFor()
  await page.locator('.project-search [name=text]').press('Escape')
  await page.locator('.project-search').waitFor({ state: 'detached' })
})

test('a replacement is previewed, and written as drafts of the chosen files', options, async () => {
  await page.locator('.editor-bar .more > summary').click()
  await page.click('[data-project-search]')
  await page.locator('.project-search').getByLabel('Regular expression').check()
  assert.deepEqual(await searchProject('(slack) water', 'no $1'), [
    '4 matches in 3 files.',
    ' log.md 1 match',
    '1 Slack <b>water</b>, slack waterno slack',
    ' main.tex 1 match',
    '5 slack waterno slack',
    ' notes.txt 2 matches',
    '1 Slack waterno Slack at noon.',
    '2 No slack waterno slack.',
  ])
  assert.deepEqual(await findBarriers(page), [])
  await page.locator('.project-search').getByLabel('main.tex').uncheck()
  await page.click('.project-search button:text-is("Replace 3 matches")')
  const outcome = page.locator('.project-search p:has-text("Replaced 3 matches in 2 drafts.")')
  assert.equal(
    await outcome.textContent(),
    'Replaced 3 matches in 2 drafts. To undo, discard the drafts. This also discards earlier changes in them that are not committed.',
  )
  const drafts = await readDraftsOfBranch(host.deps, { repositoryId, branch: 'main' })
  assert.deepEqual(
    [drafts.get('log.md'), drafts.get('notes.txt'), drafts.get('main.tex')?.includes('slack water')],
    ['Slack <b>water</b>, no slack\n', `no Slack at noon.\nNo no slack.\n${'a'.repeat(40)}!\n`, true],
  )
  // The next commit contains them.
  const chosen = page.locator('[data-other-drafts] label:has(:checked)')
  await chosen.filter({ hasText: 'notes.txt' }).waitFor({ state: 'attached' })
  assert.deepEqual(
    (await chosen.allTextContents()).map((text) => text.trim()),
    ['log.md', 'notes.txt', 'refs.bib'],
  )
})

test('a regular expression that takes too long is answered with the reason', options, async () => {
  assert.deepEqual(await searchProject('(a|a)*$b', ''), [
    'The search took longer than 2 seconds. Simplify the regular expression.',
  ])
  assert.deepEqual(await searchProject('(a', ''), ['Invalid regular expression: Unterminated group.'])
  await page.click('.project-search button:text-is("Close")')
})

test('Ctrl+Shift+F with Caps Lock opens only the search of the project', options, async () => {
  // With both, the key is a lowercase letter.
  await page.keyboard.press('Control+Shift+f')
  await page.locator('.project-search [name=text]:focus').waitFor()
  assert.equal(await page.locator('.cm-search').count(), 0)
  await page.keyboard.press('Escape')
})

test('a replacement by keyboard keeps the focus, and Escape returns it to the editor', options, async () => {
  await page.keyboard.type('lagoon')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await page.keyboard.press('Control+Shift+F')
  await page.locator('.project-search [name=text]:focus').waitFor()
  await page.keyboard.type('lagoon')
  await page.keyboard.press('Tab')
  await page.keyboard.type('estuary')
  await page.locator('.project-search ins:text-is("estuary")').waitFor()
  // Match case, Regular expression, Search, Replace.
  for (let stop = 1; stop <= 4; stop += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.project-search p:has-text("Replaced 1 match in 1 draft.")').waitFor()
  const focused = await page.evaluate('document.activeElement.name')
  await page.keyboard.press('Escape')
  await page.locator('.cm-focused .cm-line', { hasText: 'estuary' }).waitFor()
  assert.equal(focused, 'text')
})

test('an empty replacement deletes only after a question, which ends when the search changes', options, async () => {
  await page.keyboard.type('sandbank sandbank')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  await searchProject('sandbank', '')
  const panel = page.locator('.project-search')
  const readDraft = async (): Promise<boolean> =>
    (await readDraftsOfBranch(host.deps, { repositoryId, branch: 'main' })).get('main.tex')?.includes('sandbank') ===
    true
  await panel.getByRole('button', { name: 'Delete 2 matches…' }).click()
  await panel.getByText('Delete 2 matches in 1 file?').waitFor()
  assert.deepEqual(await findBarriers(page), [])
  await page.keyboard.press('Enter')
  await panel.getByText('Delete 2 matches in 1 file?').waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Delete 2 matches…' }).click()
  await panel.getByLabel('main.tex').uncheck()
  await panel.getByText('Delete 2 matches in 1 file?').waitFor({ state: 'detached' })
  const isKept = await readDraft()
  await panel.getByLabel('main.tex').check()
  await panel.getByRole('button', { name: 'Delete 2 matches…' }).click()
  await panel.getByRole('button', { name: 'Delete', exact: true }).click()
  await panel.getByText('Deleted 2 matches in 1 draft.').waitFor()
  assert.deepEqual([isKept, await readDraft()], [true, false])
  await panel.getByRole('button', { name: 'Close' }).click()
})

test('users who may not write can neither search the drafts nor change them', options, async () => {
  const other = await browser.newContext({ baseURL: host.origin })
  const window = await other.newPage()
  await signIn(window, 'bob')
  const statuses = await Promise.all(
    ['search', 'replace', 'rename'].map((action) =>
      window.evaluate(async (address) => {
        const page_ = globalThis as unknown as { document: { querySelector(selector: string): { value: string } } }
        const body = new FormData()
        body.set('form_token', page_.document.querySelector('[name=form_token]').value)
        body.set('text', 'slack')
        return (await fetch(address, { method: 'POST', body })).status
      }, `/alice/tides/${action}/main/main.tex`),
    ),
  )
  await other.close()
  assert.deepEqual(statuses, [404, 404, 404])
})

/** Renames what is at the cursor and returns the answer. */
async function rename(to: string): Promise<string> {
  if ((await page.locator('.rename').count()) === 0) await page.keyboard.press('F2')
  const status = page.locator('.rename [role=status]')
  const before = await status.textContent()
  await page.locator('.rename [name=to]').fill(to)
  await page.locator('.rename [name=to]').press('Enter')
  await status.filter({ hasNotText: before === '' ? /^$/ : (before ?? '') }).waitFor()
  return (await status.textContent()) ?? ''
}

test('F2 renames a label in all files, unless the name is taken', options, async () => {
  await page.keyboard.type(' \\ref{fig:curve}')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  const before = await readText(page)
  await page.keyboard.press('ArrowLeft')
  const taken = await rename('sec:ebb')
  const renamed = await rename('fig:ebb')
  assert.deepEqual(
    [taken, renamed.split(' at ')[0]],
    ['The label "sec:ebb" already exists.', 'Renamed "fig:curve" to "fig:ebb"'],
  )
  assert.deepEqual(await findBarriers(page), [])
  await page.keyboard.press('Escape')
  await page.locator('.cm-focused').waitFor()
  const drafts = await readDraftsOfBranch(host.deps, { repositoryId, branch: 'main' })
  assert.deepEqual(
    [drafts.get('main.tex'), drafts.get('chapters/ebb.tex')],
    [before.replaceAll('{fig:curve}', '{fig:ebb}'), files['chapters/ebb.tex'].replace('fig:curve', 'fig:ebb')],
  )
})

test('F2 on an entry of a bibliography renames its citations', options, async () => {
  await page.keyboard.type(' \\cite{other,smith20}')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  const before = await readText(page)
  await openFile('refs.bib?line=1')
  assert.match(await rename('smith2020'), /^Renamed "smith20" to "smith2020" at /)
  const drafts = await readDraftsOfBranch(host.deps, { repositoryId, branch: 'main' })
  assert.equal(drafts.get('main.tex'), before.replaceAll(/\bsmith20\b/g, 'smith2020'))
  assert.match(drafts.get('refs.bib') ?? '', /^@article\{smith2020,/)
})

test('hovering over a formula shows it, in a sentence and in an environment', options, async () => {
  await page.keyboard.press('Control+End')
  await page.keyboard.type('It costs 5\\$, as $\\frac{mass}2')
  await page.keyboard.press('End')
  await page.keyboard.type('$.\n\n\\begin{align*}\nwidth &= 1 \\label{eq:width}')
  await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  const shown: (readonly [text: string | null, fractions: number])[] = []
  for (const word of ['mass', 'width']) {
    await page.locator('.cm-line span', { hasText: word }).last().hover()
    const formula = page.locator('.cm-formula math', { hasText: word })
    await formula.waitFor()
    shown.push([await formula.evaluate(textOfMath), await formula.locator('mfrac').count()])
    await page.mouse.move(0, 0)
    await page.locator('.cm-formula').waitFor({ state: 'detached' })
  }
  assert.deepEqual(shown, [
    ['mass2', 1],
    ['width=1', 0],
  ])
})

/** Runs in the page. */
function textOfMath(math: unknown): string {
  return String((math as { textContent: string }).textContent).replaceAll(/\s/g, '')
}
