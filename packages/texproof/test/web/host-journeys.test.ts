/**
 * The first five minutes of an operator, of the first author, of a script and of a program that needs PDFs: with the
 * real command, real git, the real clients and a real browser, with script and without. Commands on pages are copied
 * and run unchanged. Steps that do not depend on script run once.
 */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { Octokit } from '@octokit/rest'
import type { Browser, BrowserContext, Page } from 'playwright-core'

import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { runProgram } from '../support/programs/run-program.ts'
import type { ProgramOutcome } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'

const password = 'nine trees by the river'
const paper = String.raw`\documentclass{article}
\title{Tides}\author{Alice}
\begin{document}
\maketitle
All is well.
\end{document}
`

for (const hasScript of [true, false])
  describe(hasScript ? 'with script' : 'without script', { skip: withoutBrowser }, () => {
    let host: RunningHost
    let browser: Browser
    let folder: string
    let admin: Page
    let alice: Page
    let token: string

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'texproof-journeys-'))
      host = await startHost({ env: { TEXPROOF_PUSH_TO_CREATE: 'true' } })
      browser = await openBrowser({ isOwn: true })
      admin = await newPage()
      alice = await newPage()
    })
    after(async () => {
      await browser?.close()
      await host.stop()
      await rm(folder, { recursive: true, force: true })
    })

    /** A step that is the same without script. */
    function once(title: string, run: () => Promise<void>): void {
      if (hasScript) void it(title, run)
    }

    async function newPage(): Promise<Page> {
      const context: BrowserContext = await browser.newContext({ javaScriptEnabled: hasScript })
      if (hasScript) await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: host.url })
      return context.newPage()
    }

    /** Runs lines in a separate shell. */
    function type(script: string, env: Readonly<Record<string, string>> = {}): Promise<ProgramOutcome> {
      const home = { HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', ...env }
      return runProgram('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env: home })
    }

    async function beginningOf(file: string): Promise<string> {
      return (await readFile(join(folder, file))).toString('latin1', 0, 5)
    }

    /** The text to copy below a heading of the page. */
    async function snippet(page: Page, heading: string): Promise<string> {
      return (await page.locator(`h2:text-is("${heading}") + pre`).textContent()) ?? ''
    }

    it('sets the host up through the link in the terminal, and opens the status page', async () => {
      const link = await host.said(/http:\S+\/setup\?code=\S+/)
      await admin.goto(link)
      await admin.fill('#login', 'root-admin')
      await admin.fill('#password', password)
      await admin.check('input[value="invite"]')
      await admin.click('main button')
      await admin.waitForURL('**/admin/status')
      const text = (await admin.locator('main').textContent()) ?? ''
      assert.deepEqual(
        ['git', 'TeX', 'sandbox', 'Disk'].map((word) => text.toLowerCase().includes(word.toLowerCase())),
        [true, true, true, true],
      )
      await admin.goto(link)
      assert.match((await admin.locator('main').textContent()) ?? '', /already set up/i)
    })

    once('loads demo data from the status page, shows its first pages one by one, and removes it', async () => {
      await admin.goto(`${host.url}/admin/status`)
      await admin.click('button:has-text("Load demo data")')
      await admin.waitForURL('**/admin/demo')
      assert.match((await admin.locator('main [role=status]').textContent()) ?? '', /Loading demo data|builds left/)
      const firstPages = admin.locator('.gallery img')
      await admin.evaluate('globalThis.isSamePage = true')
      await firstPages.nth(2).waitFor()
      // Without script the browser would reload the page.
      assert.equal(await admin.evaluate('globalThis.isSamePage'), true)
      const picture = await admin.request.get(host.url + ((await firstPages.first().getAttribute('src')) ?? ''))
      assert.deepEqual([picture.status(), picture.headers()['content-type']], [200, 'image/png'])
      await admin.click('text=Remove demo data')
      await admin.waitForURL('**/admin/demo/remove')
      await admin.click('main button:has-text("Remove demo data")')
      await admin.locator('main button:has-text("Load demo data")').waitFor()
      const client = await admin.request.get(`${host.url}/alice/tides`)
      assert.equal(client.status(), 404)
    })

    it('invites alice by a link from the terminal, and shows her two ways to start', async () => {
      const { stdout } = await runTexproof(['user', 'invite', '--data', host.dataDir, 'alice@uni.example'])
      const link = /http:\S+\/join\?\S+/.exec(stdout)?.[0] ?? ''
      await alice.goto(link)
      await alice.fill('#login', 'alice')
      await alice.fill('#password', password)
      await alice.click('main button')
      await alice.waitForURL(`${host.url}/`)
      assert.deepEqual(await alice.locator('.first-steps h2').allTextContents(), [
        'Push an existing paper',
        'Start from a template',
      ])
    })

    once('backs up the running host from the terminal, and says what a restore would replace', async () => {
      const { stdout } = await runTexproof(['backup', 'create', join(folder, 'backups'), '--data', host.dataDir])
      const [path = ''] = stdout.split('  ')
      const plan = await runTexproof(['restore', path, '--dry-run', '--data', host.dataDir])
      await admin.goto(`${host.url}/admin/status`)
      const card = admin.locator('.cards li', { has: admin.locator('h2', { hasText: 'Backup' }) })
      const counts = '2 users, 0 repositories, 0 tokens'
      assert.match(stdout, /\/texproof-[\d-]+\.tar {2}[\d.]+ [kM]B {2}verified\n$/)
      assert.deepEqual(
        [plan.stdout.split('\n').slice(1, -1), ((await card.textContent()) ?? '').includes(path)],
        [
          [
            `The backup contains ${counts}.`,
            `${host.dataDir} contains ${counts}. --replace would move them aside.`,
            'No changes made.',
          ],
          true,
        ],
      )
    })

    it('creates a token for alice with one click, and shows it once', async () => {
      await alice.click('text=Create token')
      const field = alice.locator('#token')
      token = await field.inputValue()
      assert.match(token, /^pst_/)
      if (!hasScript) return
      await alice.click('button:has-text("Copy")')
      assert.equal(await alice.evaluate('navigator.clipboard.readText()'), token)
    })

    it('accepts a push with the commands of the page, and answers with its address', async () => {
      await alice.goto(host.url)
      const lines = (await alice.locator('.first-steps pre').first().textContent()) ?? ''
      await mkdir(join(folder, 'papers/tides'), { recursive: true })
      await writeFile(join(folder, 'papers/tides/main.tex'), paper)
      const before = `cd ~/papers/tides; git init -qb main; git add .; git -c user.name=Alice -c user.email=a@uni.example commit -qm Write
        git config credential.helper '!f() { echo username=alice; echo "password=$TOKEN"; }; f'`
      const { stderr, exitCode } = await type(`${before}\n${lines}`, { TOKEN: token })
      assert.deepEqual([exitCode, /Created private repository alice\/tides/.test(stderr)], [0, true])
      const address = /http:\S+\/alice\/tides\/pdf\/main/.exec(stderr)?.[0] ?? ''
      await alice.goto(address)
      assert.match((await alice.locator('main').textContent()) ?? '', /up to date/)
    })

    it('shows alice her repository first when she returns', async () => {
      await alice.goto(host.url)
      assert.match((await alice.locator('main').textContent()) ?? '', /tides/)
    })

    it('shows curl commands that work as printed', async () => {
      await alice.goto(`${host.url}/settings/tokens/new?name=class&scopes=repo:write&expires=7`)
      assert.deepEqual([await alice.inputValue('#name'), await alice.inputValue('#days')], ['class', '7'])
      await alice.click('main button.button')
      const { stdout } = await type(`${await snippet(alice, 'curl')} --silent --fail`)
      assert.equal((JSON.parse(stdout) as { readonly login: string }).login, 'alice')
      token = await alice.locator('#token').inputValue()
    })

    once('lets an Octokit script create and list the repositories of a class', async () => {
      const api = new Octokit({ auth: token, baseUrl: `${host.url}/api/v3` })
      const names = ['ada', 'ben', 'cleo'].map((student) => `hw1-${student}`)
      for (const name of names)
        await api.request('POST /user/repos', { name, private: true, auto_init: true, gitignore_template: 'TeX' })
      const repositories = await api.paginate('GET /user/repos', { per_page: 2, sort: 'full_name' })
      assert.deepEqual(
        repositories.map(({ name }: { readonly name: string }) => name),
        [...names, 'tides'],
      )
    })

    it('creates a one-hour token on the API page, in commands that work as printed', async () => {
      await alice.goto(`${host.url}/docs/api`)
      assert.equal(await alice.inputValue('#base-url'), `${host.url}/api/v3`)
      assert.equal(await alice.locator('#token').isVisible(), hasScript)
      await alice.click('text=Create a read-only token for one hour')
      await alice.locator('#token[readonly]').waitFor()
      const { stdout } = await type(`${await snippet(alice, 'curl')} --silent --fail`)
      assert.equal((JSON.parse(stdout) as { readonly login: string }).login, 'alice')
    })

    it('shows API responses as text on the API page when scripts run', async () => {
      const panel = alice.locator('details.try:has(form[data-try="/user/repos"])')
      assert.equal(await panel.isVisible(), hasScript)
      if (!hasScript) return
      const description = '<img src="/x" onerror="document.title = 1">'
      const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'ada-draft', private: true, description })
      await fetch(`${host.url}/api/v3/user/repos`, { method: 'POST', headers, body })
      await panel.locator('summary').click()
      await panel.locator('[name=per_page]').fill('1')
      await panel.locator('button').click()
      await panel.locator('.try-body pre').waitFor()
      const head = (await panel.locator('.try-head').textContent()) ?? ''
      assert.match(
        head,
        /^GET \/api\/v3\/user\/repos\?per_page=1\n200 OK\nLink: <.*rel="next"[\s\S]*X-Service-Request-Id: /,
      )
      const [shown] = JSON.parse((await panel.locator('.try-body').textContent()) ?? '') as { description: string }[]
      assert.deepEqual([shown?.description, await panel.locator('img').count()], [description, 0])
    })

    it('sends anonymous requests from that page, and answers a missing path with 404', async () => {
      if (!hasScript) return
      const anonymous = await newPage()
      await anonymous.goto(`${host.url}/docs/api`)
      const panel = anonymous.locator('details.try:has(form[data-try="/repos/{owner}/{repo}"])')
      await panel.locator('summary').click()
      await panel.locator('[name=owner]').fill('alice')
      await panel.locator('[name=repo]').fill('../tides')
      await panel.locator('button').click()
      await panel.locator('.try-body pre').waitFor()
      assert.match(
        (await panel.locator('.try-head').textContent()) ?? '',
        /^GET \/api\/v3\/repos\/alice\/\.\.%2Ftides\n404 Not Found\n/,
      )
      await anonymous.context().close()
    })

    it('answers an unimplemented path with 404, and lists the endpoints each client was tested with', async () => {
      const answer = await fetch(`${host.url}/api/v3/repos/alice/tides/pulls`, {
        headers: { authorization: `token ${token}` },
      })
      const { message, documentation_url: documentation } = (await answer.json()) as Readonly<Record<string, string>>
      assert.deepEqual([answer.status, message, documentation?.startsWith('https://')], [404, 'Not Found', true])
      await alice.goto(`${host.url}/docs/matrix`)
      const missing = (await alice.locator('h2:text-is("Not implemented") + ul').textContent()) ?? ''
      const row = await alice.locator('tr:has(code:text-matches("^GET /user$")):has-text("✓")').textContent()
      assert.deepEqual([/pull requests/.test(missing), /✓/.test(row ?? '')], [true, true])
    })

    once('opens a page at every html_url that the API returns', async () => {
      const api = async (path: string): Promise<string> =>
        (await fetch(`${host.url}/api/v3${path}`, { headers: { authorization: `token ${token}` } })).text()
      const answers = await Promise.all(['/user', '/repos/alice/tides', '/repos/alice/tides/branches/main'].map(api))
      const addresses = [...answers.join('\n').matchAll(/"(?:html_url|html)":\s*"([^"]+)"/g)].map(
        ([, url]) => url ?? '',
      )
      const opened = await Promise.all(
        addresses.map(async (url) => [new URL(url).pathname, (await alice.request.get(url)).status()]),
      )
      const commit = addresses.find((url) => url.includes('/commit/')) ?? ''
      assert.deepEqual(Object.fromEntries(opened), {
        '/alice': 200,
        '/alice/tides': 200,
        [new URL(commit).pathname]: 200,
        '/alice/tides/tree/main': 200,
      })
    })

    it('answers a script with the documented errors, and shows alice why her token was refused', async () => {
      await alice.goto(`${host.url}/settings/tokens/new?name=reader`)
      await alice.check('input[value="read"]')
      await alice.click('main button.button')
      const reader = await alice.locator('#token').inputValue()
      const ask = async (auth: string, body: string): Promise<readonly unknown[]> => {
        const headers = { authorization: `token ${auth}`, 'content-type': 'application/json' }
        const answer = await fetch(`${host.url}/api/v3/user/repos`, { method: 'POST', headers, body })
        const { message } = (await answer.json()) as { readonly message: string }
        return [answer.status, message]
      }
      assert.deepEqual(await ask(token, '{"name":"two words"}'), [422, 'Repository creation failed.'])
      assert.deepEqual(await ask(reader, '{"name":"x"}'), [403, 'Resource not accessible by personal access token'])
      await alice.goto(`${host.url}/settings/tokens`)
      assert.match(
        (await alice.locator('main').textContent()) ?? '',
        /Refused [^✕]*POST \/user\/repos needs read and write access/,
      )
    })

    once('compiles with the documented request, and with the command', async () => {
      await alice.goto(`${host.url}/docs/compile`)
      const lines = (await alice.locator('main pre').first().textContent()) ?? ''
      const byCurl = await type(lines, { COMPILE_API_KEY: 'none' })
      assert.deepEqual([byCurl.exitCode, await beginningOf('hi.pdf')], [0, '%PDF-'])
      await writeFile(join(folder, 'hello.tex'), paper)
      const { exitCode } = await runTexproof(['compile', 'hello.tex', '--remote', host.url], { cwd: folder })
      assert.deepEqual([exitCode, await beginningOf('hello.pdf')], [0, '%PDF-'])
    })

    once('answers a failing document with 200, no PDF and its errors', async () => {
      const source = paper.replace('All is well.', '\\totl').replace('\\end{document}', '')
      const answer = await fetch(`${host.url}/compile`, { method: 'POST', body: JSON.stringify({ source }) })
      const { pdf, errors } = (await answer.json()) as { readonly pdf: unknown; readonly errors: { line: number }[] }
      assert.deepEqual([answer.status, pdf, errors[0]?.line], [200, null, 5])
    })

    it('revokes all access of alice at once when she is disabled', async () => {
      await admin.goto(`${host.url}/admin/users`)
      const row = admin.locator('tr', { hasText: 'alice' })
      await row.locator('a:has-text("Disable")').first().click()
      await admin.click('main button:has-text("Disable account")')
      await admin.locator('main [role=status]').waitFor()
      await alice.goto(`${host.url}/settings/profile`)
      assert.match(alice.url(), /\/login/)
      const answer = await fetch(`${host.url}/api/v3/user`, { headers: { authorization: `token ${token}` } })
      const push = await type(`cd ~/papers/tides; git push texproof main:again`, { TOKEN: token })
      assert.deepEqual([answer.status, push.exitCode === 0], [401, false])
    })
  })
