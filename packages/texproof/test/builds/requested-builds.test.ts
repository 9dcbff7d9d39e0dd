/** Builds that users request with *Build now*, because a push did not queue them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient, type WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const paper = (text: string): string => `\\documentclass{article}\n\\begin{document}\n${text}\n\\end{document}\n`
const buildsOn = (auto: string): string => `[build]\nauto = "${auto}"\n`

let host: PaperHost
let alice: WebClient

before(async () => {
  host = await openPaperHost()
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  alice = openWebClient(host.origin)
  await alice.submit('/login', '/login', { name: 'alice', password })
})
after(() => host.close())

/** Pushes `main` to a new repository of alice, and waits for its builds. */
async function pushNew(name: string, files: Readonly<Record<string, string>>): Promise<[id: number, Checkout]> {
  const user = await host.deps.store.users.findByLogin('alice')
  if (user === null) throw new Error('alice is missing')
  const { id } = await host.addRepository(user, name)
  const token = await host.addToken(user, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), files)
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(id)
  return [id, checkout]
}

async function buildNow(id: number, name: string, ref: string): Promise<void> {
  await alice.submit(`/alice/${name}/pdf/${ref}`, `/alice/${name}/builds`, { ref })
  await host.whenBuilt(id)
}

test('a branch is built once when requested, although another branch has built its commit', async () => {
  const [id, checkout] = await pushNew('topics', { 'main.tex': paper('A.'), '.texproof.toml': buildsOn('default') })
  await checkout.git('push', 'origin', 'main:refs/heads/topic')
  for (let n = 0; n < 2; n += 1) await buildNow(id, 'topics', 'topic')
  const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
  assert.deepEqual(
    builds.map(({ ref, state }) => [ref, state]),
    [
      ['refs/heads/topic', 'succeeded'],
      ['refs/heads/main', 'succeeded'],
    ],
  )
})

test('a branch with newer commits than its builds has a button to build it, until it is built', async () => {
  const [id, checkout] = await pushNew('behind', { 'main.tex': paper('A.'), '.texproof.toml': buildsOn('demand') })
  const hasButton = async (): Promise<boolean> => (await alice.get('/alice/behind/pdf/main')).text.includes('Build now')
  const shown = [await hasButton()]
  for (const text of ['A.', 'B.', '\\undefined', 'D.']) {
    await checkout.commit({ 'main.tex': paper(text), 'notes.txt': text })
    await checkout.git('push', 'origin', 'main')
    shown.push(await hasButton())
    await buildNow(id, 'behind', 'main')
    shown.push(await hasButton())
  }
  assert.deepEqual(shown, [true, true, false, true, false, true, false, true, false])
})

test('a branch that has lost its document keeps the PDF, and says why it is not built instead of offering a build', async () => {
  const [, checkout] = await pushNew('lost', { 'main.tex': paper('A.') })
  const head = await checkout.git('rev-parse', '--short=7', 'HEAD')
  const banners: string[] = []
  for (const files of [{ 'main.tex': `%${paper('A.')}` }, { '.texproof.toml': buildsOn('sometimes') }]) {
    await checkout.commit(files)
    await checkout.git('push', 'origin', 'main')
    banners.push(bannerOf((await alice.get('/alice/lost/pdf/main')).text))
  }
  const shown = (count: string): string =>
    `○ out of date main has newer commits. Showing commit ${head.stdout.trim()}, built AGO (${count} behind).`
  assert.deepEqual(banners, [
    `${shown('1 commit')} No LaTeX document found at main. A document needs \\documentclass and \\begin{document}.`,
    `${shown('2 commits')} .texproof.toml build.auto: must be "branches", "default" or "demand"`,
  ])
})

test('the pages after a commit that removes the document say so, and show no error of an earlier commit', async () => {
  const [, checkout] = await pushNew('removed', { 'main.tex': paper('\\undefined') })
  await checkout.commit({ 'main.tex': 'Notes.' })
  await checkout.git('push', 'origin', 'main')
  const page = await alice.get('/alice/removed/blob/main/main.tex?after=commit')
  const home = await alice.get('/alice/removed')
  const reason = 'No LaTeX document found at main. A document needs \\documentclass and \\begin{document}.'
  assert.deepEqual(
    [
      wordsOf(/<p[^>]* role="status">([^]*?)<\/p>/.exec(page.text)?.[1]),
      wordsOf(/<p class="strip[^>]*>([^]*?)<\/p>/.exec(home.text)?.[1]),
    ],
    [`Committed to main. ${reason}`, reason],
  )
})

test('a build requested on the page of a document returns to that document', async () => {
  const [id, checkout] = await pushNew('talks', { 'main.tex': paper('A.'), 'talk.tex': paper('T.') })
  await checkout.commit({ 'talk.tex': paper('U.'), '.texproof.toml': buildsOn('demand') })
  await checkout.git('push', 'origin', 'main')
  const page = '/alice/talks/pdf/main?doc=talk'
  const [, doc = ''] = /name="doc" value="([^"]*)"/.exec((await alice.get(page)).text) ?? []
  const { status, headers } = await alice.submit(page, '/alice/talks/builds', { ref: 'main', doc })
  await host.whenBuilt(id)
  assert.deepEqual([doc, status, headers.location], ['talk', 303, page])
})

test('a tag keeps the PDFs that were built for its commit on request, and builds no others', async () => {
  const [id, checkout] = await pushNew('kept', { 'main.tex': paper('A.'), '.texproof.toml': buildsOn('demand') })
  await buildNow(id, 'kept', 'main')
  const builtId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.commit({ 'main.tex': paper('B.') })
  await checkout.git('push', 'origin', 'HEAD:refs/tags/new', `${builtId}:refs/tags/built`)
  await host.whenBuilt(id)
  const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
  assert.deepEqual(
    builds.map(({ ref, state, pdfId }) => [ref, state, pdfId]),
    ['refs/tags/built', 'refs/heads/main'].map((ref) => [ref, 'succeeded', builds.at(-1)?.pdfId]),
  )
})

test('a tag keeps the PDFs of a build that is requested for its branch or commit later', async () => {
  const [id, checkout] = await pushNew('earlier', { 'main.tex': paper('A.'), '.texproof.toml': buildsOn('demand') })
  const first = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('push', 'origin', 'HEAD:refs/tags/v1')
  await buildNow(id, 'earlier', 'main')
  // Its files equal the first commit: the PDF is there at once.
  await checkout.git('commit', '--allow-empty', '--message', 'Again')
  const second = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('push', 'origin', 'HEAD:main', 'HEAD:refs/tags/v2')
  await buildNow(id, 'earlier', second)
  const builds = await eventually(() => host.deps.store.builds.list(id, { limit: 10, offset: 0 }), {
    until: (all) => all.length === 4,
  })
  assert.deepEqual(
    builds.map(({ ref, commitId, state, pdfId }) => [ref, commitId, state, pdfId]).toReversed(),
    [
      ['refs/heads/main', first],
      ['refs/tags/v1', first],
      [second, second],
      ['refs/tags/v2', second],
    ].map((build) => [...build, 'succeeded', builds.at(-1)?.pdfId]),
  )
})

test('a document of a tag is built on request after the builds of the branch were removed', async () => {
  const files = { 'main.tex': paper('A.'), 'talk.tex': paper('\\undefined'), '.texproof.toml': buildsOn('demand') }
  const [id, checkout] = await pushNew('half', files)
  await buildNow(id, 'half', 'main')
  await checkout.git('push', 'origin', 'HEAD:refs/tags/v1')
  await checkout.commit({ 'main.tex': paper('B.') })
  await checkout.git('push', 'origin', 'main')
  await buildNow(id, 'half', 'main')
  await host.deps.store.builds.removeOld(id, { before: Date.now() + 60_000 })
  await buildNow(id, 'half', 'v1')
  const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
  const ofTag = builds.filter(({ ref }) => ref === 'refs/tags/v1')
  assert.deepEqual(ofTag.map(({ document, state }) => `${document} ${state}`).toSorted(), [
    'main succeeded',
    'main succeeded',
    'talk failed',
  ])
})

test('the PDF page counts the commits of a merged branch that are not in the shown PDF', async () => {
  const [, checkout] = await pushNew('merged', { 'main.tex': paper('A.'), '.texproof.toml': buildsOn('default') })
  await checkout.git('tag', 'v1')
  await checkout.git('checkout', '--quiet', '-b', 'topic', 'HEAD')
  await checkout.commit({ 'topic.txt': 'Before.' })
  await checkout.git('checkout', '--quiet', 'main')
  await checkout.commit({ 'main.tex': paper('B.') })
  await checkout.git('tag', 'v2')
  await checkout.git('merge', '--quiet', '--no-edit', 'topic')
  await checkout.git('push', 'origin', 'main', 'v1', 'v2')
  const { id } = (await host.deps.store.repositories.findByName('alice', 'merged')) ?? { id: 0 }
  await host.whenBuilt(id)
  const ahead = async (tag: string): Promise<string | undefined> =>
    /(\d+ commits?) ahead/.exec((await alice.get(`/alice/merged/pdf/${tag}`)).text)?.[1]
  assert.deepEqual([await ahead('v1'), await ahead('v2')], ['3 commits', '2 commits'])
})

test('words of a renamed document are counted where it was built, and drafts only where it is', async () => {
  const [, checkout] = await pushNew('renamed', { 'main.tex': paper('Two words.') })
  await checkout.commit({ '.texproof.toml': buildsOn('demand') })
  await checkout.git('mv', 'main.tex', 'thesis.tex')
  await checkout.commit({ 'notes.txt': 'Renamed.' })
  await checkout.git('push', 'origin', 'main')
  const built = (await alice.get('/alice/renamed/words/main')).text
  const drafts = (await alice.get('/alice/renamed/words/main?drafts=1')).text
  assert.deepEqual(
    [/Total<\/th>\s*<td>(\d+)/.exec(built)?.[1], /main\.tex is no longer in main\./.exec(drafts)?.[0]],
    ['2', 'main.tex is no longer in main.'],
  )
})

/** The words above the PDF, without ages. */
function bannerOf(page: string): string {
  return wordsOf(/data-live="banner"[^>]*>([^]*?)<\/div>/.exec(page)?.[1])
}

/** The words of a part of a page, without ages. */
function wordsOf(part = ''): string {
  return part
    .replaceAll(/<time.*?<\/time>/gs, 'AGO')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#9675;', '○')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
