import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Browser } from 'playwright-core'

import { makeTiff } from '../../../platex/test/support/make-tiff.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'

const eps = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 40 20\n0 0 moveto 40 20 lineto stroke\nshowpage\n'

/** A PDF of two empty pages; readers rebuild the missing table of objects. */
const twoPages = `%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 40 20]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R>> endobj
4 0 obj <</Type /Page /Parent 2 0 R>> endobj
trailer <</Root 1 0 R /Size 5>>
`

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let browser: Browser | null = null

before(async () => {
  host = await openPaperHost(withoutBuilds)
  alice = await host.addUser('alice')
  const { user, token } = alice
  await host.addRepository(user, 'tides')
  await host.addRepository(user, 'draft', 'private')
  const work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'figures/sea map.eps': eps })
  await writeFile(join(work.dir, 'gauge.tif'), makeTiff(40, 20))
  await work.commit({ 'damaged.eps': 'no figure', 'two.pdf': twoPages, 'notes.txt': 'None.\n' })
  await work.git('push', 'origin', 'main')
  await work.git('push', host.gitUrl('alice/draft.git', token), 'main')
  if (withoutBrowser === false) browser = await openBrowser()
})
after(async () => {
  await browser?.close()
  await host.close()
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${host.origin}${path}`, { headers, redirect: 'manual' })

test('an EPS and a TIFF figure are sent as PNG, once for each content', async () => {
  const paths = ['figures/sea%20map.eps', 'gauge.tif'].map((path) => `/alice/tides/figure/main/${path}`)
  const responses = await Promise.all(paths.map((path) => get(path)))
  const starts = await Promise.all(
    responses.map(async (response) => Buffer.from(await response.arrayBuffer()).toString('latin1', 1, 4)),
  )
  const etag = responses[0]?.headers.get('etag') ?? ''
  const again = await get(paths[0] ?? '', { 'if-none-match': etag })
  assert.deepEqual(
    [responses.map(({ status, headers }) => [status, headers.get('content-type')]), starts, again.status],
    [
      [
        [200, 'image/png'],
        [200, 'image/png'],
      ],
      ['PNG', 'PNG'],
      304,
    ],
  )
})

test('a figure that cannot be drawn says why, and other files have no image', async () => {
  const damaged = await get('/alice/tides/figure/main/damaged.eps')
  const notes = await get('/alice/tides/figure/main/notes.txt')
  assert.deepEqual([damaged.status, notes.status], [404, 404])
  assert.match(await damaged.text(), /No preview: Ghostscript \(gs\) failed/)
})

test('a figure of a user who waits for too many of them can be requested again later', async () => {
  const { user, token } = alice
  const freed = Promise.withResolvers<null>()
  const waiting = Array.from(
    { length: 21 },
    (_, index) =>
      host.deps.papers
        .findFigure({
          objectId: index.toString(16).padStart(40, 'f'),
          kind: 'eps',
          ownerId: user.id,
          requesterId: user.id,
          read: () => freed.promise,
        })
        .catch(() => null), // The last one, if a figure of an earlier test is still being drawn.
  )
  const headers = { authorization: `Bearer ${token}` }
  const image = await get('/alice/draft/figure/main/two.pdf', headers)
  const page = await get('/alice/draft/blob/main/two.pdf', headers)
  freed.resolve(null)
  await Promise.all(waiting)
  assert.deepEqual([image.status, image.headers.get('retry-after'), page.status], [429, '5', 200])
  assert.match(readText(await page.text()), /Too many previews are being generated\. Reload the page in a moment\./)
})

test('the figure of a private repository is hidden from everyone else', async () => {
  const [hidden, missing] = await Promise.all([
    get('/alice/draft/figure/main/gauge.tif'),
    get('/alice/absent/figure/main/gauge.tif'),
  ])
  assert.deepEqual(
    [hidden.status, hidden.headers.get('location')?.split('?')[0]],
    [missing.status, missing.headers.get('location')?.split('?')[0]],
  )
  assert.notEqual(hidden.status, 200)
})

/** The main part of a page without its markup. */
async function readMain(path: string): Promise<string> {
  return readText(await (await get(path)).text())
}

function readText(body: string): string {
  return body
    .replace(/^[\s\S]*<main[^>]*>/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

test('the page of an EPS figure shows its image, and its source on request', { skip: withoutBrowser }, async () => {
  assert.ok(browser)
  const page = await browser.newPage()
  await page.goto(`${host.origin}/alice/tides/blob/main/figures/sea%20map.eps`)
  const image = page.getByRole('img', { name: 'figures/sea map.eps' })
  const width = await image.evaluate((element) => Reflect.get(element, 'naturalWidth') as number)
  await page.getByRole('link', { name: 'Source', exact: true }).click()
  await page.getByText('%%BoundingBox: 0 0 40 20').waitFor()
  assert.equal(width, 1240)
  await page.close()
})

test('the page of a damaged figure names the reason and offers the file', async () => {
  assert.match(
    await readMain('/alice/tides/blob/main/damaged.eps'),
    /No preview: Ghostscript \(gs\) failed \(exit code 1\): Error: [^.]+\. Download the file/,
  )
})

test('the page of a PDF shows its first page and the number of pages, even from the cache', async () => {
  const texts = [await readMain('/alice/tides/blob/main/two.pdf'), await readMain('/alice/tides/blob/main/two.pdf')]
  assert.deepEqual(
    texts.map((text) => /Page 1 of \d+\. Open the PDF/.exec(text)?.[0]),
    ['Page 1 of 2. Open the PDF', 'Page 1 of 2. Open the PDF'],
  )
})
