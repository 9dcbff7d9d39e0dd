import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { createToken } from '../../src/accounts/tokens/create-token.ts'
import { fetchMirror } from '../../src/operations/import/fetch-mirror.ts'
import { openMirrors, pauseAfter } from '../../src/operations/import/open-mirrors.ts'
import type { Repository, User } from '../../src/domain/types.ts'
import type { MirrorState } from '../../src/store/repositories/mirrors.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openWebClient, type WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const source = (text: string): string => `\\documentclass{article}\\begin{document}${text}\\end{document}\n`

let host: PaperHost
let bob: User
let browser: WebClient
let checkout: Checkout
let server: Server
let mirror: Repository
let fetching: { close(): Promise<void> }
/** Behavior of the source server. */
let mode: 'works' | 'missing' | 'slow' | 'wrong' | 'redirect' = 'works'

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  await host.addRepository(alice.user, 'source')
  checkout = await host.makeCheckout(host.gitUrl('alice/source.git', alice.token), { 'main.tex': source('one') })
  await checkout.git('branch', 'draft')
  await checkout.git('tag', 'v1')
  await checkout.git('push', '--quiet', 'origin', 'main', 'draft', 'v1')
  server = createServer((request, response) => void serveSource(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await addTestUser(host.deps.store, { login: 'bob', password })
  const added = await host.deps.store.users.findByLogin('bob')
  assert.ok(added)
  bob = added
  browser = openWebClient(host.origin)
  await browser.submit('/login', '/login', { name: 'bob', password })
  mirror = await importMirror()
  fetching = openMirrors(host.deps, { lookEveryMs: 50, timeoutMs: 3_000 })
})
after(async () => {
  await fetching.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await host.close()
})

/** Passes requests on to the repository of alice, unless `mode` is different. */
async function serveSource(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (mode === 'missing') return void response.writeHead(404).end()
  if (mode === 'slow') return void response.write('001e# service')
  if (mode === 'wrong') return void response.end('<p>Hello.</p>')
  if (mode === 'redirect') return void response.writeHead(302, { location: host.origin + request.url }).end()
  const { method, url, headers } = request
  const body = method === 'POST' ? { body: Buffer.concat(await request.toArray()) } : {}
  const sent = ['content-type', 'accept', 'git-protocol', 'content-encoding'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  )
  const answer = await fetch(host.origin + url, { method: method ?? 'GET', headers: Object.fromEntries(sent), ...body })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(Buffer.from(await answer.arrayBuffer()))
}

async function importMirror(): Promise<Repository> {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alice/source.git`
  const fields = { address, name: 'tides', visibility: 'public', mirror: 'yes' }
  const started = await browser.submit('/import/git', '/import/git', fields)
  const page = String(started.headers['location'])
  await eventually(() => browser.get(page), { within: 60_000, until: ({ status }) => status !== 200 })
  const repository = await host.deps.store.repositories.findByName('bob', 'tides')
  assert.ok(repository)
  return repository
}

/** Fetches with the button of the page, and waits for the outcome. */
async function fetchNow(): Promise<MirrorState> {
  const path = '/bob/tides/settings/mirror'
  const { store } = host.deps
  await browser.submit(path, path, { do: 'fetch' })
  const state = await eventually(() => store.mirrors.find(mirror.id), {
    within: 30_000,
    until: (found) => found?.isFetching === false && found.dueAt > Date.now(),
  })
  assert.ok(state)
  return state
}

/** Branches and tags of the mirror. */
async function listRefs(): Promise<Readonly<Record<string, string>>> {
  const { git } = host.deps
  const [branches, tags] = await Promise.all([git.listBranches(mirror.id), git.listTags(mirror.id)])
  return Object.fromEntries([...branches, ...tags].map(({ name, commitId }) => [name, commitId]))
}

/** The text of a page without its tags. */
async function readPage(path: string): Promise<string> {
  return (await browser.get(path)).text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
}

test('a fetch brings new commits, branches and tags, and queues their builds', async () => {
  const commitId = await checkout.commit({ 'main.tex': source('two') })
  await checkout.git('branch', 'talk')
  await checkout.git('tag', 'v2')
  await checkout.git('push', '--quiet', 'origin', 'main', 'talk', 'v2')
  const { problem } = await fetchNow()
  const first = (await checkout.git('rev-parse', 'v1')).stdout.trim()
  const builds = await host.deps.store.builds.list(mirror.id, { limit: 10, offset: 0 })
  assert.deepEqual(
    [
      problem,
      await listRefs(),
      builds
        .filter((build) => build.commitId === commitId)
        .map(({ ref }) => ref)
        .toSorted(),
    ],
    [
      null,
      { draft: first, main: commitId, talk: commitId, v1: first, v2: commitId },
      ['refs/heads/main', 'refs/heads/talk', 'refs/tags/v2'],
    ],
  )
})

test('a rewritten source is followed, and the page names what was rewritten', async () => {
  await checkout.git('commit', '--quiet', '--amend', '--message', 'Rewritten')
  await checkout.git('tag', '--force', 'v2')
  await checkout.git('push', '--quiet', '--force', 'origin', 'main', 'v2')
  await checkout.git('push', '--quiet', '--delete', 'origin', 'talk')
  const { problem, rewritten } = await fetchNow()
  const commitId = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const first = (await checkout.git('rev-parse', 'v1')).stdout.trim()
  assert.deepEqual(
    [problem, rewritten?.refs.toSorted(), await listRefs()],
    [null, ['main', 'v2'], { draft: first, main: commitId, v1: first, v2: commitId }],
  )
  assert.match(
    await readPage('/bob/tides/settings/mirror'),
    /The history of (main, v2|v2, main) was rewritten in the source/,
  )
})

test('a branch can take the place of a folder of branches, and become the default branch', async () => {
  await checkout.git('push', '--quiet', '--delete', 'origin', 'draft')
  await checkout.git('push', '--quiet', 'origin', 'main:draft/one')
  const from = await host.deps.store.repositories.findByName('alice', 'source')
  assert.ok(from)
  await host.deps.store.repositories.change(from.id, { defaultBranch: 'draft/one' })
  await host.deps.git.setDefaultBranch(from.id, 'draft/one')
  const { problem } = await fetchNow()
  const fetched = await host.deps.store.repositories.findByName('bob', 'tides')
  assert.deepEqual(
    [problem, fetched?.defaultBranch, Object.keys(await listRefs())],
    [null, 'draft/one', ['draft/one', 'main', 'v1', 'v2']],
  )
})

for (const [failure, expected] of [
  ['missing', 'No repository was found at this address.'],
  ['slow', 'The download timed out.'],
  ['wrong', 'No branch was found: the repository is empty, or the address is not a clone URL.'],
  ['redirect', 'The server redirects to another address. Use the clone URL shown there.'],
] as const)
  test(`a source that is ${failure} leaves the mirror as it is, and both pages say why`, async () => {
    const before = await listRefs()
    mode = failure
    const { problem, failureCount } = await fetchNow()
    mode = 'works'
    const pages = [await readPage('/bob/tides'), await readPage('/bob/tides/settings/mirror')]
    assert.deepEqual(
      [problem, failureCount > 0, await listRefs(), pages.map((page) => page.includes(expected))],
      [expected, true, before, [true, true]],
    )
  })

test('a source that has become a shallow clone deletes no branch of the mirror', async () => {
  const from = await host.deps.store.repositories.findByName('alice', 'source')
  assert.ok(from)
  const before = await listRefs()
  const last = await checkout.commit({ 'main.tex': source('shallow') })
  await checkout.git('push', '--quiet', 'origin', 'main')
  const list = join(host.deps.git.gitDir(from.id), 'shallow')
  await writeFile(list, `${last}\n`)
  const { problem } = await fetchNow()
  await rm(list)
  assert.deepEqual(
    [problem, await listRefs()],
    ['The repository is a shallow clone: a part of its history is missing.', before],
  )
})

test('a mirror that is archived during a fetch keeps its refs', async () => {
  const { git, store } = host.deps
  await checkout.commit({ 'main.tex': source('three') })
  await checkout.git('push', '--quiet', 'origin', 'main')
  const before = await listRefs()
  const archiving: typeof git = {
    ...git,
    async takeFetched(id, dir) {
      await git.takeFetched(id, dir)
      await store.repositories.change(id, { isArchived: true })
    },
  }
  const options = { signal: new AbortController().signal, timeoutMs: 10_000 }
  const outcome = await fetchMirror({ ...host.deps, git: archiving }, mirror, options)
  await store.repositories.change(mirror.id, { isArchived: false })
  assert.deepEqual(
    [outcome, await listRefs()],
    [{ kind: 'failed', problem: 'The repository was archived or changed during the fetch.' }, before],
  )
})

test('a mirror rejects pushes with its reason, and offers no edits', async () => {
  const { text: token } = await createToken(host.deps.store, {
    userId: bob.id,
    name: 'push',
    scopes: ['repo:write'],
    expiresAt: null,
  })
  const push = await checkout.git('push', host.gitUrl('bob/tides.git', token), 'main:new')
  const edit = await browser.get('/bob/tides/edit/main/main.tex')
  assert.match(push.stderr, /bob\/tides is a mirror of http:\/\/127\.0\.0\.1:\d+\/alice\/source\.git and is read-only/)
  assert.equal(edit.status, 404)
  assert.match(edit.text, /This repository is a mirror and cannot be changed/)
})

for (const [state, change] of [
  ['archived', { isArchived: true }],
  ['disabled', { isDisabled: true }],
] as const)
  test(`the page of a mirror whose repository is ${state} does not wait for a fetch`, async () => {
    const { mirrors, repositories } = host.deps.store
    await repositories.change(mirror.id, change)
    await mirrors.setDue(mirror.id, Date.now() - 60_000)
    const { status, text } = await browser.get('/bob/tides/settings/mirror')
    await mirrors.setDue(mirror.id, Date.now() + 3_600_000)
    await repositories.change(mirror.id, { isArchived: false, isDisabled: false })
    assert.deepEqual(
      [status, ...['Fetching …', 'Fetch now', 'http-equiv="refresh"'].filter((part) => text.includes(part))],
      [200],
    )
    assert.match(text, new RegExp(`It is not fetched while the repository is ${state}.`))
  })

test('an ended mirror is an ordinary repository', async () => {
  const path = '/bob/tides/settings/mirror'
  await browser.submit(path, path, { do: 'end' })
  const { store } = host.deps
  const edit = await browser.get('/bob/tides/edit/main/main.tex')
  assert.deepEqual(
    [
      (await store.repositories.findByName('bob', 'tides'))?.mirrorUrl,
      await store.mirrors.find(mirror.id),
      edit.status,
      (await browser.get(path)).status,
    ],
    [null, null, 200, 404],
  )
})

test('the slow sources of one owner do not delay the mirror of another', async (context) => {
  await fetching.close()
  const requested: string[] = []
  const silent = createServer(({ url }) => void requested.push(url?.split('/')[1] ?? ''))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { user: carol } = await host.addUser('carol')
  for (const [dueAt, [owner, name]] of (
    [
      [bob, 'a'],
      [bob, 'b'],
      [carol, 'c'],
    ] as const
  ).entries()) {
    const { id } = await host.addRepository(owner, name)
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/${name}/paper.git`
    await host.deps.store.mirrors.add(id, { url, at: 0, dueAt })
  }
  const slow = openMirrors(host.deps, { lookEveryMs: 50, timeoutMs: 60_000 })
  context.after(async () => {
    await slow.close()
    silent.closeAllConnections()
    silent.close()
  })
  await eventually(() => requested, { within: 20_000, until: ({ length }) => length >= 2 })
  assert.deepEqual(requested.toSorted(), ['a', 'c'])
})

test('a fetch that runs stays reserved for its server, and one that a crash interrupted begins again soon', async (context) => {
  await fetching.close()
  let requests = 0
  const silent = createServer(() => void (requests += 1))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { mirrors } = host.deps.store
  const { id } = await host.addRepository(bob, 'lasting')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/paper.git`
  await mirrors.add(id, { url, at: 0, dueAt: 0 })
  // Another process took it and crashed.
  const now = Date.now()
  await mirrors.take({ now, until: now + 1_000, busyOwnerIds: [] })
  const slow = openMirrors(host.deps, { lookEveryMs: 50, timeoutMs: 60_000, leaseMs: 1_000 })
  context.after(async () => {
    await slow.close()
    silent.closeAllConnections()
    silent.close()
  })
  await eventually(() => requests, { within: 20_000, until: (count) => count > 0 })
  const reserved = await mirrors.find(id)
  await eventually(() => mirrors.find(id), {
    within: 20_000,
    until: (state) => state !== null && reserved !== null && state.dueAt > reserved.dueAt + 1_000,
  })
  assert.deepEqual([(await mirrors.find(id))?.isFetching, requests], [true, 1])
})

test('pauseAfter() doubles with each failure, up to a day, and spreads by a tenth', () => {
  const hour = 3_600_000
  assert.deepEqual(
    [0, 1, 2, 10].map((failures) => pauseAfter(failures, hour, 0.5)),
    [hour, 2 * hour, 4 * hour, 24 * hour],
  )
  assert.deepEqual([pauseAfter(0, hour, 0), pauseAfter(0, 48 * hour, 1)], [0.9 * hour, 52.8 * hour])
})
