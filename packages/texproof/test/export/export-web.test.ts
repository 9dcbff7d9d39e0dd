/** Packages in a browser without script, with real git and real TeX. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { assertShows } from '../support/web/assert-shows.ts'
import { formTokenOf, openWebClient } from '../support/web/web-client.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const source = String.raw`\documentclass{article}
\begin{document}
\today % hidden
\end{document}
`

let host: PaperHost
let browser: Browser

before(async () => {
  host = await openPaperHost()
  await addTestUser(host.deps.store, { login: 'bob', password })
  await addTestUser(host.deps.store, { login: 'alice', password })
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  const { id } = await host.addRepository(user, 'tides', 'private')
  const files = { 'main.tex': source, 'notes.md': 'Not used.\n' }
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', token), files)
  await checkout.git('push', '--quiet', 'origin', 'main')
  await host.whenBuilt(id)
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

async function signIn(login: string, settings: { readonly javaScriptEnabled: boolean }): Promise<Page> {
  const page = await (await browser.newContext(settings)).newPage()
  await page.goto(`${host.origin}/login`)
  await page.fill('[name=name]', login)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.origin}/`)
  return page
}

test('a user downloads a verified package without script, and another user does not see it', options, async () => {
  const page = await signIn('alice', { javaScriptEnabled: false })
  await page.goto(`${host.origin}/alice/tides/pdf/main`)
  await page.click('summary[title=More]')
  await page.click('text=Export for arXiv')
  await page.check('text=Remove comments')
  await page.click('text=Create package')
  await page.waitForSelector('text=Verified: the package builds on its own and produces the same page.', {
    timeout: 120_000,
  })
  await assertShows(page, [
    '\\today prints the date of each build',
    'main.tex:3',
    '2 files in the package',
    '1 file left out',
  ])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.click('text=Download tides-main-arxiv.zip'),
  ])
  const saved = join(host.deps.config.dataDir, 'tmp', 'saved.zip')
  await download.saveAs(saved)
  const files = unzipSync(await readFile(saved))
  const bob = await signIn('bob', { javaScriptEnabled: false })
  assert.deepEqual(
    [
      Object.keys(files),
      Buffer.from(files['main.tex'] ?? []).toString(),
      (await bob.goto(page.url()))?.status(),
      (await bob.goto(download.url()).catch(() => null))?.status(),
    ],
    [['00README.json', 'main.tex'], source.replace(' hidden', ''), 404, 404],
  )
})

test('the page of an export shows its progress and is accessible', options, async () => {
  const page = await signIn('alice', { javaScriptEnabled: true })
  await page.goto(`${host.origin}/alice/tides/export/main?for=journal`)
  const onForm = await findBarriers(page)
  await page.click('text=Create package')
  await page.waitForSelector('text=Verified: the package builds on its own and produces the same page.', {
    timeout: 120_000,
  })
  assert.deepEqual([onForm, await findBarriers(page)], [[], []])
})

test('the form of a refused export keeps its options', async () => {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name: 'alice', password })
  const path = '/alice/tides/export/main'
  const fields = {
    for: 'journal',
    notes: 'no',
    anonymous: 'yes',
    form_token: formTokenOf((await client.get(path)).text),
  }
  // A user has at most four exports at the same time.
  for (let count = 0; count < 4; count += 1) await client.post(path, fields)
  const refused = await client.post(path, fields)
  const checked = [...refused.text.matchAll(/name="(\w+)" value="\w+"\s+checked/g)].map(([, name]) => name)
  assert.deepEqual([refused.status, checked], [422, ['for', 'notes', 'anonymous']])
})
