import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Repository } from '../src/domain/types.ts'
import { addUser } from '../src/operations/add-user.ts'
import { openPaperHost } from './support/paper-host.ts'
import type { PaperHost } from './support/paper-host.ts'
import { openVisitor } from './support/web-visitor.ts'
import type { WebVisitor } from './support/web-visitor.ts'

const password = 'nine trees by the river'

let host: PaperHost
let alice: WebVisitor
let bob: WebVisitor

before(async () => {
  host = await openPaperHost()
  for (const login of ['alice', 'bob']) await addUser(host.deps.store, { login, password })
  alice = await signIn('alice')
  bob = await signIn('bob')
})
after(() => host.close())

async function signIn(name: string): Promise<WebVisitor> {
  const visitor = openVisitor(host.origin)
  assert.equal((await visitor.submit('/login', '/login', { name, password })).status, 303)
  return visitor
}

function make(name: string, fields: Readonly<Record<string, string>> = {}) {
  return alice.submit('/new', '/new', { name, description: '', visibility: 'private', ...fields })
}

function change(visitor: WebVisitor, name: string, part: string, fields: Readonly<Record<string, string>>) {
  return visitor.submit(`/alice/${name}/settings`, `/alice/${name}/settings/${part}`, fields)
}

async function find(name: string): Promise<Repository | null> {
  return host.deps.store.repositories.findByName('alice', name)
}

test('POST /new makes a repository, private unless it is said otherwise, and leads to it', async () => {
  const answer = await make('tides', { description: 'Of the sea' })
  const repository = await find('tides')
  assert.deepEqual(
    [answer.status, answer.headers.location, repository?.visibility, repository?.description],
    [303, '/alice/tides', 'private', 'Of the sea'],
  )
  assert.deepEqual([(await alice.get('/alice/tides')).status, (await bob.get('/alice/tides')).status], [200, 404])
})

test('POST /new begins with the files that were chosen', async () => {
  await make('started', { files: 'yes', gitignore: 'TeX', license: 'cc-by-4.0', visibility: 'public' })
  const { text } = await bob.get('/alice/started')
  assert.deepEqual(
    ['README.md', '.gitignore', 'LICENSE'].map((name) => text.includes(`>${name}</a>`)),
    [true, true, true],
  )
})

test('POST /new refuses a name with the character that is wrong, and keeps what was typed', async () => {
  const answer = await make('my paper', { description: 'Kept' })
  assert.equal(answer.status, 422)
  assert.match(answer.text, /&quot; &quot; cannot be in it|" " cannot be in it/)
  assert.match(answer.text, /value="my paper"/)
  assert.match(answer.text, /value="Kept"/)
})

test('POST /new refuses a name that is taken in any case of letters, and leads to the repository', async () => {
  await make('taken')
  const answer = await make('TAKEN')
  assert.deepEqual([answer.status, /href="\/alice\/TAKEN"/.test(answer.text)], [422, true])
})

test('the settings of a repository do not exist for others', async () => {
  await make('shown', { visibility: 'public' })
  const stranger = openVisitor(host.origin)
  assert.deepEqual(
    [(await bob.get('/alice/shown/settings')).status, (await stranger.get('/alice/shown/settings')).status],
    [404, 303],
  )
  const attempt = await bob.submit('/alice/shown', '/alice/shown/settings/archive', { archived: 'yes' })
  assert.deepEqual([attempt.status, (await find('shown'))?.isArchived], [404, false])
})

test('a repository that is made private is gone for others at once', async () => {
  await make('open', { visibility: 'public' })
  assert.equal((await bob.get('/alice/open')).status, 200)
  await change(alice, 'open', 'details', { description: '', visibility: 'private' })
  assert.equal((await bob.get('/alice/open')).status, 404)
})

test('a collaborator comes in with the right that was given, and goes when it is taken away', async () => {
  await make('common')
  await change(alice, 'common', 'collaborators', { login: 'BOB', right: 'push' })
  assert.equal((await bob.get('/alice/common')).status, 200)
  assert.match((await alice.get('/alice/common/settings')).text, /read and write/)
  await change(alice, 'common', 'collaborators', { login: 'bob', right: 'none' })
  assert.equal((await bob.get('/alice/common')).status, 404)
  assert.equal((await change(alice, 'common', 'collaborators', { login: 'nobody', right: 'pull' })).status, 422)
})

test('the default branch can be any branch that there is', async () => {
  await make('branched')
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl('alice/branched.git', token), { 'a.txt': 'a\n' })
  await checkout.git('push', 'origin', 'main', 'main:refs/heads/next')
  const refused = await change(alice, 'branched', 'branch', { branch: 'none' })
  await change(alice, 'branched', 'branch', { branch: 'next' })
  const head = await checkout.git('ls-remote', '--symref', 'origin', 'HEAD')
  assert.deepEqual(
    [refused.status, (await find('branched'))?.defaultBranch, head.stdout.split('\t')[0]],
    [422, 'next', 'ref: refs/heads/next'],
  )
})

test('an archived repository takes no push, and takes one again when it is out', async () => {
  await make('old')
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl('alice/old.git', token), { 'a.txt': 'a\n' })
  await change(alice, 'old', 'archive', { archived: 'yes' })
  const refused = await checkout.git('push', 'origin', 'main')
  await change(alice, 'old', 'archive', { archived: 'no' })
  const taken = await checkout.git('push', 'origin', 'main')
  assert.deepEqual([refused.exitCode === 0, taken.exitCode], [false, 0])
})

test('a repository is deleted by its whole name only, and its name is free again', async () => {
  await make('gone')
  const refused = await change(alice, 'gone', 'delete', { name: 'gone' })
  const kept = await find('gone')
  const deleted = await change(alice, 'gone', 'delete', { name: 'alice/gone' })
  assert.deepEqual([refused.status, kept?.name, deleted.status, await find('gone')], [422, 'gone', 303, null])
  assert.equal(await host.deps.git.hasRepository(kept?.id ?? 0), false)
  assert.equal((await make('gone')).status, 303)
})

test('a star is counted once, and taken away again', async () => {
  await make('starred', { visibility: 'public' })
  const star = (visitor: WebVisitor, value: string) =>
    visitor.submit('/alice/starred', '/alice/starred/star', { star: value })
  for (const visitor of [alice, bob, bob]) assert.equal((await star(visitor, 'yes')).status, 303)
  const counted = (await find('starred'))?.starCount
  await star(bob, 'no')
  assert.deepEqual([counted, (await find('starred'))?.starCount], [2, 1])
  await make('unstarred')
  assert.equal((await bob.submit('/alice/starred', '/alice/unstarred/star', { star: 'yes' })).status, 404)
})
