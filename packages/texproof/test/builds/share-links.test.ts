import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { createShareLink, type CreatedShareLink } from '../../src/operations/repository/share-links.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { readPdfText } from '../support/read-pdf-text.ts'
import { sendRequest, type RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const settings = '/alice/draft/settings/share'
const paper = (words: string): Readonly<Record<string, string>> => ({
  'main.tex': String.raw`\documentclass{article}\title{A Draft}\begin{document}${words}\end{document}`,
})

let host: PaperHost
let alice: User
let work: Checkout
let repositoryId: number
let author: WebClient
let token: string

before(async () => {
  host = await openPaperHost()
  alice = await addPerson('alice')
  await addPerson('bob')
  const repository = await host.addRepository(alice, 'draft', 'private')
  repositoryId = repository.id
  token = await host.addToken(alice, ['repo:write'])
  work = await host.makeCheckout(host.gitUrl('alice/draft.git', token), paper('First words.'))
  await work.git('tag', 'v1')
  await work.git('push', 'origin', 'main', 'v1')
  await work.commit(paper('Second words.'))
  await work.git('push', 'origin', 'main')
  await host.whenBuilt(repositoryId)
  author = await signIn('alice')
})
after(() => host.close())

test('a share link of a branch shows its newest PDF, a share link of a tag does not change', async () => {
  const [main, tag] = [await makeLink('refs/heads/main'), await makeLink('refs/tags/v1')]
  assert.deepEqual(
    [await textOf(`${main}/paper.pdf`), await textOf(`${tag}/paper.pdf`)],
    ['Second words.', 'First words.'],
  )
})

test('a share link shows the title, forbids indexing, and does not link to the repository', async () => {
  const { status, text, headers } = await sendRequest(host.origin, { target: await makeLink('refs/heads/main') })
  assert.deepEqual(
    [status, headers['x-robots-tag'], /<h1[^>]*>A Draft<\/h1>/.test(text), text.includes('/alice/')],
    [200, 'noindex', true, false],
  )
})

test('views are counted, but not revalidations of the page', async () => {
  const { link, text } = await share('refs/heads/main', null)
  await sendRequest(host.origin, { target: `/s/${text}`, headers: { 'sec-fetch-dest': 'document' } })
  await sendRequest(host.origin, { target: `/s/${text}`, headers: { 'sec-fetch-dest': 'empty' } })
  const links = await host.deps.store.shareLinks.listOfRepository(repositoryId)
  assert.equal(links.find(({ id }) => id === link.id)?.viewCount, 1)
})

test('an expired share link answers 410 on each of its addresses, an unknown one 404', async () => {
  const { text } = await share('refs/heads/main', Date.now() - 1)
  const statuses = async (secret: string): Promise<readonly number[]> =>
    Promise.all(['', '/paper.pdf', '/picture.png'].map((path) => statusOf(`/s/${secret}${path}`)))
  assert.deepEqual(
    [await statuses(text), await statuses('A'.repeat(43))],
    [
      [410, 410, 410],
      [404, 404, 404],
    ],
  )
})

test('a share link keeps the last PDF of a branch that has lost its document, and says so', async () => {
  const files = paper('Kept.')
  const { id } = await host.addRepository(alice, 'lost', 'private')
  const checkout = await host.makeCheckout(host.gitUrl('alice/lost.git', token), files)
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(id)
  const { text } = await share('refs/heads/main', null, id)
  await checkout.commit({ 'main.tex': `%${files['main.tex']}` })
  await checkout.git('push', 'origin', 'main')
  const page = (await sendRequest(host.origin, { target: `/s/${text}` })).text
  assert.deepEqual(
    [/○ ([^<]*)/.exec(page)?.[1]?.trim(), await textOf(`/s/${text}/paper.pdf`)],
    ['The newest version cannot be built. Showing the last good one, from', 'Kept.'],
  )
})

test('a share link expires with its branch', async () => {
  await work.git('push', 'origin', 'main:refs/heads/short')
  await host.whenBuilt(repositoryId)
  const link = await makeLink('refs/heads/short')
  assert.equal(await statusOf(link), 200)
  await work.git('push', 'origin', ':refs/heads/short')
  assert.equal(await statusOf(link), 410)
})

test('a share link does not open another branch or tag of the name of a deleted one', async () => {
  const [branch, tag] = ['refs/heads/again', 'refs/tags/again']
  const statuses: number[] = []
  await work.git('push', 'origin', `main:${branch}`, `main:${tag}`)
  const links = [await makeLink(branch), await makeLink(tag)]
  for (const link of links) statuses.push(await statusOf(link))
  await work.git('push', 'origin', `:${branch}`, `:${tag}`)
  await work.git('push', 'origin', `main:${branch}`, `main:${tag}`)
  for (const link of links) statuses.push(await statusOf(link))
  assert.deepEqual([statuses, await statusOf(await makeLink(branch))], [[200, 200, 410, 410], 200])
})

test('the settings page is 404 for users who are not administrators of the repository', async () => {
  const bob = await signIn('bob')
  assert.deepEqual([(await bob.get(settings)).status, await statusOf(settings)], [404, 404])
})

test('a cross-site form creates no share link, and a missing version is rejected', async () => {
  const before = (await host.deps.store.shareLinks.listOfRepository(repositoryId)).length
  const foreign = await author.post(
    settings,
    { ref: 'refs/heads/main', days: '30' },
    { origin: 'https://evil.example' },
  )
  const absent = await author.submit(settings, settings, { ref: 'refs/heads/none', days: '30' })
  const endless = await author.submit(settings, settings, { ref: 'refs/heads/main', days: '9999' })
  assert.deepEqual([foreign.status, absent.status, endless.status], [403, 422, 422])
  assert.equal((await host.deps.store.shareLinks.listOfRepository(repositoryId)).length, before)
})

test('a revoked share link stops working at once, and a share link of another repository cannot be revoked', async () => {
  const { link, text } = await share('refs/heads/main', null)
  await host.addRepository(alice, 'other', 'private')
  const wrong = await author.submit(settings, `/alice/other/settings/share/${link.id}/revoke`, {})
  assert.deepEqual([wrong.status, await statusOf(`/s/${text}`)], [404, 200])
  const right = await author.submit(settings, `${settings}/${link.id}/revoke`, {})
  assert.deepEqual([right.status, await statusOf(`/s/${text}`)], [303, 410])
})

test('the settings page shows the address of a link again until it is revoked', async () => {
  const { link, text } = await share('refs/heads/main', null)
  const address = `${host.deps.config.baseUrl}/s/${text}`
  const shown = (await author.get(settings)).text.includes(address)
  await author.submit(settings, `${settings}/${link.id}/revoke`, {})
  assert.deepEqual([shown, (await author.get(settings)).text.includes(address)], [true, false])
})

test('the settings page shows active links, and folds revoked and expired ones with their number', async () => {
  const { id } = await host.addRepository(alice, 'ended', 'private')
  const path = '/alice/ended/settings/share'
  const { link } = await share('refs/tags/revoked', null, id)
  await share('refs/tags/expired', Date.now() - 1, id)
  await author.submit(settings, `${path}/${link.id}/revoke`, {})
  const onlyEnded = linksOf((await author.get(path)).text)
  await share('refs/tags/active', null, id)
  assert.deepEqual(
    [onlyEnded, linksOf((await author.get(path)).text)],
    [
      { active: [], summary: '2 inactive links', ended: ['expired', 'revoked'] },
      { active: ['active'], summary: '2 inactive links', ended: ['expired', 'revoked'] },
    ],
  )
})

test('a replaced link gets a new address with the same expiry, and the old address stops working', async () => {
  const expiresAt = Date.now() + 86_400_000
  const { link, text } = await share('refs/heads/main', expiresAt)
  const made = addressIn(await follow(await author.submit(settings, `${settings}/${link.id}/replace`, {})))
  const [newest] = (await host.deps.store.shareLinks.listOfRepository(repositoryId)).toSorted((a, b) => b.id - a.id)
  assert.deepEqual(
    [await statusOf(made), await statusOf(`/s/${text}`), newest?.ref, newest?.expiresAt],
    [200, 410, 'refs/heads/main', expiresAt],
  )
  const again = await author.submit(settings, `${settings}/${link.id}/replace`, {})
  assert.equal(again.status, 404)
})

test('reloading the page after a link was created or replaced creates no other link', async () => {
  const { id } = await host.addRepository(alice, 'reloaded', 'private')
  const path = '/alice/reloaded/settings/share'
  const checkout = await host.makeCheckout(host.gitUrl('alice/reloaded.git', token), paper('Reloaded.'))
  await checkout.git('push', 'origin', 'main')
  const created = await author.submit(path, path, { ref: 'refs/heads/main', days: '30' })
  const [first] = await host.deps.store.shareLinks.listOfRepository(id)
  const replaced = await author.submit(path, `${path}/${first?.id}/replace`, {})
  for (const { headers } of [created, replaced, replaced]) await author.get(headers.location ?? path)
  const links = await host.deps.store.shareLinks.listOfRepository(id)
  assert.deepEqual(
    [created, replaced].map(({ status, headers }) => [status, headers.location]),
    [first, links[0]].map((link) => [303, `${path}?made=${link?.id}`]),
  )
  assert.deepEqual(
    links.map(({ revokedAt }) => revokedAt === null),
    [true, false],
  )
})

test('a link beyond the limit of 100 is refused with what to do, and replacing one still works', async () => {
  const popular = await host.addRepository(alice, 'popular', 'private')
  const checkout = await host.makeCheckout(host.gitUrl('alice/popular.git', token), paper('Many readers.'))
  await checkout.git('push', 'origin', 'main')
  const path = '/alice/popular/settings/share'
  const { link } = await share('refs/heads/main', null, popular.id)
  for (let count = 0; count < 99; count += 1) await share('refs/heads/main', null, popular.id)
  const refused = await author.submit(path, path, { ref: 'refs/heads/main', days: '30' })
  const replaced = await author.submit(path, `${path}/${link.id}/replace`, {})
  assert.deepEqual(
    [refused.status, refused.text.includes('the limit of 100 share links. Revoke one first.'), replaced.status],
    [422, true, 303],
  )
})

test('the form lists the documents of the chosen version', async () => {
  const path = await addThesis('chosen')
  const form = (await author.get(`${path}?ref=refs/heads/thesis&doc=supplement`)).text
  assert.deepEqual(optionsOf(form, 'document'), ['supplement (selected)', 'thesis'])
})

test('a document that the chosen version does not have is refused at its field', async () => {
  const path = await addThesis('refused')
  const fields = { ref: 'refs/heads/main', document: 'supplement', days: '30' }
  const { status, text } = await author.submit(path, path, fields)
  assert.deepEqual(
    [
      status,
      [...text.matchAll(/id="(\S+)"[^<>]*>main has no document supplement\. Choose another one\.</g)].map(
        ([, id]) => id,
      ),
      optionsOf(text, 'document'),
    ],
    [422, ['document-problem'], ['supplement (selected)', 'main']],
  )
})

test('the form preselects a branch beyond the 200 listed ones', async () => {
  await host.addRepository(alice, 'branches', 'private')
  const checkout = await host.makeCheckout(host.gitUrl('alice/branches.git', token), { 'notes.md': 'No document.' })
  const names = Array.from({ length: 202 }, (_, at) => `HEAD:refs/heads/branch-${at + 1}`)
  await checkout.git('push', 'origin', 'main', ...names)
  const { text } = await author.get('/alice/branches/settings/share?ref=refs/heads/branch-202')
  assert.deepEqual(
    optionsOf(text, 'ref').filter((option) => option.endsWith('(selected)')),
    ['branch-202 (selected)'],
  )
})

/** Adds a repository with one document on `main` and two on `thesis`; returns the path of its share form. */
async function addThesis(name: string): Promise<string> {
  const { id } = await host.addRepository(alice, name, 'private')
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), paper('Paper.'))
  await checkout.git('push', 'origin', 'main')
  await checkout.git('switch', '-c', 'thesis')
  await checkout.git('mv', 'main.tex', 'thesis.tex')
  await checkout.commit({ 'supplement.tex': paper('Supplement.')['main.tex'] ?? '' })
  await checkout.git('push', 'origin', 'thesis')
  await host.whenBuilt(id)
  return `/alice/${name}/settings/share`
}

/** Labels of the options of a select; the selected one is marked. */
function optionsOf(page: string, id: string): readonly string[] {
  const [, select = ''] = new RegExp(`<select id="${id}"([^]*?)</select>`).exec(page) ?? []
  return [...select.matchAll(/<option([^>]*)>([^<]*)/g)].map(
    ([, attributes = '', label = '']) => label + (attributes.includes('selected') ? ' (selected)' : ''),
  )
}

/** The versions in the lists of links, and the text of the closed list. */
function linksOf(page: string) {
  const [active = '', ended = ''] = page.split('<details class="ended-links">')
  const versions = (list: string) => [...list.matchAll(/<th scope="row">([^ ]+)/g)].map(([, version]) => version)
  const summary = /<summary>([^<]*)<\/summary>/.exec(ended)?.[1]?.trim()
  return { active: versions(active), summary, ended: versions(ended) }
}

/** Submits the form; returns the address without the host. */
async function makeLink(ref: string): Promise<string> {
  return addressIn(await follow(await author.submit(settings, settings, { ref, days: '30' })))
}

/** The page that a form redirects to. */
async function follow({ status, headers }: RawResponse): Promise<string> {
  assert.equal(status, 303)
  return (await author.get(headers.location ?? '')).text
}

/** The address of the new link on the settings page, without the host. */
function addressIn(page: string): string {
  return /id="made"[^>]*value="http:\/\/[^/]+(\/s\/[\w-]+)"/.exec(page)?.[1] ?? ''
}

async function share(ref: string, expiresAt: number | null, id = repositoryId): Promise<CreatedShareLink> {
  const created = await createShareLink(
    { store: host.deps.store, dataDir: host.deps.config.dataDir },
    { repositoryId: id, userId: alice.id, ref, document: null, expiresAt },
  )
  assert.ok(created)
  return created
}

async function statusOf(path: string): Promise<number> {
  return (await sendRequest(host.origin, { target: path })).status
}

async function textOf(path: string): Promise<string> {
  const answer = await fetch(host.origin + path)
  return (await readPdfText(new Uint8Array(await answer.arrayBuffer()))).replace(/ \d+ $/, '').trim()
}

async function addPerson(login: string): Promise<User> {
  const outcome = await addTestUser(host.deps.store, { login, password })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

async function signIn(login: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name: login, password })
  return client
}
