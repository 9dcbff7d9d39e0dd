import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { User } from '../../src/domain/types.ts'
import { importGit, parseGitAddress, type GitImport } from '../../src/operations/import/import-git.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'

const source = '\\documentclass{article}\\begin{document}Tides\\end{document}\n'

let host: PaperHost
let alice: User
let commitId: string
let server: Server
let serverOrigin: string
const requests: string[] = []

before(async () => {
  host = await openPaperHost()
  const added = await host.addUser('alice')
  alice = added.user
  await host.addRepository(alice, 'source')
  await host.addRepository(alice, 'empty')
  const checkout = await host.makeCheckout(host.gitUrl('alice/source.git', added.token), { 'main.tex': source })
  commitId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('branch', 'draft')
  await checkout.git('tag', '--annotate', '--message', 'Submitted', 'v1')
  await checkout.git('push', '--quiet', 'origin', 'main', 'draft', 'v1')
  await host.addRepository(alice, 'large')
  const noise = randomBytes(300_000).toString('base64')
  const large = await host.makeCheckout(host.gitUrl('alice/large.git', added.token), { 'noise.txt': noise })
  await large.git('push', '--quiet', 'origin', 'main')
  server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const isRedirect = request.url?.startsWith('/redirect') === true
    if (isRedirect)
      response.writeHead(302, { location: `${host.origin}/alice/source.git/info/refs?service=git-upload-pack` })
    if (request.url?.startsWith('/wrong') === true)
      response.setHeader('content-type', 'application/x-git-upload-pack-advertisement')
    // A server that stops in the middle of an answer.
    if (request.url?.startsWith('/slow') === true) response.write('001e# service')
    else if (request.url?.startsWith('/broken') === true) response.destroy()
    else if (request.url?.startsWith('/busy') === true) response.writeHead(503).end()
    else if (request.url?.startsWith('/cut') === true) void cutPack(request, response, 20)
    else if (request.url?.startsWith('/stuck') === true) void cutPack(request, response, 100_000)
    else response.end('<p>Hello.</p>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  serverOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await host.close()
})

/** Passes requests on to a repository of alice, with only the start of the pack. `/cut` also closes the connection. */
async function cutPack(request: IncomingMessage, response: ServerResponse, packBytes: number): Promise<void> {
  const { method, url = '', headers } = request
  const sent = ['content-type', 'git-protocol'].map((name) => [name, String(headers[name] ?? '')] as const)
  const body = method === 'POST' ? { body: Buffer.concat(await request.toArray()) } : {}
  const answer = await fetch(host.origin + url.replace(/^\/\w+\//, '/alice/'), {
    method: method ?? 'GET',
    headers: Object.fromEntries(sent),
    ...body,
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const at = bytes.indexOf('PACK')
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  if (at === -1) response.end(bytes)
  else response.write(bytes.subarray(0, at + packBytes), () => url.startsWith('/cut') && response.destroy())
}

function importFrom(
  address: string,
  name: string,
  isPrivateImportAllowed = true,
  options: Pick<GitImport, 'lookup' | 'timeoutMs'> = {},
) {
  const details = {
    owner: alice,
    name,
    description: null,
    visibility: 'private',
    authorEmail: 'noreply@localhost',
    projectUrl: host.origin,
  } as const
  const deps = { ...host.deps, config: { ...host.deps.config, isPrivateImportAllowed } }
  return importGit(deps, { details, address, onStep: () => {}, signal: AbortSignal.timeout(120_000), ...options })
}

/** Downloads on disk. */
function listDownloads(): Promise<readonly string[]> {
  return readdir(join(host.deps.config.dataDir, 'tmp', 'fetches'))
}

test('importGit() imports branches, tags and history, and builds them', async () => {
  const outcome = await importFrom(`${host.origin}/alice/source.git`, 'tides')
  const repository = outcome.kind === 'created' ? outcome.repository : null
  assert.ok(repository, JSON.stringify(outcome))
  await host.whenBuilt(repository.id)
  const { git, store } = host.deps
  const builds = await store.builds.list(repository.id, { limit: 10, offset: 0 })
  assert.deepEqual(
    [
      await git.listBranches(repository.id),
      (await git.findTagNote(repository.id, 'v1'))?.message,
      [...new Set(builds.map(({ state }) => state))],
      await listDownloads(),
    ],
    [
      [
        { name: 'draft', commitId },
        { name: 'main', commitId },
      ],
      'Submitted',
      ['succeeded'],
      [],
    ],
  )
})

test('importGit() sends no request to a private network unless a setting allows it', async () => {
  const port = new URL(serverOrigin).port
  const spellings = {
    '127.0.0.1': ['127.0.0.1', '2130706433', '017700000001', '0x7f000001', '0177.1', '0x7f.1', '127.1', '127.0.0.1.'],
    '0.0.0.0': ['0', '0.0.0.0'],
    localhost: ['localhost', 'LOCALHOST'],
    '[::1]': ['[::1]', '[0:0:0:0:0:0:0:1]'],
    '[::ffff:7f00:1]': ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    '[64:ff9b::7f00:1]': ['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]'],
    '[2002:7f00:1::]': ['[2002:7f00:1::]'],
  }
  const addresses = Object.values(spellings).flat()
  const outcomes = await Promise.all(
    addresses.map((name) => importFrom(`http://${name}:${port}/paper.git`, 'inner', false)),
  )
  assert.deepEqual(
    [outcomes, requests.filter((path) => path.startsWith('/paper'))],
    [
      Object.entries(spellings).flatMap(([name, { length }]) =>
        Array.from({ length }, () => ({
          kind: 'refused',
          problem: `${name} was not found, or is in a private network.`,
        })),
      ),
      [],
    ],
  )
})

test('importGit() follows no redirect, and creates nothing of what is no repository', async () => {
  const before = host.logged().length
  const outcomes = [
    await importFrom(`${serverOrigin}/redirect/paper.git`, 'moved'),
    await importFrom(`${serverOrigin}/page`, 'page'),
    await importFrom(`${host.origin}/alice/none.git`, 'none'),
    await importFrom(`${host.origin}/alice/empty.git`, 'nothing'),
  ]
  const created = await Promise.all(
    ['moved', 'page', 'none', 'nothing'].map((name) => host.deps.store.repositories.findByName('alice', name)),
  )
  assert.deepEqual(
    [outcomes, /source\.git/.test(host.logged().slice(before)), created, await listDownloads()],
    [
      [
        'The server redirects to another address. Use the clone URL shown there.',
        'No branch was found: the repository is empty, or the address is not a clone URL.',
        'The repository is private or does not exist.',
        'No branch was found: the repository is empty, or the address is not a clone URL.',
      ].map((problem) => ({ kind: 'refused', problem })),
      false,
      [null, null, null, null],
      [],
    ],
  )
})

test('importGit() resolves the name once, and git connects to the checked address whatever later answers say', async () => {
  // The name server of an attacker: the first answer is allowed, the next one leads elsewhere.
  const answers = ['127.0.0.1', '127.0.0.2']
  const asked: string[] = []
  const lookup = async (name: string) => {
    asked.push(name)
    return [{ address: answers[asked.length - 1] ?? '' }]
  }
  const address = `${host.origin.replace('127.0.0.1', 'rebinding.example')}/alice/source.git`
  const outcome = await importFrom(address, 'bound', true, { lookup })
  assert.deepEqual([outcome.kind, asked], ['created', ['rebinding.example']])
})

test('importGit() refuses names that curl reads as an option, and resolves none of them', async () => {
  const asked: string[] = []
  const lookup = async (name: string) => {
    asked.push(name)
    return [{ address: '127.0.0.1' }]
  }
  const names = ['+rebinding.example', '-rebinding.example', '*', 'a,b.example', 'rebinding.example.', 'a'.repeat(254)]
  const outcomes = await Promise.all(
    names.map((name) => importFrom(serverOrigin.replace('127.0.0.1', name), 'option', true, { lookup })),
  )
  assert.deepEqual(
    [outcomes, asked],
    [names.map((name) => ({ kind: 'refused', problem: `${name} was not found, or is in a private network.` })), []],
  )
})

test('importGit() sends no request if the name leads to a private address', async () => {
  const lookup = async () => [{ address: '127.0.0.1' }, { address: '::ffff:10.0.0.1' }]
  const address = serverOrigin.replace('127.0.0.1', 'inner.example')
  const outcome = await importFrom(`${address}/inner.git`, 'inner', false, { lookup })
  assert.deepEqual(
    [outcome, requests.filter((path) => path.startsWith('/inner'))],
    [{ kind: 'refused', problem: 'inner.example was not found, or is in a private network.' }, []],
  )
})

test('importGit() reports a slow, a broken, a wrong, a busy and a missing server and a lost connection, and leaves nothing behind', async () => {
  const outcomes = [
    await importFrom(`${serverOrigin}/slow/paper.git`, 'slow', true, { timeoutMs: 1_000 }),
    await importFrom(`${serverOrigin}/broken/paper.git`, 'broken'),
    await importFrom(`${serverOrigin}/wrong/paper.git`, 'wrong'),
    await importFrom(`${serverOrigin}/busy/paper.git`, 'busy'),
    await importFrom(`${serverOrigin}/cut/source.git`, 'cut'),
    // No server listens on this port.
    await importFrom('http://127.0.0.1:1/paper.git', 'down'),
  ]
  const created = await Promise.all(
    ['slow', 'broken', 'wrong', 'busy', 'cut', 'down'].map((name) =>
      host.deps.store.repositories.findByName('alice', name),
    ),
  )
  assert.deepEqual(
    [outcomes, created, await listDownloads()],
    [
      [
        'The download timed out.',
        'The server did not respond like a git server. Check the address.',
        'The server did not respond like a git server. Check the address.',
        'The server is overloaded or not available.',
        'The connection was lost during the download.',
        'The server could not be reached.',
      ].map((problem) => ({ kind: 'refused', problem })),
      [null, null, null, null, null, null],
      [],
    ],
  )
})

test('importGit() refuses a shallow repository, from which git downloads only some refs', async () => {
  const { id } = await host.addRepository(alice, 'shallow')
  const remote = host.gitUrl('alice/shallow.git', await host.addToken(alice, ['repo:write']))
  const checkout = await host.makeCheckout(remote, { 'main.tex': source })
  const root = (await checkout.git('rev-parse', 'HEAD:main.tex')).stdout.trim()
  const last = await checkout.commit({ 'main.tex': `${source}% More\n` })
  await checkout.git('tag', 'source', root)
  await checkout.git('push', '--quiet', 'origin', 'main', 'source')
  await writeFile(join(host.deps.git.gitDir(id), 'shallow'), `${last}\n`)
  const outcome = await importFrom(`${host.origin}/alice/shallow.git`, 'part')
  const problem = 'The repository is a shallow clone: a part of its history is missing.'
  assert.deepEqual([outcome, await listDownloads()], [{ kind: 'refused', problem }, []])
})

test('a user imports from git on the page, without script', async () => {
  const password = 'nine trees by the river'
  await addTestUser(host.deps.store, { login: 'bob', password })
  const bob = openWebClient(host.origin)
  await bob.submit('/login', '/login', { name: 'bob', password })
  const address = `${host.origin}/alice/source.git`
  const started = await bob.submit('/import/git', '/import/git', { address, name: '', visibility: 'public' })
  const page = String(started.headers['location'])
  const over = await eventually(() => bob.get(page), { within: 120_000, until: ({ status }) => status !== 200 })
  const repository = await host.deps.store.repositories.findByName('bob', 'source')
  assert.deepEqual(
    [started.status, over.status, over.headers['location'], repository?.visibility],
    [303, 303, '/bob/source', 'public'],
  )
})

test('the page of an import shows how much has arrived, and cancels it', async () => {
  const password = 'nine trees by the river'
  await addTestUser(host.deps.store, { login: 'dora', password })
  const dora = openWebClient(host.origin)
  await dora.submit('/login', '/login', { name: 'dora', password })
  const address = `${serverOrigin}/stuck/large.git`
  const started = await dora.submit('/import/git', '/import/git', { address, name: '', visibility: 'private' })
  const page = String(started.headers['location'])
  const arrived = await eventually(() => dora.get(page), {
    within: 60_000,
    until: ({ text }) => text.includes(' kB …'),
  })
  const cancelled = await dora.submit(page, `${page}/cancel`, {})
  const over = await eventually(() => dora.get(page), { within: 60_000, until: ({ text }) => !text.includes('◌') })
  const repository = await host.deps.store.repositories.findByName('dora', 'large')
  assert.deepEqual(
    [
      /Downloading the repository: [\d.]+ kB …/.test(arrived.text),
      [cancelled.status, cancelled.headers['location']],
      [over.text.includes('The import was cancelled.'), over.text.includes('Cancel import')],
      repository,
      await listDownloads(),
    ],
    [true, [303, page], [true, false], null, []],
  )
})

test('an import cannot be cancelled by another user', async () => {
  const password = 'nine trees by the river'
  const [erin, frank] = [openWebClient(host.origin), openWebClient(host.origin)]
  for (const [login, client] of [['erin', erin] as const, ['frank', frank] as const]) {
    await addTestUser(host.deps.store, { login, password })
    await client.submit('/login', '/login', { name: login, password })
  }
  const address = `${serverOrigin}/slow/paper.git`
  const started = await erin.submit('/import/git', '/import/git', { address, name: '', visibility: 'private' })
  const page = String(started.headers['location'])
  const refused = await frank.submit('/import/git', `${page}/cancel`, {})
  const running = await erin.get(page)
  await erin.submit(page, `${page}/cancel`, {})
  assert.deepEqual([refused.status, running.text.includes('Cancel import')], [404, true])
})

test('a name that is taken is refused on the form, before anything is downloaded', async () => {
  const password = 'nine trees by the river'
  const added = await addTestUser(host.deps.store, { login: 'carol', password })
  assert.equal(added.kind, 'added')
  if (added.kind !== 'added') return
  await host.addRepository(added.user, 'source')
  const carol = openWebClient(host.origin)
  await carol.submit('/login', '/login', { name: 'carol', password })
  const address = `${serverOrigin}/taken/source.git`
  const refused = await carol.submit('/import/git', '/import/git', { address, name: '', visibility: 'public' })
  assert.deepEqual(
    [
      refused.status,
      refused.text.includes('carol/source already exists. Choose another name.'),
      refused.text.includes(`value="${address}"`),
      requests.filter((path) => path.startsWith('/taken')),
    ],
    [422, true, true, []],
  )
})

test('parseGitAddress() refuses other protocols, local paths and passwords', () => {
  const addresses = ['ssh://git@example.org/a', 'file:///etc', '/etc', 'ext::sh', 'https://alice:secret@example.org/a']
  assert.deepEqual(
    addresses.map((address) => typeof parseGitAddress(address)),
    ['string', 'string', 'string', 'string', 'string'],
  )
})
