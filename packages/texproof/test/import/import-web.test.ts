/** The import of an archive in a browser without script, with real git and real TeX. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openPendingUploads } from '../../src/web/import/pending-uploads.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { makeFolder } from '../support/make-folder.ts'
import { makeZip, type ZipEntry } from '../support/make-zip.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const password = 'nine trees by the river'
const options = { skip: withoutBrowser }
const source = String.raw`\documentclass{article}
\usepackage{amsmath}
\begin{document}
Tides
\end{document}
`

let host: PaperHost
let browser: Browser

before(async () => {
  host = await openPaperHost()
  for (const login of ['alice', 'bob']) await addTestUser(host.deps.store, { login, password })
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

async function signIn(login: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${host.origin}/login`)
  await page.fill('[name=name]', login)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.origin}/`)
  return page
}

async function upload(page: Page, entries: readonly ZipEntry[], name = 'My Tides.zip'): Promise<void> {
  await page.goto(`${host.origin}/import`)
  await page.setInputFiles('#archive', { name, mimeType: 'application/zip', buffer: makeZip(entries) })
  await page.click('text=Upload file')
}

/** Files of uploads on disk. */
async function listUploads(): Promise<readonly string[]> {
  return readdir(join(host.deps.config.dataDir, 'tmp', 'imports'))
}

test('a user imports a zip file: content first, then the repository with its PDF', options, async () => {
  const page = await signIn('alice')
  await page.goto(`${host.origin}/new`)
  await page.click('text=Import a paper')
  const [main, package_] = [{ name: 'paper/main.tex', data: source }, 'nosuchpackage']
  await upload(page, [
    main,
    {
      name: 'paper/draft.tex',
      data: `\\documentclass{article}\\usepackage{${package_}}\\begin{document}x\\end{document}`,
    },
    { name: 'paper/main.aux', data: '' },
    { name: '__MACOSX/paper/._main.tex', data: '' },
  ])
  const shown = await page.innerText('main')
  for (const expected of [
    '2 files',
    'The folder paper around them is left out.',
    'main.tex, pdfLaTeX: it is called main.tex',
    'nosuchpackage: no known package',
    'paper/main.aux: written by LaTeX at every compile',
    '__MACOSX/paper/._main.tex: file of the operating system',
  ])
    assert.ok(shown.includes(expected), `${expected} in ${shown}`)
  const before = await host.deps.store.repositories.findByName('alice', 'My-Tides')
  assert.equal(await page.inputValue('#name'), 'My-Tides')
  await page.click('text=Create repository')
  await page.waitForURL(`${host.origin}/alice/My-Tides`)
  const repository = await host.deps.store.repositories.findByName('alice', 'My-Tides')
  assert.ok(repository)
  await host.whenBuilt(repository.id)
  const builds = await host.deps.store.builds.list(repository.id, { limit: 5, offset: 0 })
  assert.deepEqual(
    [before, builds.map(({ state }) => state).toSorted(), await listUploads()],
    [null, ['failed', 'succeeded'], []],
  )
})

test('the page with the content of an archive is accessible', options, async () => {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${host.origin}/login`)
  await page.fill('[name=name]', 'alice')
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(`${host.origin}/`)
  await upload(page, [
    { name: 'main.tex', data: source },
    { name: 'main.log', data: '' },
  ])
  assert.deepEqual(await findBarriers(page), [])
})

test('a refused archive is explained on the form and leaves no file', options, async () => {
  const page = await signIn('alice')
  const before = await listUploads()
  await upload(page, [{ name: '../main.tex', data: source }])
  assert.deepEqual(
    [await page.innerText('#archive-problem'), await listUploads()],
    ['The name "../main.tex" leads out of the archive. Create the archive again without "..".', before],
  )
})

test('an upload is visible only to the session that sent it, and can be deleted', options, async () => {
  const [alice, bob] = [await signIn('alice'), await signIn('bob')]
  await upload(alice, [{ name: 'main.tex', data: source }])
  const address = alice.url()
  const statuses = [(await bob.goto(address))?.status(), (await alice.goto(address))?.status()]
  const count = (await listUploads()).length
  await alice.click('text=Delete upload')
  await alice.waitForURL(`${host.origin}/import`)
  const gone = (await alice.goto(address))?.status()
  assert.deepEqual([statuses, gone, count - (await listUploads()).length], [[404, 200], 404, 1])
})

test('a name that is taken is reported on the page, and the upload stays', options, async () => {
  const page = await signIn('bob')
  await upload(page, [{ name: 'main.tex', data: source }], 'waves.zip')
  const address = page.url()
  await page.click('text=Create repository')
  await page.waitForURL(`${host.origin}/bob/waves`)
  await upload(page, [{ name: 'main.tex', data: source }], 'waves.zip')
  await page.click('text=Create repository')
  const problem = await page.innerText('#name-problem')
  await page.fill('#name', 'waves-2')
  await page.click('text=Create repository')
  await page.waitForURL(`${host.origin}/bob/waves-2`)
  assert.deepEqual(
    [problem, (await page.goto(address))?.status()],
    ['You already have a repository named waves. Choose another name.', 404],
  )
})

test('openPendingUploads() removes the uploads of an earlier process, and expired ones', async (context) => {
  const dataDir = await makeFolder(context)
  const upload = {
    fileName: 'a.tex',
    missing: [],
    summary: {
      kind: 'summary',
      fileCount: 1,
      byteCount: 1,
      topFolder: null,
      skipped: [],
      unportable: [],
      nestedArchives: [],
      found: { kind: 'none' },
      packages: [],
    },
  } as const
  const folder = join(dataDir, 'tmp', 'imports')
  await openPendingUploads(dataDir).add(1, Buffer.from('a'), upload)
  const left = await readdir(folder)
  const next = openPendingUploads(dataDir, { keptMs: 1 })
  const id = await next.add(1, Buffer.from('b'), upload)
  while ((await readdir(folder)).length > 0) await sleep(5)
  assert.deepEqual([left.length, next.find(1, id ?? '')], [1, null])
})
