import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const picture = 'P6 1 1 255\n\0\0\0'

const notebook = (source: string): string =>
  JSON.stringify({ nbformat: 4, metadata: {}, cells: [{ cell_type: 'code', source, execution_count: 7, outputs: [] }] })

let host: PaperHost
let checkout: Checkout
let first: string
let last: string

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  await host.addRepository(alice.user, 'notes')
  await host.addRepository(alice.user, 'hidden', 'private')
  await host.addRepository(alice.user, 'other')
  checkout = await host.makeCheckout(host.gitUrl('alice/notes.git', alice.token), {
    'src/plot one.py': 'def rise():\n    return 1  # the tide\n',
    'data.txt': 'a\nb\nc\n',
    'figure.png': picture,
    'notes.md': '# Tides\n\nThey *rise*.\n',
    'src/index.md': '[up](..) [top](/) [here](.) [apart](../../../tree/alone)\n',
    'two\nlines\u2028"x.txt': 'over two lines\n',
    'gauge.csv': 'hour,"height, m"\n1,0.5\n2,1.25\n',
    'refs.bib':
      '@string{jt = "Journal of Tides"}\n@article{adams24,\n  author = {Adams, Alice and Brown, Bob},\n  title = {The {North} Sea},\n  year = 2024,\n}\n@book{moon, title = "Moon & tide", date = {2019-05-01}}\n@book{moon, title = {Again}}\n',
    'large.ipynb': notebook('tide '.repeat(250_000)),
    'small.ipynb': notebook('high = 3.29'),
    'wrong.ipynb': 'no notebook\n',
    'long.txt': 'tide '.repeat(250_000),
    'tape.dat': `\0${'tide '.repeat(250_000)}`,
  })
  first = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.commit({ 'data.txt': `a\nB\nc\n${'row\n'.repeat(500)}` }, 'Measure again')
  await checkout.git('branch', 'draft/one')
  last = await checkout.commit(
    { 'figure.png': `${picture}\0`, 'src/plot one.py': 'def rise():\n    return  1  # the tide\n' },
    'Draw again',
  )
  await checkout.git('push', 'origin', 'main', 'draft/one', `${first}:refs/tags/v1`)
  await checkout.commit({ 'secret.txt': 'the tide of whispers\n' }, 'Whisper')
  await checkout.git('push', host.gitUrl('alice/hidden.git', alice.token), 'main')
  await checkout.git('checkout', '-q', '--orphan', 'alone')
  await checkout.commit({ 'alone.txt': 'alone\n' }, 'Begin anew')
  await checkout.git('push', 'origin', 'alone')
  await checkout.git('checkout', '-q', '-b', 'links', last)
  await symlink('figs/<b>.png', join(checkout.dir, 'fig.png'))
  await checkout.git('add', 'fig.png')
  await writeFile(
    Buffer.concat([Buffer.from(join(checkout.dir, 'r')), Buffer.of(0xe9, 0xe9), Buffer.from('é.txt')]),
    'in Latin-1\n',
  )
  await mkdir(join(checkout.dir, 'library'))
  await checkout.git('update-index', '--add', '--cacheinfo', `160000,${first},library`)
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`
  await checkout.commit({ 'figs/lfs.pdf': pointer }, 'Refer')
  await checkout.commit({ 'tide.svg': '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>\n' }, 'Link')
  await checkout.git('push', 'origin', 'links')
})

after(() => host.close())

async function open(path: string): Promise<readonly [status: number, body: string]> {
  const response = await fetch(host.origin + path)
  return [response.status, await response.text()]
}

/** The text of a page, without the options of its pickers, which list recent commits. */
async function read(path: string): Promise<string> {
  const [status, body] = await open(path)
  assert.equal(status, 200, path)
  return body
    .replace(/^[\s\S]*<main[^>]*>/, '')
    .replaceAll(/<select[\s\S]*?<\/select>/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

test('the title of a page names its branch, tag or commit, except for the default branch', async () => {
  const paths = [
    '',
    '/tree/main/src',
    '/tree/v1',
    `/blob/${first}/data.txt`,
    '/blame/draft/one/data.txt',
    '/commits/v1',
  ]
  const pages = await Promise.all(paths.map((path) => open(`/alice/notes${path}`)))
  assert.deepEqual(
    pages.map(([, body]) => /<title>([^]*?)<\/title>/.exec(body)?.[1]),
    [
      'alice/notes · Texproof',
      'alice/notes: src · Texproof',
      'alice/notes @ v1 · Texproof',
      `data.txt · alice/notes @ ${first.slice(0, 10)} · Texproof`,
      'Blame of data.txt · alice/notes @ draft/one · Texproof',
      'Commits · alice/notes @ v1 · Texproof',
    ],
  )
})

test('a source file is highlighted by its language', async () => {
  // The first request does not wait for highlighting.
  await eventually(async () => (await open('/alice/notes/blob/main/src/plot%20one.py'))[1], {
    until: (body) => body.includes('<b>def</b>'),
  })
})

test('large pages and the style sheet are sent compressed', async () => {
  const path = '/alice/notes/blob/main/data.txt'
  const page = await open(path)
  const style = /href="(\/assets\/[^"]+\.css)"/.exec(page[1])?.[1] ?? ''
  const encodings = await Promise.all(
    [path, style].flatMap((target) =>
      ['gzip, br', 'identity'].map(async (encoding) => {
        const answer = await sendRequest(host.origin, { target, headers: { 'accept-encoding': encoding } })
        return answer.headers['content-encoding'] ?? null
      }),
    ),
  )
  assert.deepEqual(encodings, ['gzip', null, 'gzip', null])
})

test('HEAD has the length and the encoding of GET', async () => {
  const style = /href="(\/assets\/[^"]+\.css)"/.exec((await open('/docs'))[1])?.[1] ?? ''
  for (const target of ['/docs', '/nobody', style, '/alice/notes/raw/main/data.txt'])
    for (const encoding of ['gzip', 'identity']) {
      const [head, get] = await Promise.all(
        ['HEAD', 'GET'].map(async (method) => {
          const { status, headers } = await sendRequest(host.origin, {
            method,
            target,
            headers: { 'accept-encoding': encoding },
          })
          return [status, headers['content-length'], headers['content-encoding']]
        }),
      )
      assert.deepEqual(head, get, `${target} ${encoding}`)
      assert.ok(Number(get?.[1]) > 0, target)
    }
})

test('Markdown is rendered, and shown as source on request', async () => {
  const [, prose] = await open('/alice/notes/blob/main/notes.md')
  const [, lines] = await open('/alice/notes/blob/main/notes.md?view=source')
  assert.deepEqual([/<h2 id="user-content-tides">Tides<\/h2>/.test(prose), /id=L3>.*They/.test(lines)], [true, true])
  const [, found] = await open('/alice/notes/search?q=they')
  assert.match(found, /notes\.md\?view=source#L3/)
})

test('links of Markdown to folders open them, even to the root folder', async () => {
  const [, prose] = await open('/alice/notes/blob/draft/one/src/index.md')
  const links = [...prose.matchAll(/<a href="(\/alice\/notes\/blob\/[^"]*)">(up|top|here)</g)]
  const opened = links.map(async ([, href = '', name]) => {
    const { status, url } = await fetch(host.origin + href)
    return [name, status, new URL(url).pathname]
  })
  assert.deepEqual(await Promise.all(opened), [
    ['up', 200, '/alice/notes/tree/draft/one'],
    ['top', 200, '/alice/notes/tree/draft/one'],
    ['here', 200, '/alice/notes/tree/draft/one/src'],
  ])
})

test('links of Markdown out of the tree lead to pages of the repository, even on a branch with a slash', async () => {
  const pages = ['blob/main/src/index.md', 'blob/draft/one/src/index.md']
  const texts = await Promise.all(pages.map((page) => open(`/alice/notes/${page}`)))
  assert.deepEqual(
    texts.map(([, text]) => /<a href="([^"]*)"[^>]*>apart</.exec(text)?.[1]),
    ['/alice/notes/tree/alone', '/alice/notes/tree/alone'],
  )
})

test('the address of a folder redirects to the file of that path, if there is one', async () => {
  const client = openWebClient(host.origin)
  const paths = ['main/src/plot%20one.py', 'draft/one/data.txt', 'links/fig.png', 'main/none.txt', 'main/data.txt/none']
  const answers = await Promise.all(paths.map((path) => client.get(`/alice/notes/tree/${path}`)))
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.location]),
    [
      [302, '/alice/notes/blob/main/src/plot%20one.py'],
      [302, '/alice/notes/blob/draft/one/data.txt'],
      [302, '/alice/notes/blob/links/fig.png'],
      [404, undefined],
      [404, undefined],
    ],
  )
})

test('CSV files are shown as tables', async () => {
  const [, body] = await open('/alice/notes/blob/main/gauge.csv')
  assert.match(body, /<th scope="col">height, m<\/th>/)
  assert.deepEqual(
    [...body.matchAll(/class="numeric">([^<]+)</g)].map(([, value]) => value),
    ['1', '0.5', '2', '1.25'],
  )
})

test('bibliographies are shown as a list of entries, with an anchor and the source line of each', async () => {
  const [, body] = await open('/alice/notes/blob/main/refs.bib')
  assert.deepEqual(
    [...body.matchAll(/<li( id="[^"]*")?\s*>([^]*?)<\/li>/g)]
      .filter(([, , entry = '']) => entry.includes('entry-title'))
      .map(
        ([, id = '', entry = '']) =>
          `${id}: ${entry
            .replaceAll(/<[^>]+>/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim()}`,
      ),
    [
      ' id="entry-adams24": The North Sea Adams and Brown, 2024 · adams24 · Line 2',
      ' id="entry-moon": Moon &amp; tide No author, 2019 · moon · Line 7',
      ': Again No author · moon · Line 8 ✕ duplicate key',
    ],
  )
  assert.match(body, /href="\?view=source#L7"/)
  const [, lines] = await open('/alice/notes/blob/main/refs.bib?view=source')
  assert.match(lines, /id=L7>/)
})

test('notebooks are shown as cells, and as source on request', async () => {
  const cells = await read('/alice/notes/blob/main/small.ipynb')
  const lines = await read('/alice/notes/blob/main/small.ipynb?view=source')
  assert.deepEqual(
    [/Source .* Code cell \[7\] high = 3\.29/.test(cells), /Notebook .*nbformat.*execution_count/.test(lines)],
    [true, true],
  )
})

test('a notebook of more than 1 MB is shown as cells, its source only raw', async () => {
  assert.match(await read('/alice/notes/blob/main/large.ipynb'), /Code cell \[7\] tide tide/)
  assert.match(await read('/alice/notes/blob/main/large.ipynb?view=source'), /too large to show here\. Open it raw\./)
})

test('a file that is not a notebook, but named like one, is shown as source', async () => {
  assert.match(
    await read('/alice/notes/blob/main/wrong.ipynb'),
    /cannot be shown as a notebook: it is invalid, or takes too long to read\. Showing the source\. 1 no notebook/,
  )
})

test('a folder shows the last commit of each entry', async () => {
  // A page that is opened while git still searches omits them.
  const text = await eventually(() => read('/alice/notes'), { until: (page) => page.includes('Measure again') })
  assert.match(text, /data\.txt Measure again .* figure\.png Draw again/)
  assert.match(text, /src\/ Draw again/)
})

test('a file shows its last commit and its size', async () => {
  assert.match(await read('/alice/notes/blob/main/data.txt'), /Measure again .* 2 kB/)
})

test('the history of a file contains exactly the commits that changed it', async () => {
  const text = await read('/alice/notes/commits/main/data.txt')
  assert.deepEqual([text.includes('Measure again'), text.includes('Draw again')], [true, false])
})

test('a path without commits has an empty history', async () => {
  assert.equal((await open('/alice/notes/commits/main/nothing.txt'))[0], 404)
})

test('blame shows commit and author of each line, with a link to the version before', async () => {
  const [, body] = await open('/alice/notes/blame/main/data.txt')
  const earlier = body.match(/href="([^"]+)"\s+aria-label="Previous version, before/)?.[1]
  assert.equal(earlier, `/alice/notes/blame/${first}/data.txt`)
  assert.match(await read('/alice/notes/blame/main/data.txt'), /Write .* 1 a Measure again .* 2 B/)
})

test('a file whose name has line breaks opens', async () => {
  const name = encodeURIComponent('two\nlines\u2028"x.txt')
  const views = ['blob', 'raw', 'blame', 'commits']
  const answers = await Promise.all(views.map((view) => open(`/alice/notes/${view}/main/${name}`)))
  assert.deepEqual(
    answers.map(([status, body]) => [status, body.includes('over two lines')]),
    [
      [200, true],
      [200, true],
      [200, true],
      [200, false],
    ],
  )
})

test('a file whose name is not UTF-8 opens, also at its address on other hosts', async () => {
  const views = ['blob', 'raw', 'blame', 'commits']
  const addresses = views.map((view) => `/alice/notes/${view}/links/r%EF%BF%BD%EF%BF%BD%C3%A9.txt`)
  const answers = await Promise.all(addresses.map(open))
  assert.deepEqual(
    answers.map(([status, body]) => [status, body.includes('in Latin-1'), body.includes('is not valid UTF-8')]),
    [
      [200, true, false],
      [200, true, false],
      [200, false, true],
      [200, false, false],
    ],
  )
  const redirected = await fetch(`${host.origin}/alice/notes/raw/links/r%E9%e9%C3%A9.txt?a=%E9`, { redirect: 'manual' })
  assert.deepEqual([redirected.status, redirected.headers.get('location')], [302, `${addresses[1]}?a=%E9`])
})

test('a Git LFS pointer is explained, whatever its extension, and its lines are shown', async () => {
  const text = await read('/alice/notes/blob/links/figs/lfs.pdf')
  assert.match(
    text,
    /This file is a Git LFS pointer: its contents are not in the repository\. Commit the file itself\./,
  )
  assert.match(text, /3 size 12345/)
})

test('the address of a submodule says that its files are elsewhere', async () => {
  const views = ['tree', 'blob', 'blame']
  const answers = await Promise.all(views.map((view) => open(`/alice/notes/${view}/links/library`)))
  const reason = 'library is a submodule: its files are in another repository.'
  assert.deepEqual(
    answers.map(([status, body]) => [status, body.includes(reason)]),
    views.map(() => [404, true]),
  )
})

test('blame of a file that is too large says so', async () => {
  assert.match(await read('/alice/notes/blame/main/long.txt'), /This file is too large to show here\./)
})

test('blame of a folder, of a missing file and of a branch that does not exist is 404', async () => {
  const paths = ['main/src', 'main/nothing', 'nowhere/data.txt']
  assert.deepEqual(
    await Promise.all(paths.map(async (path) => (await open(`/alice/notes/blame/${path}`))[0])),
    [404, 404, 404],
  )
})

test('a long file of a diff is folded, with a link to the file alone', async () => {
  const commit = `/alice/notes/compare/v1...draft/one`
  assert.match(
    await read(commit),
    /1 file changed, \+501 &#8722;1 .* Large diffs are not shown by default\. Show the diff of data\.txt/,
  )
  const [, body] = await open(`${commit}?file=data.txt`)
  assert.equal(body.match(/class="added"/g)?.length, 501)
})

test('a changed image is shown next to its old version', async () => {
  const [, body] = await open(`/alice/notes/commit/${last}`)
  const sources = [...body.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src?.replace(/[0-9a-f]{40}/, 'ID'))
  assert.deepEqual(sources, ['/alice/notes/raw/ID/figure.png', '/alice/notes/raw/ID/figure.png'])
})

test('whitespace changes can be hidden', async () => {
  const path = `/alice/notes/commit/${last}`
  const [all, some] = [await read(path), await read(`${path}?space=ignore`)]
  assert.deepEqual([all.includes('return 1'), some.includes('return 1')], [true, false])
})

test('a diff can be shown side by side', async () => {
  const [, body] = await open(`/alice/notes/commit/${last}?view=split`)
  assert.match(body, /class="code patch split"/)
})

test('a comparison shows the commits and changes of one side', async () => {
  const text = await read('/alice/notes/compare/draft/one...main')
  assert.match(text, /1 commit not in draft\/one/)
  assert.deepEqual([text.includes('Draw again'), text.includes('Measure again')], [true, false])
})

test('a comparison shortens commit ids', async () => {
  const text = await read(`/alice/notes/compare/${first}...main`)
  assert.equal(/commits? not in ([0-9a-f]+)/.exec(text)?.[1], first.slice(0, 7))
})

test('comparing says so if there is nothing to compare', async () => {
  assert.match(await read('/alice/notes/compare/main...draft/one'), /main contains all commits of draft\/one/)
  assert.match(await read('/alice/notes/compare/main...main'), /are the same commit/)
  assert.match(await read('/alice/notes/compare/main...alone'), /have no common commit/)
})

test('comparing with a name that does not exist is 404 and says which', async () => {
  const [status, body] = await open('/alice/notes/compare/main...nowhere')
  assert.deepEqual([status, body.includes('nowhere')], [404, true])
})

test('the comparison form redirects to the comparison', async () => {
  const response = await fetch(`${host.origin}/alice/notes/compare?base=v1&head=draft/one`, { redirect: 'manual' })
  assert.deepEqual([response.status, response.headers.get('location')], [303, '/alice/notes/compare/v1...draft/one'])
})

test('a file is found by letters of its path in order', async () => {
  const text = await read('/alice/notes/find/main?q=srplo')
  assert.deepEqual([text.includes('src/plot one.py'), text.includes('data.txt')], [true, false])
})

test('a search in a branch highlights its matches', async () => {
  const [, body] = await open('/alice/notes/search?q=the%20TIDE'.toLowerCase())
  assert.match(body, /plot%20one\.py#L2">2<\/a>/)
  assert.match(body, /<mark>the tide<\/mark>/)
})

test('a search with a capital letter is case-sensitive', async () => {
  assert.match(await read('/alice/notes/search?q=The+tide'), /No file on main contains/)
})

test('a query that is cut inside a character is searched', async () => {
  const query = encodeURIComponent(`${'a'.repeat(199)}😀`)
  const paths = ['/search?', '/search?in=files&', '/alice/notes/search?']
  const statuses = await Promise.all(paths.map(async (path) => (await open(`${path}q=${query}`))[0]))
  assert.deepEqual(statuses, [200, 200, 200])
})

test("a search over all repositories covers the viewer's repositories only", async () => {
  const text = await read('/search?q=the+tide&in=files')
  assert.deepEqual(
    [text.includes('alice/notes'), text.includes('whispers'), text.includes('hidden')],
    [true, false, false],
  )
})

test('private content is 404 for anonymous viewers on every page', async () => {
  const paths = [
    'blame/main/data.txt',
    'compare',
    'compare/main...main',
    'find/main',
    'search?q=tide',
    'commits/main/data.txt',
    'tree/main/data.txt',
  ]
  const client = openWebClient(host.origin)
  const answers = await Promise.all(
    paths.flatMap((path) => [client.get(`/alice/hidden/${path}`), client.get(`/alice/missing/${path}`)]),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
})

test('Shift selects a range of lines and writes it to the address', { skip: withoutBrowser }, async (t) => {
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${host.origin}/alice/notes/blob/main/data.txt`)
  await page.click('#L2 a')
  await page.click('#L4 a', { modifiers: ['Shift'] })
  assert.equal(new URL(page.url()).hash, '#L2-L4')
  await page.reload()
  assert.deepEqual(await page.locator('tr.chosen').evaluateAll((rows) => rows.map(({ id }) => id)), ['L2', 'L3', 'L4'])
})

test(
  'the file finder shows matches while the user types, and Enter opens the first',
  { skip: withoutBrowser },
  async (t) => {
    const browser = await openBrowser()
    t.after(() => browser.close())
    const page = await browser.newPage()
    await page.goto(`${host.origin}/alice/notes/find/main`)
    await page.fill('#finder', 'plot')
    await page.locator('.found-files li:only-child').waitFor()
    await page.press('#finder', 'Enter')
    await page.waitForURL('**/blob/main/src/plot%20one.py')
  },
)

test('the file finder says while the user types that no file matches', { skip: withoutBrowser }, async (t) => {
  const browser = await openBrowser()
  t.after(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${host.origin}/alice/notes/find/main`)
  const status = page.getByRole('status')
  await page.fill('#finder', 'zzz')
  await status.getByText('No matching files on main.').waitFor()
  await page.fill('#finder', 'plot')
  await page.locator('.found-files li:only-child').waitFor()
  assert.equal((await status.textContent())?.trim(), '')
})

test('a short commit id opens the pages of its commit', async () => {
  const short = first.slice(0, 7)
  const paths = ['/tree/', '/blob/', '/commit/', '/commits/', '/raw/'].map(
    (view) => `/alice/notes${view}${short}${view === '/blob/' || view === '/raw/' ? '/data.txt' : ''}`,
  )
  const statuses = await Promise.all(paths.map(async (path) => (await open(path))[0]))
  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
  assert.match((await open(`/alice/notes/tree/${short}`))[1], new RegExp(`/blob/${first}/data\\.txt`))
})

test('fewer than 7 digits, and digits that match no commit, are not found', async () => {
  const tree = (await checkout.git('rev-parse', `${first}^{tree}`)).stdout.trim()
  const names = [first.slice(0, 6), tree.slice(0, 10), '0000000']
  const statuses = await Promise.all(names.map(async (name) => (await open(`/alice/notes/tree/${name}`))[0]))
  assert.deepEqual(statuses, [404, 404, 404])
})

test('a large file that is not text is a binary file, and a large text is too large', async () => {
  assert.match(await read('/alice/notes/blob/main/tape.dat'), /Binary file\. Download/)
  assert.match(await read('/alice/notes/blob/main/long.txt'), /This file is too large to show here\./)
})

test('binary files have no link to blame', async () => {
  const offered = async (path: string): Promise<boolean> => (await open(path))[1].includes('>Blame</a>')
  const paths = [
    '/alice/notes/blob/main/figure.png',
    '/alice/notes/blob/main/tape.dat',
    '/alice/notes/blob/main/data.txt',
  ]
  assert.deepEqual(await Promise.all(paths.map(offered)), [false, false, true])
  assert.match(await read('/alice/notes/blame/main/figure.png'), /Binary files have no blame view\./)
})

test('a symbolic link shows its target as text, without links to its content', async () => {
  const [, body] = await open('/alice/notes/blob/links/fig.png')
  assert.deepEqual(
    [
      /Symbolic link to <code>([^]*?)<\/code>/.exec(body)?.[1],
      ['>Raw</a>', '>Download</a>', '>Blame</a>', '/raw/'].filter((part) => body.includes(part)),
    ],
    ['figs/&lt;b&gt;.png', []],
  )
})

test('the raw bytes of a symbolic link are its target, as text', async () => {
  const answer = await fetch(`${host.origin}/alice/notes/raw/links/fig.png`)
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), await answer.text()],
    [200, 'text/plain; charset=utf-8', 'figs/<b>.png'],
  )
})

test('an SVG file is shown as an image, and as source on request', async () => {
  const [, image] = await open('/alice/notes/blob/links/tide.svg')
  const [, lines] = await open('/alice/notes/blob/links/tide.svg?view=source')
  const parts = ['<p class="picture">', 'href="?view=source">Source</a>', 'href="?">Image</a>', 'id=L1>']
  assert.deepEqual(
    [image, lines].map((page) => parts.map((part) => page.includes(part))),
    [
      [true, true, false, false],
      [false, false, true, true],
    ],
  )
})

test('a page after the last one of repositories says so, and links to the first', async () => {
  const pages = await Promise.all(['/?page=2', '/alice?page=2'].map(open))
  assert.deepEqual(
    pages.map(([, body]) => /There are no more repositories\. <a href="([^"]+)"/.exec(body)?.[1]),
    ['/', '/alice'],
  )
})
