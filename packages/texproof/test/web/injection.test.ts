/**
 * Puts every payload into every place that shows user text, and opens the pages in a real browser: nothing may run or
 * be blocked by the content policy (an attempt is a hole too), and no page may contain an attribute that could run.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import type { Repository, User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { createToken } from '../../src/accounts/tokens/create-token.ts'
import { createWebhook } from '../../src/operations/repository/change-webhooks.ts'
import { deleteBranch } from '../../src/operations/branch/delete-branch.ts'
import { injections } from '../support/web/injections.ts'
import { runTestGit } from '../support/programs/run-program.ts'
import { fillText, openCommit } from '../support/web/editor.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'

const password = 'nine trees by the river'
/** Adapts a payload to a place: git refuses some characters in paths and refs. */
const asPath = (text: string): string => text.replaceAll(/[/\0\n]/g, '∕').slice(0, 120)
const asRef = (text: string): string =>
  text.replaceAll(/[\s~^:?*[\\\0-\x1f]|\.\.|@\{|\.lock|\/$|^-|\.$/g, '_').replaceAll('//', '_/')

/** Configuration of a commit that a push does not build. */
const ON_DEMAND = '[build]\nauto = "demand"\n'

let host: PaperHost
let browser: Browser
let page: Page
let checkout: Checkout
const alarms: string[] = []

before(async () => {
  if (withoutBrowser !== false) return
  host = await openPaperHost()
  await fill()
  browser = await openBrowser()
  const context = await browser.newContext()
  await context.exposeFunction('pwned', () => void alarms.push('a payload ran'))
  await context.addInitScript(reportViolations)
  page = await context.newPage()
  page.on('dialog', (dialog) => {
    // The page asks before unsaved text is lost.
    if (dialog.type() === 'beforeunload') void dialog.accept()
    else void dialog.dismiss().then(() => alarms.push('a dialog opened'))
  })
  page.on('console', (message) => {
    if (message.text().startsWith('policy: ')) alarms.push(message.text())
  })
  page.on('request', (request) => {
    // The browser's own PDF viewer is an extension.
    if (!/^(data|blob|chrome|chrome-extension):/.test(request.url()) && new URL(request.url()).origin !== host.origin)
      alarms.push(`asked ${request.url()}`)
  })
  await signIn()
})
after(async () => {
  await browser?.close()
  await host?.close()
})

async function fill(): Promise<void> {
  const { store } = host.deps
  const outcome = await addTestUser(store, { login: 'alice', name: injections[0] ?? '', password, isAdmin: true })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  const token = await host.addToken(outcome.user, ['repo:write'])
  await fillAccount(outcome.user)
  await host.addRepository(outcome.user, 'hostile')
  checkout = await host.makeCheckout(host.gitUrl('alice/hostile.git', token), {
    'README.md': injections.join('\n\n'),
    'math.md': injections.map((text) => `$\\text{${text}}$ [^n]\n\n> [!NOTE]\n> ${text}`).join('\n\n'),
    'all.ipynb': notebook(injections),
    'main.tex': document(injections.join('\n\n')),
    'all.txt': injections.join('\n'),
    ...Object.fromEntries(['all.py', 'all.bib', 'all.sty', 'all.html'].map((name) => [name, injections.join('\n')])),
    'entries.bib': injections.map((text, n) => `@book{k${n}, title = "${text.replaceAll('"', "'")}"}`).join('\n'),
    'values.csv': injections.map((text) => `"${text.replaceAll('"', '""')}",1`).join('\n'),
    ...Object.fromEntries(injections.map((text, n) => [`files/${asPath(`${n}${text}`)}`, text])),
  })
  await runTestGit(checkout.dir, ['fast-import', '--quiet'], injections.map(encodeHistory).join(''))
  await checkout.commit({ 'main.tex': document(injections.toReversed().join('\n\n')) }, 'Turn')
  await checkout.git('push', '--quiet', '--tags', 'origin', 'main')
  await checkout.git('push', '--quiet', '--all', 'origin')
  const repository = await store.repositories.findByName('alice', 'hostile')
  assert.ok(repository)
  await host.whenBuilt(repository.id)
  await fillBuilds(repository)
  await fillLists(outcome.user, repository)
  await fillWebhook(outcome.user, repository)
}

/**
 * For `git fast-import`: commits on `main` whose author and message are payloads, with tags, and some with branches.
 * Only some of the commits with a branch are built; building all would test nothing more.
 */
function encodeHistory(text: string, n: number): string {
  const encode = (words: string): string => `data ${Buffer.byteLength(words)}\n${words}\n`
  const person = `${text.replaceAll(/[<>\n]/g, '"')} <alice@example.org> ${1_700_000_000 + n} +0000`
  const parent = n === 0 ? 'from refs/heads/main^0\n' : ''
  const tag = asRef(`t${n}${text}`)
  return [
    `commit refs/heads/main\nmark :${n + 1}\nauthor ${person}\ncommitter ${person}\n${encode(text)}${parent}`,
    n % 16 === 0 ? 'D .texproof.toml\n' : `M 100644 inline .texproof.toml\n${encode(ON_DEMAND)}`,
    n % 2 === 0
      ? `reset refs/tags/${tag}\nfrom :${n + 1}\n`
      : `tag ${tag}\nfrom :${n + 1}\ntagger ${person}\n${encode(text)}`,
    n % 4 === 0 ? `reset refs/heads/${asRef(`b${n}${text}`)}\nfrom :${n + 1}\n` : '',
  ].join('')
}

/** The outcome of the first build for every branch without one: the names of all branches are in the list of builds. */
async function fillBuilds({ id }: Repository): Promise<void> {
  const { git, store } = host.deps
  const built = await store.builds.findByNumber(id, 1)
  assert.ok(built !== null && built.pdfId !== null)
  for (const { name } of await git.listBranches(id)) {
    const ref = `refs/heads/${name}`
    if ((await store.builds.findNewest(id, { ref, document: null })) !== null) continue
    const added = await store.builds.add({ ...built, ref })
    await store.builds.finish(added.id, { ...built, state: 'failed' })
  }
}

/** Descriptions of repositories, and records of deleted branches and repositories. */
async function fillLists(owner: User, repository: Repository): Promise<void> {
  const { deps } = host
  for (const { name, commitId } of (await deps.git.listBranches(repository.id)).slice(0, 20))
    await deleteBranch(deps, { repository, actor: owner, name, commitId })
  for (const [n, description] of injections.entries()) {
    if (n % 8 !== 0) continue
    const { id } = await host.addRepository(owner, `listed-${n}`)
    await deps.store.repositories.change(id, { description })
    if (n % 16 === 0) await deps.store.repositories.trash(id)
    if (n % 32 === 8) await deps.store.repositories.change(id, { isDisabled: true, disabledReason: description })
  }
}

/** A webhook whose receiver answers with payloads. */
async function fillWebhook({ id: userId }: User, { id: repositoryId }: Repository): Promise<void> {
  const { deps } = host
  const url = `https://ci.example/?${injections[6]}`
  const form = { url, secret: 'salt', events: ['push'], isActive: true }
  const outcome = await createWebhook(deps, form, { repositoryId, userId })
  assert.equal(outcome.kind, 'saved')
  const text = injections.join('\n').replaceAll('\0', '')
  const attempt = { sentAt: 0, durationMs: 1, requestHeaders: text, problem: text }
  await deps.store.webhookDeliveries.setPayload(1, JSON.stringify(injections))
  const response = { status: 500, headers: text, body: text }
  await deps.store.webhookDeliveries.recordAttempt(1, { ...attempt, response }, { retryAt: null })
}

/** Names of passkeys, tokens and browsers, which the account's log repeats. */
async function fillAccount({ id: userId }: User): Promise<void> {
  const { store } = host.deps
  const key = { userId, publicKey: '', counter: 0, transports: [] }
  for (const [n, text] of injections.entries()) {
    await store.passkeys.add({ ...key, id: `key-${n}`, name: text })
    await store.events.add({ kind: 'passkey-added', userId, actorId: userId, detail: text })
    if (n % 4 === 0) await createToken(store, { userId, name: text, scopes: [], expiresAt: null })
    if (n % 4 === 0)
      await store.sessions.add({ userId, hash: `none-${n}`, address: text, agent: text, expiresAt: Date.now() + 1e7 })
  }
}

/** A paper whose log messages and errors contain the text. */
function document(text: string): string {
  const safe = text.replaceAll(/[\\{}%#^\n]/g, ' ')
  return String.raw`\documentclass{article}
\begin{document}
\typeout{${safe}}
\errmessage{${safe.slice(0, 2000)}}
\PackageWarning{hostile}{${safe.slice(0, 2000)}}
<img src=x onerror=pwned()>\undefined<script>pwned()</script>
\end{document}
`
}

/** A notebook with payloads in its text, code, attachments and every kind of output. */
function notebook(texts: readonly string[]): string {
  const types = ['text/plain', 'text/latex', 'text/html', 'image/svg+xml', 'image/png']
  const cells = texts.flatMap((text) => [
    { cell_type: 'markdown', source: `${text}\n\n![a](attachment:a)`, attachments: { a: { 'image/svg+xml': text } } },
    {
      cell_type: 'code',
      source: text,
      execution_count: 1,
      outputs: [
        { output_type: 'stream', name: text, text },
        { output_type: 'error', ename: text, evalue: text, traceback: [text] },
        ...types.map((type) => ({ output_type: 'display_data', data: { [type]: `<svg${text}` } })),
        { output_type: 'display_data', data: { [text]: text } },
      ],
    },
  ])
  return JSON.stringify({ nbformat: 4, metadata: { language_info: { name: 'python' } }, cells })
}

async function signIn(): Promise<void> {
  await page.goto(`${host.origin}/login`)
  await page.fill('[name=name]', 'alice')
  await page.fill('[name=password]', password)
  await page.click('main button')
}

/** Opens a page, waits until it is idle, and returns its problems. */
async function look(path: string): Promise<string[]> {
  alarms.length = 0
  await page.goto(host.origin + path, { waitUntil: 'load' })
  return examine()
}

/** Problems of the current page. */
async function examine(): Promise<string[]> {
  const handlers = await page.evaluate<string[]>(findHandlers)
  const foreign = await page.evaluate<number>(countForeignScripts)
  return [...alarms, ...handlers, ...(foreign === 0 ? [] : [`${foreign} scripts that are not ours`])]
}

// Code of the page is text, because types of browsers are not available here.
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample)
})`
const findHandlers = `[...document.querySelectorAll('*')].flatMap((element) =>
  [...element.attributes]
    .filter(({ name, value }) => /^on/i.test(name) ||
      (/^(href|src|action|formaction|data|xlink:href)$/i.test(name) && /^\\s*(javascript|vbscript|data:text)/i.test(value)))
    .map(({ name, value }) => '<' + element.localName + ' ' + name + '="' + value + '">'))`
const countForeignScripts = `[...document.scripts].filter(
  ({ src }) => !new URL(src, location.href).pathname.startsWith('/assets/')).length`

test('there are at least 150 payloads', () => {
  assert.ok(injections.length >= 150, String(injections.length))
})

test('a page that does not escape is detected', { skip: withoutBrowser }, async () => {
  const path = '/control'
  const body = `<title>a</title><p onclick="pwned()">${injections[6] ?? ''}</p>`
  await page.route(host.origin + path, (route) => route.fulfill({ contentType: 'text/html', body }))
  const problems = await look(path)
  // While there is a route, the browser caches nothing.
  await page.unroute(host.origin + path)
  assert.deepEqual(problems.toSorted(), ['1 scripts that are not ours', '<p onclick="pwned()">', 'a payload ran'])
})

test('the sampled pages contain the payloads', { skip: withoutBrowser }, async () => {
  const counts = new Map<string, number>()
  for (const path of [
    'tree/main/files',
    'blob/main/all.txt',
    'blob/main/values.csv',
    'search?q=pwned',
    'tags',
    'branches',
    'commits/main',
    'builds/1',
  ]) {
    await page.goto(`${host.origin}/alice/hostile/${path}`)
    counts.set(path, (await page.innerText('main')).split('pwned()').length - 1)
  }
  const few = [...counts].filter(([path, count]) => count < (path.startsWith('builds') ? 1 : 30))
  assert.deepEqual(few, [])
})

const pages = [
  '/',
  '/alice',
  '/alice/hostile',
  '/alice/hostile/tree/main/files',
  '/alice/hostile/blob/main/README.md',
  '/alice/hostile/blob/main/all.txt',
  '/alice/hostile/blob/main/README.md?view=source',
  '/alice/hostile/blob/main/main.tex',
  '/alice/hostile/blob/main/math.md',
  '/alice/hostile/blob/main/all.ipynb',
  '/alice/hostile/blob/main/values.csv',
  '/alice/hostile/blob/main/entries.bib',
  '/alice/hostile/blob/main/all.bib?view=source',
  ...['all.py', 'all.bib', 'all.sty', 'all.html'].map((name) => `/alice/hostile/blob/main/${name}`),
  '/alice/hostile/edit/main/all.txt?line=2',
  '/alice/hostile/edit/main/main.tex',
  '/alice/hostile/new/main/files',
  '/alice/hostile/blame/main/all.txt',
  '/alice/hostile/blame/main/main.tex',
  '/alice/hostile/commits/main/main.tex',
  '/alice/hostile/compare',
  '/alice/hostile/tags/new',
  '/alice/hostile/build-settings/main',
  '/alice/hostile/export/main',
  '/alice/hostile/compare/main...main',
  '/alice/hostile/find/main',
  '/alice/hostile/search?q=pwned',
  '/search?q=pwned&in=files',
  '/alice/hostile/commits/main',
  '/alice/hostile/branches',
  '/alice/hostile/tags',
  '/alice/hostile/builds',
  '/alice/hostile/builds/1',
  '/alice/hostile/pdf/main',
  '/alice/hostile/settings',
  '/alice/hostile/settings/webhooks',
  '/alice/hostile/settings/webhooks/1',
  '/alice/hostile/settings/webhooks/1/deliveries/1',
  '/settings/profile',
  '/settings/tokens',
  '/settings/sessions',
  '/settings/security',
  '/settings/security/passkeys',
  '/admin/users',
  '/admin/repos',
  '/admin/repos/alice/listed-8',
  '/alice/listed-8',
  '/admin/builds',
  '/admin/log',
  '/settings/trash',
  '/?show=public',
  '/search?q=hostile',
]

for (const path of pages) {
  test(`nothing runs on ${path}`, { skip: withoutBrowser }, async () => {
    assert.deepEqual(await look(path), [])
  })
}

test('nothing runs where a page repeats its query', { skip: withoutBrowser }, async () => {
  const found: string[] = []
  for (const [n, text] of injections.entries()) {
    const asked = encodeURIComponent(text)
    const paths = [
      `/search?q=${asked}`,
      `/login?next=${asked}`,
      `/alice/hostile/blob/main/${asked}`,
      `/?q=${asked}`,
      `/new?name=${asked}`,
      `/alice/hostile/branches?q=${asked}`,
      `/alice/hostile/search?q=${asked}`,
      `/alice/hostile/search?q=x&ref=${asked}`,
      `/alice/hostile/find/main?q=${asked}`,
      `/alice/hostile/compare?base=${asked}`,
      `/alice/hostile/compare/main...${asked}`,
      `/search?q=${asked}&in=files`,
      `/admin/repos?q=${asked}`,
      `/admin/log?person=${asked}&kind=${asked}&from=${asked}`,
      `/status/tex?package=${asked}`,
      `/docs/errors/${asked}`,
      `/alice/hostile/tree/${asked}/all.txt`,
      `/alice/hostile/edit/main/all.txt?line=${asked}&back=pdf&doc=${asked}`,
      `/alice/hostile/edit/${asked}/all.txt`,
      `/alice/hostile/new/main/${asked}`,
      `/alice/hostile/branches/new?name=${asked}&from=${asked}`,
    ]
    // Each payload in one place; the payloads are distributed over all places.
    for (const path of paths.filter((_, place) => place === n % paths.length))
      found.push(...(await look(path)).map((alarm) => `${path}: ${alarm}`))
  }
  assert.deepEqual(found, [])
})

test('nothing runs on the page of a commit or file named like a payload', { skip: withoutBrowser }, async () => {
  const found: string[] = []
  const commits = (await checkout.git('rev-list', '--max-count=12', 'main')).stdout.trim().split('\n')
  const files = injections.flatMap((text, n) => (n % 8 === 0 ? [asPath(`${n}${text}`)] : []))
  const paths = [
    ...commits.map((id) => `/alice/hostile/commit/${id}`),
    `/alice/hostile/compare/${commits.at(-1)}...main?view=split`,
    ...['blob', 'edit', 'delete'].flatMap((view) =>
      files.map((name) => `/alice/hostile/${view}/main/files/${encodeURIComponent(name)}`),
    ),
  ]
  for (const path of paths) found.push(...(await look(path)).map((alarm) => `${path}: ${alarm}`))
  assert.deepEqual(found, [])
})

test('nothing runs in a rejected form that keeps its input', { skip: withoutBrowser }, async () => {
  const found: string[] = []
  const send = async (button: string): Promise<void> => {
    alarms.length = 0
    // The editor stores the text before it sends the form.
    await Promise.all([page.waitForEvent('load'), page.click(`button:text-is("${button}")`)])
    found.push(...(await examine()))
  }
  for (const text of injections.filter((_, n) => n % 30 === 0)) {
    await page.goto(`${host.origin}/alice/hostile/edit/main/all.txt`)
    await fillText(page, injections.join('\n'))
    await openCommit(page)
    await page.fill('#path', `/${text}`)
    await page.fill('#message', text)
    await page.check('[name=to][value=new]')
    await page.fill('#new-branch', text)
    await send('Commit changes')
    assert.equal(await page.inputValue('#message'), text.replaceAll('\n', '').trim())
  }
  for (const [path, field, button] of [
    ['/import/git', '#address', 'Import repository'],
    ['/alice/hostile/settings/webhooks/new', '#url', 'Add webhook'],
  ] as const) {
    const text = injections[6] ?? ''
    await page.goto(host.origin + path)
    await page.fill(field, text)
    if (field === '#url') await page.fill('#secret', 'salt')
    await send(button)
    assert.equal(await page.inputValue(field), text.replaceAll('\n', ''))
  }
  await page.goto(`${host.origin}/alice/hostile/edit/main/all.txt`)
  await fillText(page, injections.toReversed().join('\n'))
  await openCommit(page)
  await page.fill('#message', injections[6] ?? '')
  await checkout.commit({ 'all.txt': injections.map((text) => `${text} `).join('\n') })
  await checkout.git('push', '--quiet', 'origin', 'main')
  await send('Commit changes')
  assert.equal((await page.locator('.version').count()) > 0, true)
  await send('Review full text')
  await page.context().clearCookies()
  await openCommit(page)
  await send('Commit changes')
  assert.equal(await page.locator('h1').textContent(), 'You are signed out')
  await signIn()
  assert.deepEqual(found, [])
})

test('a pushed file opened directly runs nothing on this host', { skip: withoutBrowser }, async () => {
  const found: string[] = []
  await checkout.commit({
    'page.html': injections.join('\n'),
    'picture.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="pwned()"><script>pwned()</script></svg>`,
    'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>pwned()</script></html>`,
  })
  await checkout.git('push', '--quiet', 'origin', 'main')
  for (const name of ['page.html', 'picture.svg', 'page.xhtml'])
    found.push(...(await look(`/alice/hostile/blob/main/${name}`)))
  for (const name of ['page.html', 'picture.svg', 'page.xhtml']) {
    alarms.length = 0
    await page.goto(`${host.origin}/alice/hostile/raw/main/${name}`).catch(() => null)
    found.push(...alarms.filter((alarm) => !alarm.startsWith('policy: ')).map((alarm) => `${name}: ${alarm}`))
  }
  assert.deepEqual(found, [])
})
