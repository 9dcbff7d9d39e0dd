/** Disabling a repository: who can still see it, and the effect on pushes and builds. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import type { Checkout } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const address = '/admin/repos/bob/waves'
const reason = 'Contains a copyrighted book.'

let site: FilledSite
let alice: WebClient
let bob: WebClient
let anonymous: WebClient
let repositoryId: number
let bobToken: string
let aliceToken: string
let checkout: Checkout

before(async () => {
  site = await openFilledSite()
  const { host } = site
  const { users } = host.deps.store
  alice = await site.signIn('alice')
  bob = await site.signIn('bob')
  anonymous = openWebClient(site.origin)
  const [owner, admin] = [await users.findByLogin('bob'), await users.findByLogin('alice')]
  assert.ok(owner !== null && admin !== null)
  bobToken = await host.addToken(owner, ['repo:write'])
  aliceToken = await host.addToken(admin, ['repo:write'])
  repositoryId = (await host.addRepository(owner, 'waves')).id
  checkout = await host.makeCheckout(host.gitUrl('bob/waves.git', bobToken), {
    'main.tex': '\\documentclass{article}\\begin{document}Waves\\end{document}\n',
  })
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(repositoryId)
})
after(() => site.close())
beforeEach(async () => {
  await alice.submit(address, address, { action: 'enable' })
})

const disable = (): Promise<unknown> => alice.submit(address, address, { action: 'disable', reason })
const statusesOf = (client: WebClient): Promise<number[]> =>
  Promise.all(
    ['', '/pdf/main', '/pdf/main.pdf', '/raw/main/main.tex', '/badge/main.svg', '/commits/main'].map(
      async (path) => (await client.get(`/bob/waves${path}`)).status,
    ),
  )

test('GET /admin/repos lists every repository with its size on disk', async () => {
  const { text } = await alice.get('/admin/repos')
  const rows = [...text.matchAll(/<tr>[\s\S]*?<\/tr>/g)].map(([row]) => row).slice(1)
  const names = rows.map((row) => /href="\/admin\/repos\/([^"]+)"/.exec(row)?.[1])
  assert.deepEqual(names, ['alice/draft', 'alice/empty', 'alice/followed', 'alice/tides', 'bob/waves'])
  const sizes = [...(rows.at(-1) ?? '').matchAll(/data-label="(?:Git|PDFs)">([\d.]+ [kM]B)</g)].map(([, size]) => size)
  assert.equal(sizes.length, 2)
  assert.match(rows.at(-1) ?? '', /<time /)
  assert.match(rows[1] ?? '', /never</)
})

test('GET /admin/repos searches by part of the name', async () => {
  const { text } = await alice.get('/admin/repos?q=B%2FWAV')
  const names = [...text.matchAll(/href="\/admin\/repos\/([^"]+)">/g)].map(([, name]) => name)
  assert.deepEqual(names, ['bob/waves'])
})

test('/admin/repos is not found by non-administrators', async () => {
  const answers = await Promise.all(
    [bob, anonymous].flatMap((client) => [client.get('/admin/repos'), client.get(address)]),
  )
  const post = await bob.submit('/bob', address, { action: 'disable', reason })
  assert.deepEqual(
    [...answers, post].map(({ status }) => status),
    [404, 404, 404, 404, 404],
  )
})

test('a disabled repository is visible to its owner only, with the reason', async () => {
  await disable()
  const own = await bob.get('/bob/waves')
  assert.deepEqual(await statusesOf(bob), [200, 200, 200, 200, 200, 200])
  assert.match(own.text, /Reason: Contains a copyrighted book\./)
  assert.deepEqual(await statusesOf(anonymous), [404, 404, 404, 404, 404, 404])
  assert.deepEqual(await statusesOf(alice), [404, 404, 404, 404, 404, 404])
})

test('an enabled repository is as it was before', async () => {
  await disable()
  await alice.submit(address, address, { action: 'enable' })
  assert.deepEqual(await statusesOf(anonymous), [200, 200, 200, 200, 200, 200])
  assert.doesNotMatch((await bob.get('/bob/waves')).text, /has disabled/)
})

test('disabling a repository requires a reason', async () => {
  const answer = await alice.submit(address, address, { action: 'disable', reason: '  ' })
  assert.deepEqual([answer.status, (await anonymous.get('/bob/waves')).status], [422, 200])
})

test('a push to a disabled repository is refused with the reason', async () => {
  await disable()
  const commitId = await checkout.commit({ 'notes.txt': 'more\n' })
  const push = await checkout.git('push', 'origin', 'main')
  assert.notEqual(push.exitCode, 0)
  assert.match(push.stderr, /bob\/waves was disabled by an administrator, so pushes are rejected\./)
  const head = await site.host.deps.git.findBranch(repositoryId, 'main')
  assert.notEqual(head?.commitId, commitId)
})

test('a disabled repository can be fetched by its owner only', async () => {
  await disable()
  const { host } = site
  const fetch = async (token?: string): Promise<boolean> => {
    const outcome = await checkout.git('ls-remote', host.gitUrl('bob/waves.git', token))
    return outcome.exitCode === 0
  }
  assert.deepEqual([await fetch(bobToken), await fetch(aliceToken), await fetch()], [true, false, false])
})

test('a disabled repository is not built, not even on request', async () => {
  await checkout.git('tag', '--force', 'late')
  await checkout.git('push', '--force', 'origin', 'main', 'late')
  await site.host.whenBuilt(repositoryId)
  await disable()
  const before_ = await site.host.deps.store.builds.count(repositoryId)
  const answer = await bob.submit('/bob/waves', '/bob/waves/builds', { ref: 'late' })
  assert.deepEqual([answer.status, await site.host.deps.store.builds.count(repositoryId)], [422, before_])
  assert.match(answer.text, /An administrator has disabled waves/)
})

test('disabling and enabling are audit events with the reason', async () => {
  await disable()
  await alice.submit(address, address, { action: 'enable' })
  const { text } = await alice.get('/admin/log')
  assert.match(text, /Disabled: bob\/waves: Contains a copyrighted book\./)
  assert.match(text, /Enabled again: bob\/waves/)
})

test('a repository offered as a template and listed by an administrator is copied without its history', async () => {
  const { git, store } = site.host.deps
  const gallery = async (client: WebClient) => (await client.get('/new')).text.includes('value="bob/waves"')
  const create = (client: WebClient, name: string) =>
    client.submit('/new', '/new', { name, description: '', visibility: 'private', paper: 'bob/waves' })
  assert.match((await create(alice, 'ripples')).text, /Template bob\/waves not found/)
  await bob.submit('/bob/waves/settings', '/bob/waves/settings/template', { template: 'yes' })
  assert.match((await alice.get('/bob/waves')).text, /href="\/new\?paper=bob\/waves"[^>]*>Use this template/)
  assert.equal(await gallery(alice), false)
  await alice.submit(address, address, { action: 'list' })
  assert.deepEqual([await gallery(alice), await gallery(bob)], [true, true])
  await checkout.commit({ 'run.sh': 'true\n' }, 'Second commit')
  await checkout.git('push', 'origin', 'main')
  assert.equal((await create(alice, 'ripples')).status, 303)
  const copy = await store.repositories.findByName('alice', 'ripples')
  assert.ok(copy)
  await site.host.whenBuilt(copy.id)
  const headOf = async (id: number): Promise<string> => (await git.findBranch(id, 'main'))?.commitId ?? ''
  const filesOf = async (id: number) => git.listFiles(id, await headOf(id), { maxFiles: 5 })
  const commits = await git.listCommits(copy.id, await headOf(copy.id), { offset: 0, limit: 5 })
  const files = await filesOf(copy.id)
  assert.deepEqual(
    [commits?.map(({ message, author }) => [message.trim(), author.name]), files],
    [[['Create from bob/waves', 'alice']], await filesOf(repositoryId)],
  )
  assert.ok(files?.some(({ path }) => path === 'run.sh'))
  await store.repositories.change(repositoryId, { visibility: 'private' })
  assert.equal(await gallery(alice), false)
  assert.match((await create(alice, 'hidden')).text, /Template bob\/waves not found/)
  await store.repositories.change(repositoryId, { visibility: 'public' })
  await bob.submit('/bob/waves/settings', '/bob/waves/settings/template', { template: 'no' })
  assert.equal(await gallery(bob), false)
})

test('a build that was cancelled because its repository was disabled is queued again when it is enabled', async () => {
  const { host } = site
  const owner = await host.deps.store.users.findByLogin('bob')
  assert.ok(owner !== null)
  const { id } = await host.addRepository(owner, 'surge')
  const surge = await host.makeCheckout(host.gitUrl('bob/surge.git', bobToken), {
    'main.tex':
      '\\documentclass{article}\\begin{document}\\newcount\\n\\loop\\advance\\n by 1 \\hbox{\\number\\n}\\ifnum\\n<150000 \\setbox0\\hbox{x}\\repeat\\end{document}\n',
  })
  const statesOf = async (): Promise<readonly string[]> =>
    (await host.deps.store.builds.list(id, { limit: 10, offset: 0 })).map(({ state }) => state)
  const pushing = surge.git('push', 'origin', 'main')
  await eventually(statesOf, { until: (states) => states.includes('running') })
  const page = '/admin/repos/bob/surge'
  await alice.submit(page, page, { action: 'disable', reason })
  await pushing
  const whileDisabled = await statesOf()
  await alice.submit(page, page, { action: 'enable' })
  await host.whenBuilt(id)
  assert.deepEqual([whileDisabled, await statesOf()], [['cancelled'], ['succeeded', 'cancelled']])
})
