import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { exampleNewBuild } from '../support/example-build.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const password = 'nine trees by the river'
const paper = (text: string): string =>
  `\\documentclass{article}\n\\begin{document}\n${text}\\newpage Second.\n\\end{document}\n`

let host: PaperHost
let checkout: Checkout
let firstCommitId: string
let alice: WebClient

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  const token = await host.addToken(outcome.user, ['repo:write'])
  const repository = await host.addRepository(outcome.user, 'tides')
  const draft = await host.addRepository(outcome.user, 'draft', 'private')
  checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', token), { 'main.tex': paper('First.') })
  firstCommitId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.commit({ 'main.tex': paper('Later.') })
  await checkout.git('push', 'origin', 'main')
  await checkout.git('push', host.gitUrl('alice/draft.git', token), 'main')
  await checkout.git('tag', '-a', '-m', 'First version', 'v1')
  await checkout.git('push', 'origin', 'v1')
  for (const { id } of [repository, draft]) await host.whenBuilt(id)
  alice = openWebClient(host.origin)
  await alice.submit('/login', '/login', { name: 'alice', password })
})
after(() => host.close())

async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(host.origin + path, { headers, redirect: 'manual' })
}

test('GET /{owner}/{repo}/builds opens a page after the last, whatever its number', async () => {
  const paths = ['2', '99999999999999999999', '1e400'].map((page) => `/alice/tides/builds?page=${page}`)
  const statuses = await Promise.all(paths.map(async (path) => (await get(path)).status))
  assert.deepEqual(statuses, [200, 200, 200])
})

test('GET /{owner}/{repo}/picture/{ref}.png renders the requested page, and answers 304 when it is cached', async () => {
  const first = await get('/alice/tides/picture/main.png')
  const bytes = Buffer.from(await first.arrayBuffer())
  const etag = first.headers.get('etag') ?? ''
  const again = await get('/alice/tides/picture/main.png', { 'if-none-match': etag })
  assert.deepEqual(
    [first.status, first.headers.get('content-type'), bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16)],
    [200, 'image/png', 'PNG', 440],
  )
  assert.deepEqual([first.headers.get('cache-control'), again.status], ['public, no-cache', 304])
})

test('GET /{owner}/{repo}/picture/{ref}.png is 404 for pages after the last and for other widths', async () => {
  const paths = ['page=2&width=1240', 'page=3', 'page=0', 'width=441', 'page=1e9']
  const statuses = await Promise.all(
    paths.map(async (query) => (await get(`/alice/tides/picture/main.png?${query}`)).status),
  )
  // Values that are not numbers are ignored.
  assert.deepEqual(statuses, [200, 404, 200, 404, 200])
})

test('a network with too many waiting images gets 429, and a user of the same network gets the image', async () => {
  const [build] = await host.deps.store.builds.list(1, { limit: 1, offset: 0 })
  const wanted = { pdfId: build?.pdfId ?? '', widthPx: 440, ownerId: 'mallory', requesterId: '127.0.0.1' }
  const waiting = Array.from({ length: 105 }, (_, index) =>
    host.deps.papers.findPicture({ ...wanted, page: index + 3 }).catch((error: unknown) => error),
  )
  const refused = await get('/alice/tides/picture/main.png?page=2')
  const sent = await alice.get('/alice/tides/picture/main.png?page=2')
  const { status, headers } = refused
  assert.deepEqual([status, headers.get('retry-after'), sent.status], [429, '5', 200])
  await Promise.all(waiting)
})

test('an image whose address contains its PDF id is cached forever', async () => {
  const builds = await host.deps.store.builds.list(1, { limit: 1, offset: 0 })
  const answer = await get(`/alice/tides/picture/main.png?v=${builds[0]?.pdfId?.slice(0, 16) ?? ''}`)
  assert.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable')
})

test('the menu of refs keeps the document, and a ref without it opens its first document', async () => {
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  const { id } = await host.addRepository(user, 'course')
  const files = { 'main.tex': paper('Course.') }
  const course = await host.makeCheckout(host.gitUrl('alice/course.git', token), files)
  await course.git('push', 'origin', 'main')
  await course.git('switch', '-c', 'draft')
  await course.commit({ 'talk.tex': paper('Talk.') })
  await course.git('push', 'origin', 'draft')
  await host.whenBuilt(id)
  const page = await get('/alice/course/pdf/draft?doc=talk')
  const other = await get('/alice/course/pdf/main?doc=talk')
  assert.deepEqual(
    [
      (await page.text()).includes('href="/alice/course/pdf/main?doc=talk"'),
      other.status,
      other.headers.get('location'),
    ],
    [true, 303, '/alice/course/pdf/main'],
  )
})

test('GET /{owner}/{repo}/pdf/{ref} says that a version does not contain the document in the address', async () => {
  const { headers } = await alice.get('/alice/tides/pdf/main?doc=none')
  const { text } = await alice.get(headers.location ?? '')
  assert.deepEqual(
    [
      headers.location,
      text.includes('This version does not contain the document in the address. Showing another document.'),
    ],
    ['/alice/tides/pdf/main', true],
  )
})

/** The text of the banner on the PDF page of a new repository. */
async function bannerOf(name: string, files: Readonly<Record<string, string>>): Promise<string | undefined> {
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  await host.addRepository(user, name)
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), files)
  await checkout.git('push', 'origin', 'main')
  const page = await (await get(`/alice/${name}/pdf/main`)).text()
  const banner = /<p class="banner banner-none">([^]*?)<\/p>/.exec(page)?.[1]
  return banner
    ?.replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

test('GET /{owner}/{repo}/pdf/{ref} says why a repository of figures has no PDF', async () => {
  const figure = '\\documentclass{standalone}\n\\begin{document}x\\end{document}\n'
  assert.equal(
    await bannerOf('figures', { 'plot.tex': figure }),
    'No LaTeX document found at main. plot.tex has the class standalone and counts as a part of another document. ' +
      'To build it, list it in .texproof.toml.',
  )
})

test('GET /{owner}/{repo}/pdf/{ref} says why plain TeX and packages have no PDF', async () => {
  assert.deepEqual(
    [await bannerOf('plain', { 'main.tex': 'Hello.\n\\bye\n' }), await bannerOf('package', { 'tides.dtx': '% Tides' })],
    [
      'No LaTeX document found at main. main.tex is plain TeX, and only LaTeX is compiled. ' +
        'Convert it to LaTeX: a document needs \\documentclass and \\begin{document}.',
      'No LaTeX document found at main. tides.dtx is the source of a package. ' +
        'To build its manual, add tides.tex with the line \\input{tides.dtx} and list it in .texproof.toml.',
    ],
  )
})

test('a source in UTF-16 is built, with one error that says how to save it', async () => {
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  const { id } = await host.addRepository(user, 'notepad')
  const source = Buffer.from(`\uFEFF${paper('Grüße').replaceAll('\n', '\r\n')}`, 'utf16le')
  const notepad = await host.makeCheckout(host.gitUrl('alice/notepad.git', token), { 'main.tex': source })
  await notepad.git('push', 'origin', 'main')
  await host.whenBuilt(id)
  const build = await host.deps.store.builds.findByNumber(id, 1)
  const page = await (await get('/alice/notepad/blob/main/main.tex')).text()
  assert.deepEqual(
    build?.errors.filter(({ cause }) => cause === undefined).map(({ file, line, message }) => [file, line, message]),
    [['main.tex', 1, 'main.tex is encoded in UTF-16, which pdflatex cannot read']],
  )
  assert.match(page, /Grüße/)
  assert.match(page, /This file is encoded in UTF-16\. Save it as UTF-8 in your editor: TeX and git read UTF-8\./)
})

test('GET /{owner}/{repo}/badge/{ref}.svg shows the build status', async () => {
  const answer = await get('/alice/tides/badge/main.svg')
  const text = await answer.text()
  assert.deepEqual(
    [answer.headers.get('content-type'), /<title>(.*)<\/title>/.exec(text)?.[1]],
    ['image/svg+xml', 'paper: up to date, 2 pages'],
  )
})

test('GET /{owner}/{repo}/badge/{ref}.json describes the build status for programs', async () => {
  const answer = await get('/alice/tides/badge/main.json')
  const head = await host.deps.git.findBranch(1, 'main')
  const builds = await host.deps.store.builds.list(1, { limit: 1, offset: 0 })
  assert.deepEqual(
    [answer.headers.get('content-type'), await answer.json()],
    [
      'application/json',
      {
        ref: 'refs/heads/main',
        commit: head?.commitId,
        status: 'up to date',
        documents: [{ name: 'main', state: 'succeeded', build: builds[0]?.number }],
      },
    ],
  )
})

test('images, badges and builds of a private repository look missing to others', async () => {
  const paths = ['/picture/main.png', '/badge/main.svg', '/builds/1/events']
  const statuses = await Promise.all(
    paths.map(async (path) => [(await get(`/alice/draft${path}`)).status, (await get(`/alice/none${path}`)).status]),
  )
  assert.deepEqual(
    statuses,
    paths.map(() => [404, 404]),
  )
  assert.equal((await alice.get('/alice/draft/picture/main.png')).status, 200)
})

test('the page of a build at the time limit names the cause on a line instead of a higher limit', async () => {
  const { user, token } = await host.addUser('bob')
  const repository = await host.addRepository(user, 'loop')
  const loop = await host.makeCheckout(host.gitUrl('bob/loop.git', token), {
    '.texproof.toml': '[build]\ntimeout = "3s"\n',
    'main.tex':
      '\\documentclass{article}\n\\newcommand{\\tide}{\\relax\\tide}\n\\begin{document}\n\\tide\n\\end{document}\n',
  })
  await loop.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
  const page = await (await get('/bob/loop/builds/1')).text()
  const banner = /<p class="banner banner-failed">([^<]*)</.exec(page)?.[1]
  assert.equal(banner, '✕ Stopped at the time limit. The definition of \\tide uses \\tide itself, which never ends.')
})

test('a tag is built when it is pushed', async () => {
  assert.equal((await get('/alice/tides/pdf/v1.pdf')).status, 200)
  const builds = await host.deps.store.builds.list(1, { limit: 10, offset: 0 })
  assert.deepEqual(
    builds.map(({ ref }) => ref),
    ['refs/tags/v1', 'refs/heads/main'],
  )
})

test('POST /{owner}/{repo}/builds builds an unbuilt commit once', async () => {
  assert.equal((await get(`/alice/tides/pdf/${firstCommitId}.pdf`)).status, 404)
  for (let n = 0; n < 3; n += 1) {
    const answer = await alice.submit('/alice/tides', '/alice/tides/builds', { ref: firstCommitId })
    assert.deepEqual([answer.status, answer.headers.location], [303, `/alice/tides/pdf/${firstCommitId}`])
  }
  await host.whenBuilt(1)
  const pdf = await get(`/alice/tides/pdf/${firstCommitId}.pdf`)
  assert.deepEqual(
    [pdf.status, pdf.headers.get('cache-control'), await host.deps.store.builds.count(1)],
    [200, 'private, max-age=31536000, immutable', 3],
  )
})

test('POST /{owner}/{repo}/builds without a form token builds nothing', async () => {
  const answer = await alice.post('/alice/tides/builds', { ref: 'main' })
  assert.equal(answer.status, 403)
})

test('GET /{owner}/{repo}/builds/{n}/events streams progress and the end of the build', async () => {
  await checkout.commit({ 'main.tex': paper('\\loop\\iftrue\\repeat') })
  const pushed = checkout.git('push', 'origin', 'main')
  await eventually(() => findBuild(4))
  const { body } = await get('/alice/tides/builds/4/events')
  let events = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const isFirstProgress = chunk.includes('event: progress') && !events.includes('event: progress')
    events += chunk
    if (isFirstProgress) await host.deps.papers.stopBuild((await findBuild(4))?.id ?? 0)
  }
  await pushed
  const names = [...events.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(
    [names.includes('progress'), names.at(-1), names.filter((name) => name === 'over').length],
    [true, 'over', 1],
  )
})

test('a client whose access was revoked is not told the end of a build', async () => {
  const { builds, repositories } = host.deps.store
  const { id, number } = await builds.add(exampleNewBuild({ repositoryId: 1 }))
  const { body } = await get(`/alice/tides/builds/${number}/events`)
  let events = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    events += chunk
    await repositories.change(1, { visibility: 'private' })
    await builds.cancel([id])
  }
  await repositories.change(1, { visibility: 'public' })
  const names = [...events.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(names, ['progress'])
})

test('HEAD …/builds/{n}/events takes no place of a browser that follows a build', async () => {
  const { number } = await host.deps.store.builds.add(exampleNewBuild({ repositoryId: 1 }))
  const path = `/alice/tides/builds/${number}/events`
  // As many as one network may follow at once.
  const heads = Array.from({ length: 12 }, () => fetch(host.origin + path, { method: 'HEAD' }))
  const statuses = (await Promise.all(heads)).map(({ status }) => status)
  const { status, body } = await get(path)
  await body?.cancel()
  assert.deepEqual([...new Set(statuses), status], [200, 200])
})

const findBuild = (number: number) => host.deps.store.builds.findByNumber(1, number)

test('the page of a commit highlights changed words, and shows an error under its line', async () => {
  await checkout.commit({ 'main.tex': paper('The tide rises slowly here.') })
  const broken = await checkout.commit({ 'main.tex': paper('The tide \\falls slowly here.') })
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(1)
  const { text } = await alice.get(`/alice/tides/commit/${broken}`)
  assert.match(text, /<del>rises<\/del>/)
  assert.match(text, /<ins>[^<]*falls<\/ins>[^]*role="note"[^]*\\falls is not defined/)
})

test('a tag keeps its PDF with errors when another branch of the same commit is not built', async () => {
  const owner = await host.deps.store.users.findByLogin('alice')
  if (owner === null) throw new Error('no alice')
  const repository = await host.addRepository(owner, 'flawed')
  const remote = host.gitUrl('alice/flawed.git', await host.addToken(owner, ['repo:write']))
  const flawed = await host.makeCheckout(remote, { 'main.tex': paper('We write \\foo here.') })
  await flawed.git('push', 'origin', 'main:refs/tags/v1')
  await host.whenBuilt(repository.id)
  const { store } = host.deps
  const overrides = { repositories: null, storageBytes: null, concurrentPushes: null }
  await store.quotas.setOverrides(owner.id, { ...overrides, buildMinutes: 0 })
  await flawed.git('push', 'origin', 'main')
  await store.quotas.setOverrides(owner.id, { ...overrides, buildMinutes: null })

  const commitId = (await flawed.git('rev-parse', 'main')).stdout.trim()
  const answers = await Promise.all(['v1', commitId].map((ref) => get(`/alice/flawed/pdf/${ref}.pdf`)))
  const states = answers.map(({ status, headers }) => [status, headers.get('x-texproof-state')])
  const builds = await store.builds.list(repository.id, { limit: 10, offset: 0 })
  assert.deepEqual(
    [states, builds.map(({ ref, pdfId }) => [ref, pdfId === null])],
    [
      [
        [200, 'older'],
        [200, 'older'],
      ],
      [
        ['refs/heads/main', true],
        ['refs/tags/v1', false],
      ],
    ],
  )
})

test('GET /{owner}/{repo}/pdf/{ref}.pdf shows a PDF while its build confirms it', async () => {
  const owner = await host.deps.store.users.findByLogin('alice')
  if (owner === null) throw new Error('no alice')
  const repository = await host.addRepository(owner, 'confirmed')
  const remote = host.gitUrl('alice/confirmed.git', await host.addToken(owner, ['repo:write']))
  // The pass that finds two pages in the auxiliary file takes a second longer.
  const slow = String.raw`\makeatletter\newcount\n\def\slow{\loop\advance\n by1 \ifnum\n<4000000 \repeat}\ifnum\@abspage@last=2 \slow\fi\makeatother`
  const source = (body: string): string =>
    String.raw`\documentclass{article}\begin{document}${slow} ${body}\end{document}`
  const edited = await host.makeCheckout(remote, { 'main.tex': source('One.') })
  await edited.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
  const commitId = await edited.commit({ 'main.tex': source('One.\\newpage Two.') })
  const pushing = edited.git('push', 'origin', 'main')
  const states: (string | null)[] = []
  await eventually(
    async () => {
      const answer = await get('/alice/confirmed/pdf/main.pdf')
      const state = answer.headers.get('x-texproof-state')
      if (answer.headers.get('x-texproof-commit') === commitId && state !== states.at(-1)) states.push(state)
      await answer.arrayBuffer()
      return states
    },
    { until: (seen) => seen.includes('current') },
  )
  await pushing
  assert.deepEqual(states, ['building', 'current'])
})

test('the command that reproduces a build has the root file as one word of the shell', async () => {
  const commands = ["a b's $(x).tex", '-x.tex', 'main.tex'].map(async (rootFile) => {
    const build = await host.deps.store.builds.add(exampleNewBuild({ repositoryId: 2, rootFile }))
    const { text } = await alice.get(`/alice/draft/builds/${build.number}`)
    return /texproof compile (.*) --engine/.exec(text.replaceAll('<wbr />', ''))?.[1]?.replaceAll('&#39;', "'")
  })
  assert.deepEqual(await Promise.all(commands), [String.raw`'a b'\''s $(x).tex'`, './-x.tex', 'main.tex'])
})
