import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'

const README = '# Tides\n\nSee<script>alert(1)</script> [the introduction](sections/intro.tex).\n'
const FILES = {
  'main.tex': '\\documentclass{article}\n\\begin{document}\n\\input{sections/intro}\n\\end{document}\n',
  'sections/intro.tex': 'The tide rises.\n',
  'README.md': README,
  'odd name <b>.txt': '<script>alert(1)</script>\n',
  'page.html': '<script>alert(1)</script>\n',
  'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>\n',
}

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let bob: Awaited<ReturnType<PaperHost['addUser']>>
let checkout: Checkout
let commitId: string

before(async () => {
  host = await openPaperHost()
  alice = await host.addUser('alice')
  bob = await host.addUser('bob')
  await host.addRepository(alice.user, 'tides')
  await host.addRepository(alice.user, 'draft', 'private')
  await host.addRepository(alice.user, 'empty')
  await host.addRepository(alice.user, 'hostile')
  checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', alice.token), FILES)
  commitId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('tag', 'v1')
  await checkout.git('push', 'origin', 'main', 'main:refs/heads/feature/a', 'v1')
  await checkout.git('push', host.gitUrl('alice/draft.git', alice.token), 'main', 'main:refs/heads/feature/a', 'v1')
})

after(() => host.close())

function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(host.origin + path, { headers, redirect: 'manual' })
}

const PAGES = [
  '',
  '/tree/main/sections',
  '/tree/feature/a/sections',
  '/tree/v1',
  '/blob/main/main.tex',
  '/blob/feature/a/sections/intro.tex',
  '/raw/main/main.tex',
  '/pdf/main',
  '/pdf/main.pdf',
  '/pdf/feature/a.pdf',
  '/pdf/v1.pdf',
  '/builds',
  '/builds/1',
  '/builds/1/logs/1',
]

test('every page of a public repository opens without a token', async () => {
  const paths = [...PAGES, `/tree/${commitId}`, `/pdf/${commitId}.pdf`]
  const statuses = await Promise.all(paths.map(async (path) => (await get(`/alice/tides${path}`)).status))
  assert.deepEqual(
    statuses,
    paths.map(() => 200),
  )
})

test('every page of a private repository looks missing', async () => {
  const viewers = [{}, { authorization: `Bearer ${bob.token}` }]
  const paths = [...PAGES, `/tree/${commitId}`, `/pdf/${commitId}.pdf`]
  for (const headers of viewers) {
    for (const path of paths) {
      const hidden = await describe(await get(`/alice/draft${path}`, headers))
      const missing = await describe(await get(`/alice/nothing${path}`, headers))
      assert.deepEqual([hidden, hidden.status], [missing, 404])
    }
  }
})

/** Everything in a response except its request id and date. */
async function describe(response: Response): Promise<{ status: number; headers: string[]; body: string }> {
  const headers = [...response.headers].filter(([name]) => name !== 'x-service-request-id' && name !== 'date')
  return { status: response.status, headers: headers.map((header) => header.join(': ')), body: await response.text() }
}

test('a private PDF opens with a token in Bearer or Basic authentication', async () => {
  const basic = `Basic ${Buffer.from(`alice:${alice.token}`).toString('base64')}`
  const answers = [
    await get('/alice/draft/pdf/main.pdf', { authorization: `Bearer ${alice.token}` }),
    await get('/alice/draft/pdf/main.pdf', { authorization: basic }),
  ]
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get('cache-control')]),
    [
      [200, 'private, no-cache'],
      [200, 'private, no-cache'],
    ],
  )
})

test('an unknown token is rejected, even if none is required', async () => {
  const answer = await get('/alice/tides', { authorization: 'Bearer pst_wrong' })
  assert.deepEqual(
    [answer.status, answer.headers.get('www-authenticate')],
    [401, 'Basic realm="Texproof", charset="UTF-8"'],
  )
})

test('the PDF of a branch is revalidated, the PDF of a commit is cached forever', async () => {
  const branch = await get('/alice/tides/pdf/main.pdf')
  const commit = await get(`/alice/tides/pdf/${commitId}.pdf`)
  const again = await get('/alice/tides/pdf/main.pdf', { 'if-none-match': branch.headers.get('etag') ?? '' })
  const since = { 'if-modified-since': branch.headers.get('last-modified') ?? '' }
  const unmodified = await get('/alice/tides/pdf/main.pdf', since)
  assert.deepEqual([unmodified.status, unmodified.headers.get('etag')], [304, branch.headers.get('etag')])
  assert.deepEqual(
    [branch.headers.get('cache-control'), commit.headers.get('cache-control'), again.status, await again.text()],
    ['public, no-cache', 'private, max-age=31536000, immutable', 304, ''],
  )
  assert.equal(commit.headers.get('content-disposition'), `inline; filename="tides-${commitId.slice(0, 10)}.pdf"`)
})

test('GET /{owner}/{repo}/pdf/{branch}.pdf sends ranges', async () => {
  const whole = Buffer.from(await (await get('/alice/tides/pdf/main.pdf')).arrayBuffer())
  const part = await get('/alice/tides/pdf/main.pdf', { range: 'bytes=5-14' })
  const stale = await get('/alice/tides/pdf/main.pdf', { range: 'bytes=5-14', 'if-range': '"old"' })
  const beyond = await get('/alice/tides/pdf/main.pdf', { range: 'bytes=99999999-' })
  assert.deepEqual(
    [
      part.status,
      part.headers.get('content-range'),
      Buffer.from(await part.arrayBuffer()),
      stale.status,
      beyond.status,
    ],
    [206, `bytes 5-14/${whole.length}`, whole.subarray(5, 15), 200, 416],
  )
})

test('HEAD of a PDF returns its headers only', async () => {
  const head = await fetch(`${host.origin}/alice/tides/pdf/main.pdf`, { method: 'HEAD' })
  const whole = await get('/alice/tides/pdf/main.pdf')
  const { byteLength } = await whole.arrayBuffer()
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, String(byteLength), ''])
})

test('pages run scripts of this host only and load nothing from other hosts', async () => {
  const answer = await get('/alice/tides')
  const body = await answer.text()
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'; /)
  assert.deepEqual(body.match(/<script>|\son\w+=|\sstyle=|https?:\/\/(?!127\.0\.0\.1)/g), null)
})

test('README is rendered without its script, and its links lead into the tree', async () => {
  const body = await (await get('/alice/tides')).text()
  assert.match(
    body,
    /<h2 id="user-content-tides">Tides<\/h2>\s*<p>See <a href="\/alice\/tides\/blob\/main\/sections\/intro\.tex">the introduction<\/a>/,
  )
})

test('names and contents of files are shown as text', async () => {
  const folder = await (await get('/alice/tides/tree/main')).text()
  const file = await (await get('/alice/tides/blob/main/odd%20name%20%3Cb%3E.txt')).text()
  assert.deepEqual(
    [
      folder.includes('<b>'),
      folder.includes('odd name &lt;b&gt;.txt'),
      file.includes('&lt;script&gt;alert(1)&lt;/script&gt;'),
    ],
    [false, true, true],
  )
})

test('a branch with a malicious name is shown as text wherever it appears', async () => {
  const name = '<img/src=x/onerror=alert(1)>"&'
  await checkout.git('push', host.gitUrl('alice/hostile.git', alice.token), `main:refs/heads/${name}`)
  const address = name.split('/').map(encodeURIComponent).join('/')
  const pages = await Promise.all(
    ['', '/builds', '/builds/1', `/tree/${address}`, `/pdf/${address}`].map((path) => get(`/alice/hostile${path}`)),
  )
  const bodies = await Promise.all(pages.map((page) => page.text()))
  assert.deepEqual(
    [
      pages.map(({ status }) => status),
      bodies.map((body) => body.includes('<img/')),
      bodies.map((body) => body.includes('&lt;img/src')),
    ],
    [pages.map(() => 200), pages.map(() => false), pages.map(() => true)],
  )
})

test('raw files never run on this origin', async () => {
  const answers = await Promise.all(
    ['page.html', 'drawing.svg', 'main.tex'].map((path) => get(`/alice/tides/raw/main/${path}`)),
  )
  assert.deepEqual(
    answers.map(({ headers }) => [
      headers.get('content-type'),
      headers.get('x-content-type-options'),
      headers.get('content-security-policy')?.endsWith('sandbox'),
    ]),
    [
      ['text/plain; charset=utf-8', 'nosniff', true],
      ['image/svg+xml', 'nosniff', true],
      ['text/plain; charset=utf-8', 'nosniff', true],
    ],
  )
})

test('a tag with the name of a branch does not hide the branch', async () => {
  const later = await checkout.commit({ 'sections/intro.tex': 'The tide falls.\n' })
  await checkout.git('push', 'origin', 'main')
  await checkout.git('tag', 'main', 'HEAD~1')
  await checkout.git('push', 'origin', 'refs/tags/main')
  const source = await (await get('/alice/tides/raw/main/sections/intro.tex')).text()
  const pdf = await get('/alice/tides/pdf/main.pdf')
  assert.deepEqual([source, pdf.headers.get('x-texproof-commit')], ['The tide falls.\n', later])
})

test('a repository of tags only is not called empty', async () => {
  await host.addRepository(alice.user, 'tags-only')
  await checkout.git('push', host.gitUrl('alice/tags-only.git', alice.token), 'v1')
  const body = await (await get('/alice/tags-only')).text()
  const [, heading, note] = /<section class="empty">\s*<h2>([^<]*)<\/h2>\s*<p[^>]*>([^<]*)<\/p>/.exec(body) ?? []
  assert.deepEqual([heading, note], ['This repository has no branches', 'Only tags have been pushed yet.'])
})

test('an empty repository shows anonymous viewers no push commands', async () => {
  const body = await (await get('/alice/empty')).text()
  assert.deepEqual([body.includes('Nothing has been pushed yet.'), body.includes('git push')], [true, false])
})

test('every missing address answers with the same 404', async () => {
  const paths = [
    '/nobody',
    '/alice/nothing',
    '/alice/tides/wiki',
    '/alice/tides/builds/99',
    '/alice/tides/builds/x',
    '/assets/x.css',
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status))
  assert.deepEqual(
    statuses,
    paths.map(() => 404),
  )
})

test('malicious paths answer 404 and do not harm the server', async () => {
  const paths = [
    '/alice/tides/blob/main/../../../etc/passwd',
    '/alice/tides/raw/main/%2e%2e/%2e%2e/config',
    '/alice/tides/raw/main/a%00b',
    '/alice/tides/tree/main%0Amain',
    '/alice/tides/blob/-x/main.tex',
    '/alice/tides/pdf/--output=x.pdf',
    '/alice/%2e%2e/tree/main',
    '/alice/tides/tree/HEAD',
    '/alice/tides/tree/main~1',
    '/alice/tides/tree/refs/heads/main',
    '/alice/tides/raw/main/%E0%A4%A',
  ]
  const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status))
  assert.deepEqual(
    statuses,
    paths.map(() => 404),
  )
})

test('the clone address redirects a browser to the page', async () => {
  const answer = await get('/alice/tides.git')
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/alice/tides'])
})
