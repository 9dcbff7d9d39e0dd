import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'

import { repositoryPath } from '../../src/git/admin/repository-path.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

let site: FilledSite
let alice: WebClient
let bob: WebClient
let anonymous: WebClient

before(async () => {
  site = await openFilledSite()
  alice = await site.signIn('alice')
  bob = await site.signIn('bob')
  anonymous = openWebClient(site.origin)
})
after(() => site.close())

/** Addresses of the repositories of a list, in order. */
async function listed(client: WebClient, path: string): Promise<string[]> {
  const { status, text } = await client.get(path)
  assert.equal(status, 200)
  return [...text.matchAll(/<a href="([^"]+)" data-row/g)].map(([, href]) => href ?? '')
}

/** The items that need attention, as plain text. */
async function attention(client: WebClient): Promise<string> {
  const part = /<section class="attention"[\s\S]*?<\/section>/.exec((await client.get('/')).text)?.[0] ?? ''
  return part
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

async function repositoryId(name: string): Promise<number> {
  const repository = await site.host.deps.store.repositories.findByName('alice', name)
  assert.ok(repository)
  return repository.id
}

test('GET / lists the viewer’s own repositories, the private ones with a lock', async () => {
  assert.deepEqual(await listed(alice, '/?sort=name'), [
    '/alice/draft',
    '/alice/empty',
    '/alice/followed',
    '/alice/tides',
  ])
  const { text } = await alice.get('/?q=draft')
  assert.match(text, /data-row[\s\S]*?class="lock"[\s\S]*?private/)
})

test('GET / names the first error of a branch whose newest commit failed, with its place', async () => {
  assert.match(
    await attention(alice),
    /&#10005; built with errors alice\/tides main sections\/intro\.tex:1 \\oceanography is not defined/,
  )
  assert.equal(await attention(bob), '')
})

test('GET / does not mention a deleted branch', async () => {
  const { git, store } = site.host.deps
  const id = await repositoryId('draft')
  const [newest] = await store.builds.list(id, { limit: 1, offset: 0 })
  const first = await store.builds.find(newest?.id ?? 0)
  assert.ok(first && first.state === 'failed' && (await git.findBranch(id, 'main')))
  const gone = await store.builds.add({ ...first, ref: 'refs/heads/gone' })
  await store.builds.finish(gone.id, { ...first, state: 'failed' })
  assert.doesNotMatch(await attention(alice), /gone/)
})

test('GET / warns about a token that expires within a week, unless its lifetime was shorter', async (t) => {
  const user = await site.host.deps.store.users.findByLogin('bob')
  assert.ok(user)
  const now = Date.now()
  await site.host.addToken(user, [], now + 30 * 86_400_000)
  await site.host.addToken(user, [], now + 3.5 * 86_400_000)
  assert.equal(await attention(bob), '')
  const clock = t.mock.method(Date, 'now', () => now - 20 * 86_400_000)
  await site.host.addToken(user, [], now + 3.4 * 86_400_000)
  clock.mock.restore()
  assert.equal(await attention(bob), 'Needs attention ! token expires in 3 d test')
})

test('GET / shows the pushes of others to shared repositories, once per branch', async () => {
  const { deps } = site.host
  const [id, user] = [await repositoryId('draft'), await deps.store.users.findByLogin('bob')]
  assert.ok(user)
  assert.doesNotMatch((await alice.get('/')).text, /Recent activity/)
  await deps.store.repositories.setCollaborator(id, user.id, 'push')
  const url = site.host.gitUrl('alice/draft.git', await site.host.addToken(user, ['repo:write']))
  const checkout = await site.host.makeCheckout(url, { 'a.txt': 'a\n' })
  await checkout.git('push', 'origin', 'main:refs/heads/bobs')
  await checkout.commit({ 'a.txt': 'b\n' }, 'Answer the <referee>')
  await checkout.git('push', 'origin', 'main:refs/heads/bobs')
  const told = (await alice.get('/')).text.split('id="activity"')[1] ?? ''
  assert.equal(told.split('</section>')[0]?.match(/<li>/g)?.length, 1)
  assert.match(
    told,
    /href="\/bob">bob<\/a> pushed to\s+<a href="\/alice\/draft\/commits\/bobs">[\s\S]*Answer the &lt;referee&gt;/,
  )
  assert.doesNotMatch((await bob.get('/')).text.split('id="activity"')[1] ?? '', /pushed to[\s\S]*bobs/)
  await deps.store.repositories.removeCollaborator(id, user.id)
  assert.doesNotMatch((await bob.get('/')).text, /draft/)
})

test('GET / filters by text and links back to all repositories', async () => {
  assert.deepEqual(await listed(alice, '/?q=TID'), ['/alice/tides'])
  const { text } = await alice.get('/?q=%3Cscript%3E')
  assert.match(text, /No results for "&lt;script&gt;"/)
})

test('GET /?show=shared and ?show=starred list repositories for as long as the viewer has access', async () => {
  const { repositories } = site.host.deps.store
  const [draft, user] = [await repositoryId('draft'), await site.host.deps.store.users.findByLogin('bob')]
  assert.ok(user)
  await repositories.setCollaborator(draft, user.id, 'pull')
  await repositories.addStar(draft, user.id)
  const paths = ['/?show=shared', '/?show=starred', '/?show=mine', '/?show=public&sort=name']
  const before = await Promise.all(paths.map((path) => listed(bob, path)))
  await repositories.removeCollaborator(draft, user.id)
  const now = await Promise.all(paths.map((path) => listed(bob, path)))
  await repositories.removeStar(draft, user.id)
  const open = ['/alice/empty', '/alice/followed', '/alice/tides']
  assert.deepEqual(
    [before, now],
    [
      [['/alice/draft'], ['/alice/draft'], [], open],
      // A user without repositories sees the public papers first.
      [[], [], open, open],
    ],
  )
})

test('GET / shows a user without repositories how to start, and its button creates a token', async () => {
  const { text } = await bob.get('/')
  assert.match(text.replaceAll('<wbr />', ''), new RegExp(`git remote add texproof ${site.origin}/bob/tides\\.git`))
  await bob.submit('/', '/settings/tokens', { name: 'my laptop', access: 'write', days: '90' })
  assert.match((await bob.get('/settings/tokens')).text, /value="pst_[^"]+"/)
})

test('GET / shows anonymous viewers the public repositories with titles and first pages', async () => {
  const { text } = await anonymous.get('/')
  assert.match(text, /<h1>Push a paper, get a proof/)
  assert.match(text, /src="\/alice\/tides\/picture\/main\.png\?[^"]+"/)
  assert.match(text, /<a href="\/alice\/tides">The oceanography of tides<\/a>/)
  assert.doesNotMatch(text, /draft/)
})

test('GET /{owner} shows private repositories to their owner only', async () => {
  const found = await Promise.all([alice, bob, anonymous].map((client) => listed(client, '/alice?sort=name')))
  const open = ['/alice/empty', '/alice/followed', '/alice/tides']
  assert.deepEqual(found, [['/alice/draft', ...open], open, open])
  assert.match((await anonymous.get('/alice')).text, /joined\s*<time datetime=/)
})

test('GET /{owner}?show=stars lists what the user has starred and the viewer may see', async () => {
  const user = await site.host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  for (const name of ['draft', 'tides'])
    await site.host.deps.store.repositories.addStar(await repositoryId(name), user.id)
  const found = await Promise.all([alice, bob].map((client) => listed(client, '/alice?show=stars&sort=name')))
  assert.deepEqual(found, [['/alice/draft', '/alice/tides'], ['/alice/tides']])
})

test('GET / shows a repository whose files are missing as unavailable, and everything else', async () => {
  const { deps } = site.host
  const alicePerson = await deps.store.users.findByLogin('alice')
  assert.ok(alicePerson)
  const { id } = await site.host.addRepository(alicePerson, 'lost')
  await deps.git.removeRepository(id)
  const { text } = await alice.get('/?sort=name')
  assert.match(text, /\/alice\/lost" data-row[\s\S]*?unavailable/)
  await deps.store.repositories.remove(id)
})

test('GET /{owner}/{repo} of a repository whose files are missing is an error, and not an empty repository', async () => {
  const { deps } = site.host
  const owner = await deps.store.users.findByLogin('alice')
  assert.ok(owner)
  const { id } = await site.host.addRepository(owner, 'lost', 'public')
  await deps.git.removeRepository(id)
  const { status, text } = await anonymous.get('/alice/lost')
  const words = 'A file of this repository is damaged or missing. Report it to the administrator.'
  assert.deepEqual([status, text.includes(words)], [500, true])
  await deps.store.repositories.remove(id)
})

test('a damaged repository leaves the start page, new repositories and the search to all others', async () => {
  const { deps } = site.host
  const [owner, user] = await Promise.all(['alice', 'bob'].map((login) => deps.store.users.findByLogin(login)))
  assert.ok(owner && user)
  const { id } = await site.host.addRepository(owner, 'torn', 'public')
  await deps.store.repositories.setCollaborator(id, user.id, 'push')
  await deps.store.templates.offer(id)
  await deps.store.templates.setListed(id, true)
  const url = site.host.gitUrl('alice/torn.git', await site.host.addToken(user, ['repo:write']))
  const checkout = await site.host.makeCheckout(url, {
    'main.tex': '\\documentclass{article}\\title{T}\\begin{document}A\\end{document}\n',
  })
  await checkout.git('push', 'origin', 'main')
  await site.host.whenBuilt(id)
  // Drops what is cached of the commit.
  await site.host.restart()
  const gitDir = repositoryPath(join(deps.config.dataDir, 'repositories'), id)
  const statuses = async (): Promise<number[]> => {
    const pages = [anonymous.get('/'), alice.get('/'), alice.get('/new'), alice.get('/search?q=tide&in=files')]
    return (await Promise.all(pages)).map(({ status }) => status)
  }
  await rm(join(gitDir, 'objects/pack'), { recursive: true })
  for (const name of ['HEAD', 'HEAD^{tree}']) {
    const objectId = (await checkout.git('rev-parse', name)).stdout.trim()
    const file = join(gitDir, 'objects', objectId.slice(0, 2), objectId.slice(2))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'no object')
  }
  const withoutObjects = await statuses()
  await writeFile(join(gitDir, 'refs/heads/main'), 'no id')
  const withoutRef = await statuses()
  await site.host.deps.store.repositories.remove(id)
  assert.deepEqual([withoutObjects, withoutRef], [Array(4).fill(200), Array(4).fill(200)])
})

test('GET / offers a user without repositories to push, to import, and to start from a template', async () => {
  const steps = /<div class="first-steps">([^]*?)<\/section>/.exec((await bob.get('/')).text)?.[1] ?? ''
  assert.deepEqual(
    [...steps.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href),
    ['/new?name=tides', '/import', '/import/git'],
  )
})
