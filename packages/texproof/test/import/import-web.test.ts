/** The import of an archive in a browser without script, with real git and real TeX. */
import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, test } from 'node:test'

import type { Browser, Page } from 'playwright-core'

import { openPendingUploads } from '../../src/web/import/pending-uploads.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { makeFolder } from '../support/make-folder.ts'
import { makeZip, type ZipEntry } from '../support/make-zip.ts'
import { findBarriers } from '../support/web/find-barriers.ts'
import { assertShows } from '../support/web/assert-shows.ts'
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
  await page.click('main .button')
}

/** Files of uploads on disk. */
async function listUploads(): Promise<readonly string[]> {
  return readdir(join(host.deps.config.dataDir, 'tmp', 'imports'))
}

test(
  'a user imports a zip file: content first, then the repository with its PDF, which is shared by link',
  options,
  async () => {
    const page = await signIn('alice')
    await page.goto(`${host.origin}/new`)
    await page.click('text=Import a zip, tar or LaTeX file')
    const [main, package_] = [{ name: 'paper/main.tex', data: source }, 'nosuchpackage']
    await upload(page, [
      main,
      {
        name: 'paper/draft.tex',
        data: `\\documentclass{article}\\usepackage{${package_}}\\begin{document}x\\end{document}`,
      },
      { name: 'paper/main.aux', data: '' },
      { name: '__MACOSX/paper/._main.tex', data: '' },
      { name: 'paper/Main.bib', data: '' },
      { name: 'paper/main.bib', data: '' },
    ])
    await assertShows(page, [
      '4 files',
      'main.bib: Windows and macOS do not distinguish it from "Main.bib"',
      'The top-level folder paper is removed.',
      'main.tex, pdfLaTeX: named main.tex',
      'nosuchpackage: no known package',
      'paper/main.aux: written by LaTeX at every compile',
      '__MACOSX/paper/._main.tex: file of the operating system',
    ])
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
    await page.goto(`${host.origin}/alice/My-Tides/settings/share`)
    await page.click('text=Create link')
    const reader = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await reader.goto(await page.inputValue('#made'))
    const href = (await reader.getByRole('link', { name: 'Download' }).getAttribute('href')) ?? ''
    const pdf = await reader.request.get(host.origin + href)
    assert.deepEqual([pdf.status(), (await pdf.body()).toString('latin1', 0, 5)], [200, '%PDF-'])
  },
)

test('a folder is imported with the rules of an archive, even without JavaScript', options, async (context) => {
  const folder = join(await makeFolder(context), 'My Waves')
  const files = {
    'main.tex': source,
    'parts/wave height.tex': 'x',
    'main.log': '',
    '.git/config': '[core]\n',
    '.DS_Store': 'Bud1',
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  const page = await signIn('alice')
  await page.goto(`${host.origin}/import`)
  await page.setInputFiles('#folder', folder)
  await page.click('main .button')
  await assertShows(page, [
    '2 files',
    'The top-level folder My Waves is removed.',
    'My Waves/main.log: written by LaTeX at every compile',
    'My Waves/.git/config: git data of another repository',
    'My Waves/.DS_Store: file of the operating system',
  ])
  await page.click('text=Create repository')
  await page.waitForURL(`${host.origin}/alice/My-Waves`)
  const repository = await host.deps.store.repositories.findByName('alice', 'My-Waves')
  assert.ok(repository)
  const [branch] = await host.deps.git.listBranches(repository.id)
  const tree = await host.deps.git.listFiles(repository.id, branch?.commitId ?? '', { maxFiles: 10 })
  assert.deepEqual(
    tree?.map(({ path }) => path),
    ['main.tex', 'parts/wave height.tex'],
  )
})

test('files of a folder cannot lead out of it, and several files are one paper', options, async () => {
  const page = await signIn('alice')
  const send = async (names: readonly string[]): Promise<string> => {
    await page.goto(`${host.origin}/import`)
    const data = names.map((name) => ({ name, mimeType: 'text/x-tex', buffer: Buffer.from(source) }))
    await page.setInputFiles('#archive', data)
    await page.click('main .button')
    return page.innerText('main')
  }
  const shown = [await send(['main.tex', 'references.bib']), await send(['../main.tex', 'references.bib'])]
  assert.match(shown[0] ?? '', /2 files[^]*main\.tex, pdfLaTeX: named main\.tex/)
  assert.match(shown[1] ?? '', /The name "\.\.\/main\.tex" points outside the archive/)
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
    ['The name "../main.tex" points outside the archive. Create the archive again without "..".', before],
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

test('the primary action of an uploaded paper creates its repository', options, async () => {
  const page = await signIn('alice')
  await upload(page, [{ name: 'main.tex', data: source }])
  assert.deepEqual(await page.locator('main .button').allInnerTexts(), ['Create repository'])
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

test('openPendingUploads() removes expired uploads, and keeps uploads of other servers', async (context) => {
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
      found: { kind: 'none', near: null },
      packages: [],
    },
  } as const
  const folder = join(dataDir, 'tmp', 'imports')
  const other = openPendingUploads(dataDir)
  const otherId = await other.add({ id: 1, userId: 'alice' }, { fileName: 'a.tex', bytes: Buffer.from('a') }, upload)
  const next = openPendingUploads(dataDir, { keptMs: 1 })
  const id = await next.add({ id: 1, userId: 'alice' }, { fileName: 'b.tex', bytes: Buffer.from('b') }, upload)
  while ((await readdir(folder)).includes(id ?? '')) await sleep(5)
  assert.deepEqual([await readdir(folder), next.find(1, id ?? '')], [[otherId], null])
})
