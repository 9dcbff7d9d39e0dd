/** The longest allowed names, and a very long first line of a message: no page becomes wider. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { readConfig } from '../../src/config/read-config.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'

const LOGIN = 'a'.repeat(39)
const REPOSITORY = 'n'.repeat(100)
const BRANCH = `drafts/${'b'.repeat(200)}`
const SHORT_BRANCH = 'begin'
/** A long name of several words, which wraps unlike one long word. */
const AUTHOR = 'Ursula Anne '.repeat(8).trim()
const FILE = `${'f'.repeat(200)}.md`
const PAPER = `${'p'.repeat(180)}.tex`
const FOLDER = 'd'.repeat(200)
const SUBJECT = 'm'.repeat(5_000)
const PASSWORD = 'nine trees by the river'

let host: PaperHost
let browser: Browser
let cookies: readonly (readonly [string, string])[]
let commitId: string

before(async () => {
  if (withoutBrowser !== false) return
  const { config } = readConfig(
    { data: '/srv/texproof/data', settings: {} },
    { TEXPROOF_REGISTRATION_COAUTHORS: 'true', TEXPROOF_MIRRORS_FETCH_EVERY: '6h', TEXPROOF_BUILD_CONCURRENCY: '2' },
  )
  host = await openPaperHost({ origins: config.origins })
  const outcome = await addTestUser(host.deps.store, { login: LOGIN, password: PASSWORD, isAdmin: true })
  assert.ok(outcome.kind === 'added')
  const { user } = outcome
  await host.deps.store.users.changeProfile(user.id, { name: 'w'.repeat(100), bio: 'w'.repeat(500) })
  const repository = await host.addRepository(user, REPOSITORY, 'public')
  await host.deps.store.repositories.change(repository.id, { description: 'w'.repeat(500) })
  const url = host.gitUrl(`${LOGIN}/${REPOSITORY}.git`, await host.addToken(user, ['repo:write']))
  const long = 'x'.repeat(400)
  const checkout = await host.makeCheckout(url, {
    [FILE]: `# ${long}\n`,
    [`${FOLDER}/${FILE}`]: `${long}\n`,
    [PAPER]: String.raw`\documentclass{article}\begin{document}\${long} tides \end{document}`,
  })
  await checkout.git('commit', '--quiet', '--allow-empty', `--author=${AUTHOR} <ursula@example.org>`, '-m', 'Begin')
  await checkout.git('push', 'origin', `HEAD:refs/heads/${SHORT_BRANCH}`)
  commitId = await checkout.commit({ [FILE]: `# ${long}\n\n${long}\n` }, SUBJECT)
  await checkout.git('tag', 't'.repeat(200))
  await checkout.git('push', 'origin', 'main', `main:refs/heads/${BRANCH}`, '--tags')
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name: LOGIN, password: PASSWORD })
  cookies = [...client.cookies]
  browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host?.close()
})

for (const width of [320, 1280]) {
  test(`no page is wider than ${width} px with the longest names`, { skip: withoutBrowser }, async () => {
    const context = await browser.newContext({ baseURL: host.origin, viewport: { width, height: 700 } })
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: host.origin })))
    const page = await context.newPage()
    const path = `/${LOGIN}/${REPOSITORY}`
    const pages = [
      '/',
      `/${LOGIN}`,
      `/search?q=${'n'.repeat(100)}`,
      '/settings/profile',
      '/settings/security',
      '/admin/users',
      '/admin/repos',
      `/admin/repos${path}`,
      '/admin/log',
      path,
      `${path}/tree/${BRANCH}/${FOLDER}`,
      `${path}/blob/${BRANCH}/${FILE}`,
      `${path}/blob/main/${FILE}?view=source`,
      `${path}/blame/${BRANCH}/${FILE}`,
      `${path}/commits/${BRANCH}`,
      `${path}/commit/${commitId}`,
      `${path}/commit/${commitId}?view=split`,
      `${path}/commits/${BRANCH}/${FILE}`,
      `${path}/restore/${commitId}?branch=main`,
      `${path}/restore/${commitId}/${FILE}?branch=main`,
      `${path}/branches`,
      `${path}/branches/delete/${BRANCH}`,
      `${path}/tags`,
      `${path}/compare/${BRANCH}...main`,
      `${path}/find/main?q=f`,
      `${path}/search?q=x`,
      `${path}/builds`,
      `${path}/pdf/${BRANCH}`,
      `${path}/settings`,
      `${path}/settings/share`,
      `${path}/settings/transfer`,
      `${path}/settings/webhooks/new`,
      `${path}/people`,
      `${path}/edit/${BRANCH}/${FILE}`,
      `${path}/edit/main/${PAPER}`,
      `${path}/new/main/${FOLDER}`,
      `${path}/move/main/${FILE}`,
      `${path}/delete/main/${FOLDER}`,
      `${path}/branches/new`,
      `${path}/tags/new?from=main`,
      `${path}/blob/main/${PAPER}`,
      `${path}/build-settings/main`,
      `${path}/builds/1`,
      `${path}/words/main`,
      `${path}/export/main`,
    ]
    const found: string[] = []
    for (const each of pages) {
      const answer = await page.goto(each)
      const [wide, tallest] = await page.evaluate<readonly [number, number]>(
        `[document.documentElement.scrollWidth, Math.max(...[...document.querySelectorAll('h1, h2, h3')].map((each) => each.offsetHeight))]`,
      )
      const isRead = answer?.status() === 200 || each.includes('/pdf/')
      if (wide > width || tallest > 600 || !isRead)
        found.push(
          `${each.slice(0, 60)} ${each.slice(-12)}: ${answer?.status()}, ${wide} px wide, a heading of ${tallest} px`,
        )
    }
    await context.close()
    assert.deepEqual(found, [])
  })
}

for (const width of [320, 390, 1280]) {
  const title = `Administration › Settings wraps names of settings after an underscore or a slash at ${width} px`
  test(title, { skip: withoutBrowser }, async () => {
    const context = await browser.newContext({ baseURL: host.origin, viewport: { width, height: 700 } })
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: host.origin })))
    const page = await context.newPage()
    await page.goto('/admin/settings')
    const [count, broken] = await page.evaluate<readonly [number, readonly string[]]>(`(() => {
      const names = [...document.querySelectorAll('[aria-label="Settings of the server"] code')]
      const parts = names.flatMap((name) => [...name.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
      const isBroken = (part) => {
        const range = document.createRange()
        range.selectNodeContents(part)
        return !part.data.includes(' ') && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
      }
      return [names.length, parts.filter(isBroken).map(({ data }) => data)]
    })()`)
    await context.close()
    assert.ok(count > 50)
    assert.deepEqual(broken, [])
  })
}

for (const width of [390, 1000, 1280]) {
  const title = `a file has its size beside its last commit, however long author and message are, at ${width} px`
  test(title, { skip: withoutBrowser }, async () => {
    const context = await browser.newContext({ baseURL: host.origin, viewport: { width, height: 700 } })
    const page = await context.newPage()
    const isBeside: boolean[] = []
    for (const path of [`main/${FILE}`, `${SHORT_BRANCH}/${PAPER}`]) {
      await page.goto(`/${LOGIN}/${REPOSITORY}/blob/${path}`)
      const [commit, size] = await Promise.all(
        ['.commit a', '> .quiet'].map((part) => page.locator(`.file-facts ${part}`).first().boundingBox()),
      )
      isBeside.push(Math.abs((commit?.y ?? 0) - (size?.y ?? Infinity)) < 5)
    }
    await context.close()
    assert.deepEqual(isBeside, [true, true])
  })
}

test(
  'a commit page has the beginning of its first line as title, and shows the whole message',
  { skip: withoutBrowser },
  async () => {
    const text = await fetch(`${host.origin}/${LOGIN}/${REPOSITORY}/commit/${commitId}`).then((answer) => answer.text())
    assert.deepEqual(
      [
        text.split('m'.repeat(200)).length > 1,
        /<title>m{160} …/.test(text),
        /<details class="whole-message">/.test(text),
      ],
      [true, true, true],
    )
    const list = await fetch(`${host.origin}/${LOGIN}/${REPOSITORY}/commits/main`).then((answer) => answer.text())
    assert.equal(list.includes('m'.repeat(161)), false)
  },
)
