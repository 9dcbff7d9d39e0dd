import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { Repository } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { emptyTrash } from '../../src/operations/repository/delete-repository.ts'
import { paperStartNames } from '../../src/templates/paper-starts.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { formTokenOf, openWebClient, withoutFormTokens } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'

let host: PaperHost
let alice: WebClient
let bob: WebClient

before(async () => {
  host = await openPaperHost()
  for (const login of ['alice', 'bob']) await addTestUser(host.deps.store, { login, password })
  alice = await signIn('alice')
  bob = await signIn('bob')
})
after(() => host.close())

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

function make(name: string, fields: Readonly<Record<string, string>> = {}) {
  return alice.submit('/new', '/new', { name, description: '', visibility: 'private', ...fields })
}

function change(client: WebClient, name: string, part: string, fields: Readonly<Record<string, string>>) {
  return client.submit(`/alice/${name}/settings`, `/alice/${name}/settings/${part}`, fields)
}

async function find(name: string): Promise<Repository | null> {
  return host.deps.store.repositories.findByName('alice', name)
}

test('POST /new creates a repository, private by default, and redirects to it', async () => {
  const answer = await make('tides', { description: 'Of the sea' })
  const repository = await find('tides')
  assert.deepEqual(
    [answer.status, answer.headers.location, repository?.visibility, repository?.description],
    [303, '/alice/tides', 'private', 'Of the sea'],
  )
  assert.deepEqual([(await alice.get('/alice/tides')).status, (await bob.get('/alice/tides')).status], [200, 404])
})

test('POST /new creates the chosen files', async () => {
  await make('started', { files: 'yes', gitignore: 'TeX', license: 'cc-by-4.0', visibility: 'public' })
  const { text } = await bob.get('/alice/started')
  assert.deepEqual(
    ['README.md', '.gitignore', 'LICENSE'].map((name) => text.includes(`>${name}</a>`)),
    [true, true, true],
  )
})

test('POST /new creates a document from a template and builds its PDF', async () => {
  for (const paper of paperStartNames) await make(`start-${paper}`, { paper, description: 'Tides & 100 % "wind"_[1]' })
  for (const paper of paperStartNames) {
    const repository = await find(`start-${paper}`)
    assert.ok(repository)
    await host.whenBuilt(repository.id)
    const builds = await host.deps.store.builds.list(repository.id, { limit: 5, offset: 0 })
    assert.deepEqual(
      builds.map(({ state, errorCount }) => [paper, state, errorCount]),
      [[paper, 'succeeded', 0]],
    )
  }
  const { text } = await alice.get('/alice/start-article')
  assert.match(text, /main\.tex[\s\S]*references\.bib/)
})

test('POST …/begin adds a template to an empty repository, once, with write access', async () => {
  await make('blank', { visibility: 'public' })
  const begin = (client: WebClient, paper: string) => client.submit('/alice/blank', '/alice/blank/begin', { paper })
  const refused = [(await begin(bob, 'article')).status, (await begin(alice, 'novel')).status]
  const begun = await begin(alice, 'letter')
  const repository = await find('blank')
  assert.ok(repository)
  await host.whenBuilt(repository.id)
  const head = await host.deps.git.findBranch(repository.id, 'main')
  const page = (await bob.get('/alice/blank')).text
  await begin(alice, 'thesis')
  assert.deepEqual(
    [refused, begun.status, await host.deps.git.findBranch(repository.id, 'main')],
    [[404, 404], 303, head],
  )
  assert.match(page, /up to date[\s\S]*letter\.tex/)
})

test('an empty repository shows push commands to users with write access only', async () => {
  await make('unbegun', { visibility: 'public' })
  const pages = async (client: WebClient): Promise<readonly (readonly boolean[])[]> => {
    const texts = await Promise.all(['', '/commits'].map(async (page) => client.get(`/alice/unbegun${page}`)))
    return texts.map(({ text }) => ['git push texproof', 'Create the first one'].map((words) => text.includes(words)))
  }
  assert.deepEqual(
    [await pages(alice), await pages(bob)],
    [
      [
        [true, false],
        [false, true],
      ],
      [
        [false, false],
        [false, false],
      ],
    ],
  )
})

test('POST /new rejects an invalid name, names the character, and keeps the input', async () => {
  const answer = await make('my paper', { description: 'Kept' })
  assert.equal(answer.status, 422)
  assert.match(answer.text, /The name cannot contain spaces\./)
  assert.match(answer.text, /value="my paper"/)
  assert.match(answer.text, /value="Kept"/)
})

test('POST /new rejects a name in use in any case, and links to that repository', async () => {
  await make('taken')
  const answer = await make('TAKEN')
  assert.deepEqual([answer.status, /href="\/alice\/TAKEN"/.test(answer.text)], [422, true])
})

test('the settings of a repository are 404 for others', async () => {
  await make('shown', { visibility: 'public' })
  const anonymous = openWebClient(host.origin)
  assert.deepEqual(
    [(await bob.get('/alice/shown/settings')).status, (await anonymous.get('/alice/shown/settings')).status],
    [404, 303],
  )
  const attempt = await bob.submit('/alice/shown', '/alice/shown/settings/archive', { archived: 'yes' })
  assert.deepEqual([attempt.status, (await find('shown'))?.isArchived], [404, false])
})

test('a repository made private is hidden from others at once', async () => {
  await make('open', { visibility: 'public' })
  assert.equal((await bob.get('/alice/open')).status, 200)
  await change(alice, 'open', 'visibility', { visibility: 'private' })
  assert.equal((await bob.get('/alice/open')).status, 404)
})

test('making a repository public lists what becomes visible, and requires its full name', async () => {
  await make('draft')
  const user = await host.deps.store.users.findByLogin('alice')
  assert.ok(user)
  const token = await host.addToken(user, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl('alice/draft.git', token), { 'a.txt': 'a\n' })
  await checkout.commit({ 'a.txt': 'b\n' })
  await checkout.git('push', 'origin', 'main', 'main:refs/heads/next', 'main:refs/tags/v1')
  const { text } = await alice.get('/alice/draft/settings/visibility')
  assert.match(text, /2 branches<\/strong> and\s+<strong>1 tag<[\s\S]*2 commits/)
  const refused = await change(alice, 'draft', 'visibility', { visibility: 'public', name: 'draft' })
  const hidden = (await bob.get('/alice/draft')).status
  const made = await change(alice, 'draft', 'visibility', { visibility: 'public', name: 'alice/draft' })
  assert.deepEqual([refused.status, hidden, made.status, (await bob.get('/alice/draft')).status], [422, 404, 303, 200])
  assert.equal((await alice.get('/alice/draft/settings/visibility')).headers.location, '/alice/draft/settings')
})

test('a renamed repository redirects from its old name until another one uses that name', async () => {
  await make('before', { visibility: 'public' })
  const renamed = await change(alice, 'before', 'name', { 'new-name': 'After' })
  const moved = await Promise.all(
    ['/alice/before', '/alice/BEFORE/branches?q=a%2Fb', '/alice/before/pdf/none'].map((path) => bob.get(path)),
  )
  assert.deepEqual(
    [renamed.headers.location, ...moved.map(({ status, headers }) => [status, headers.location])],
    [
      '/alice/After/settings',
      [301, '/alice/After'],
      [301, '/alice/After/branches?q=a%2Fb'],
      [301, '/alice/After/pdf/none'],
    ],
  )
  assert.equal((await make('before')).status, 303)
  assert.deepEqual([(await alice.get('/alice/before')).status, (await bob.get('/alice/before')).status], [200, 404])
})

test('a repository is transferred once the new owner accepts, and its old address redirects', async () => {
  await make('gift')
  const offered = await alice.submit('/alice/gift/settings/transfer', '/alice/gift/settings/transfer', { login: 'bob' })
  const [, path = ''] = /href="(\/settings\/transfers\/\d+)">alice\/gift</.exec((await bob.get('/')).text) ?? []
  const others = [(await alice.get(path)).status, (await bob.get('/alice/gift')).status]
  const accepted = await bob.submit(path, path, { answer: 'accept' })
  assert.deepEqual(
    [offered.status, others, accepted.status, accepted.headers.location],
    [303, [404, 404], 303, '/bob/gift'],
  )
  const moved = await alice.get('/alice/gift')
  const repository = await host.deps.store.repositories.findByName('bob', 'gift')
  const collaborators = await host.deps.store.repositories.listCollaborators(repository?.id ?? 0)
  assert.deepEqual(
    [moved.status, moved.headers.location, collaborators.map(({ login, permission }) => [login, permission])],
    [301, '/bob/gift', [['alice', 'push']]],
  )
  const again = [
    await bob.get(path),
    await bob.post(path, { answer: 'accept', form_token: formTokenOf((await bob.get('/bob/gift')).text) }),
  ]
  assert.deepEqual(
    [again.map(({ headers }) => headers.location), (await alice.get(path)).status],
    [['/bob/gift', '/bob/gift'], 404],
  )
  assert.equal((await alice.get('/bob/gift/settings')).status, 404)
})

test('a repository that is renamed while a transfer is accepted has its new name at the new owner', async () => {
  await make('early')
  const { repositories, repositoryTransfers, users } = host.deps.store
  const [early, recipient] = [await find('early'), await users.findByLogin('bob')]
  assert.ok(early)
  assert.ok(recipient)
  await repositoryTransfers.offer(early.id, recipient, { expiresAt: Date.now() + 60_000 })
  await change(alice, 'early', 'name', { 'new-name': 'late' })
  await repositoryTransfers.accept(early, recipient, host.deps.config.quotas)
  const names = await Promise.all(['early', 'late'].map((name) => repositories.findByName('bob', name)))
  assert.deepEqual(
    names.map((found) => found?.name),
    [undefined, 'late'],
  )
})

test('a repository that is transferred while its former owner renames it keeps its name', async () => {
  await make('firm')
  const { repositories, repositoryTransfers, users } = host.deps.store
  const [firm, recipient] = [await find('firm'), await users.findByLogin('bob')]
  assert.ok(firm)
  assert.ok(recipient)
  await repositoryTransfers.offer(firm.id, recipient, { expiresAt: Date.now() + 60_000 })
  await repositoryTransfers.accept(firm, recipient, host.deps.config.quotas)
  const isRenamed = await repositories.rename(firm, 'loose')
  assert.deepEqual([isRenamed, (await repositories.findByName('bob', 'firm'))?.name], [false, 'firm'])
})

test('an offer is declined or withdrawn, and nothing changes', async () => {
  await make('kept')
  const offer = (fields: Readonly<Record<string, string>>) =>
    alice.submit('/alice/kept/settings/transfer', '/alice/kept/settings/transfer', fields)
  const path = `/settings/transfers/${(await find('kept'))?.id}`
  const unknown = (await offer({ login: 'nobody' })).status
  await offer({ login: 'bob' })
  const declined = await bob.submit(path, path, { answer: 'decline' })
  await offer({ login: 'bob' })
  await offer({ withdraw: 'yes' })
  assert.deepEqual(
    [unknown, declined.status, (await bob.get(path)).status, (await find('kept'))?.owner.login],
    [422, 303, 404, 'alice'],
  )
})

test('an offer cannot be accepted while the new owner has a repository with that name', async () => {
  await make('same')
  await bob.submit('/new', '/new', { name: 'Same', description: '', visibility: 'private' })
  await alice.submit('/alice/same/settings/transfer', '/alice/same/settings/transfer', { login: 'bob' })
  const path = `/settings/transfers/${(await find('same'))?.id}`
  const refused = await bob.submit(path, path, { answer: 'accept' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /bob\/same already exists/)
  assert.equal((await bob.get(path)).status, 200)
})

test('a repository renamed twice and back has one name at a time', async () => {
  await make('one', { visibility: 'public' })
  await change(alice, 'one', 'name', { 'new-name': 'two' })
  await change(alice, 'two', 'name', { 'new-name': 'three' })
  const twice = await Promise.all(
    ['one', 'two'].map(async (name) => (await bob.get(`/alice/${name}`)).headers.location),
  )
  await change(alice, 'three', 'name', { 'new-name': 'one' })
  await change(alice, 'one', 'name', { 'new-name': 'ONE' })
  const back = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const { status, headers } = await bob.get(`/alice/${name}`)
      return headers.location ?? status
    }),
  )
  assert.deepEqual(
    [twice, back],
    [
      ['/alice/three', '/alice/three'],
      [200, '/alice/ONE', '/alice/ONE'],
    ],
  )
})

test('an invalid or taken new name is rejected', async () => {
  await make('plain')
  await make('other')
  const tries = await Promise.all(
    ['a b', '..', 'x.git', '', 'OTHER'].map((name) => change(alice, 'plain', 'name', { 'new-name': name })),
  )
  const none = (await find('plain'))?.name
  assert.deepEqual([tries.map(({ status }) => status), none], [[422, 422, 422, 422, 422], 'plain'])
  assert.equal((await bob.submit('/', '/alice/plain/settings/name', { 'new-name': 'mine' })).status, 404)
})

test('a new name that is the current one is refused, and says that nothing was changed', async () => {
  await make('kept')
  const { status, text } = await change(alice, 'kept', 'name', { 'new-name': 'kept' })
  assert.deepEqual(
    [status, /id="new-name-problem"[^<>]*>([^<]*)</.exec(text)?.[1]],
    [422, 'The repository already has this name. Nothing was changed.'],
  )
})

test('the old name of a private repository redirects only users with access', async () => {
  await make('secret')
  await change(alice, 'secret', 'name', { 'new-name': 'more-secret' })
  const [hidden, missing] = await Promise.all(
    ['/alice/secret', '/alice/nothing-at-all'].map(async (path) => {
      const { status, text } = await bob.get(path)
      return [status, withoutFormTokens(text)]
    }),
  )
  assert.deepEqual(hidden, missing)
  assert.equal((await alice.get('/alice/secret')).status, 301)
})

test('a form of a renamed repository names its new address to users with access only', async () => {
  await make('young')
  await change(alice, 'young', 'name', { 'new-name': 'grown' })
  const [named, hidden, missing] = await Promise.all([
    alice.submit('/', '/alice/young/star', { star: 'yes' }),
    bob.submit('/', '/alice/young/star', { star: 'yes' }),
    bob.submit('/', '/alice/nothing-at-all/star', { star: 'yes' }),
  ])
  assert.match(named.text, /This repository is now <a href="\/alice\/grown">alice\/grown<\/a>\. Nothing was changed/)
  assert.deepEqual([named.status, withoutFormTokens(hidden.text)], [404, withoutFormTokens(missing.text)])
})

test('git prints the new name of a repository to users with access only', async () => {
  await make('far', { visibility: 'public' })
  const [user, other] = await Promise.all(['alice', 'bob'].map((name) => host.deps.store.users.findByLogin(name)))
  assert.ok(user && other)
  const token = await host.addToken(user, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl('alice/far.git', token), { 'a.txt': 'a\n' })
  await change(alice, 'far', 'name', { 'new-name': 'near' })
  const refused = await checkout.git('push', 'origin', 'main')
  assert.match(
    refused.stderr,
    /alice\/far was renamed to alice\/near[\s\S]*git remote set-url origin .*\/alice\/near\.git/,
  )
  await change(alice, 'near', 'visibility', { visibility: 'private' })
  const hidden = await checkout.git('ls-remote', host.gitUrl('alice/far.git', await host.addToken(other, [])))
  assert.match(hidden.stderr, /not found/)
  assert.doesNotMatch(hidden.stderr, /near/)
})

test('a collaborator has the granted access until it is removed', async () => {
  await make('common')
  await change(alice, 'common', 'collaborators', { login: 'BOB', right: 'push' })
  assert.equal((await bob.get('/alice/common')).status, 200)
  assert.match((await alice.get('/alice/common/settings')).text, /read and write/)
  await change(alice, 'common', 'collaborators', { login: 'bob', right: 'none' })
  assert.equal((await bob.get('/alice/common')).status, 404)
  assert.equal((await change(alice, 'common', 'collaborators', { login: 'nobody', right: 'pull' })).status, 422)
})

test('the audit log names the access that a collaborator was given', async () => {
  await make('granted')
  for (const right of ['pull', 'admin']) await change(alice, 'granted', 'collaborators', { login: 'bob', right })
  const invited = await alice.submit('/alice/granted/people', '/alice/granted/people', { email: '', right: 'push' })
  assert.equal(invited.status, 303)
  const link = /\/settings\/invitations\/[\w-]+/.exec((await alice.get('/alice/granted/people')).text)?.[0] ?? ''
  await bob.submit(link, link, { answer: 'accept' })
  const events = await host.deps.store.events.list({
    userId: null,
    kind: 'collaborator-added',
    limit: 3,
    beforeId: null,
  })
  assert.deepEqual(
    events.map(({ detail }) => detail),
    ['bob (admin) on alice/granted', 'bob (admin) on alice/granted', 'bob (read) on alice/granted'],
  )
})

test('an administrator removes a collaborator on the page of all collaborators, and other collaborators cannot', async () => {
  await make('shared')
  const page = '/alice/shared/people'
  await change(alice, 'shared', 'collaborators', { login: 'bob', right: 'push' })
  const hasButton = [(await alice.get(page)).text, (await bob.get(page)).text].map((text) =>
    text.includes('aria-label="Remove bob"'),
  )
  const refused = await bob.submit(page, `${page}/remove`, { login: 'bob' })
  const removed = await alice.submit(page, `${page}/remove`, { login: 'bob' })
  assert.deepEqual(
    [hasButton, refused.status, removed.status, removed.headers.location, (await bob.get(page)).status],
    [[true, false], 404, 303, page, 404],
  )
})

test('an unknown user is reported once, at the field, even if there are collaborators', async () => {
  await make('crowded')
  await change(alice, 'crowded', 'collaborators', { login: 'bob', right: 'pull' })
  const { text } = await change(alice, 'crowded', 'collaborators', { login: 'nobody', right: 'push' })
  const parts = ['id="problem"', 'aria-label="Remove bob"', 'id="login-problem"'].map(
    (part) => text.split(part).length - 1,
  )
  const isInForm = text.indexOf('id="login-problem"') > text.indexOf('aria-label="Remove bob"')
  const count = text.split('User &quot;nobody&quot; not found.').length - 1
  assert.deepEqual([parts, isInForm, count], [[0, 1, 1], true, 1])
})

test('the default branch can be any existing branch', async () => {
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

test('an archived repository rejects pushes until it is unarchived', async () => {
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

test('deleting a repository requires its full name, hides it at once, and frees the name', async () => {
  await make('gone', { visibility: 'public' })
  const refused = await change(alice, 'gone', 'delete', { name: 'gone' })
  const kept = await find('gone')
  const deleted = await change(alice, 'gone', 'delete', { name: 'alice/gone' })
  assert.deepEqual(
    [refused.status, kept?.name, deleted.headers.location, await find('gone')],
    [422, 'gone', '/settings/trash', null],
  )
  const paths = ['/alice/gone', '/alice/gone/branches', '/alice/gone/settings']
  assert.deepEqual(
    await Promise.all(paths.map(async (path) => (await alice.get(path)).status)),
    paths.map(() => 404),
  )
  assert.doesNotMatch((await alice.get('/')).text, /alice\/gone"/)
  assert.equal((await make('gone')).status, 303)
})

test('blanks around a name that confirms a deletion are ignored', async () => {
  await make('blank')
  const { status } = await change(alice, 'blank', 'delete', { name: ' alice/blank ' })
  assert.deepEqual([status, await find('blank')], [303, null])
})

test('a deleted repository is restored completely, by its owner only', async () => {
  await make('regretted', { files: 'yes', description: 'Too soon' })
  const before = await find('regretted')
  assert.ok(before)
  await change(alice, 'regretted', 'delete', { name: 'alice/regretted' })
  assert.match((await alice.get('/alice')).text, /Trash \(\d+\)/)
  assert.doesNotMatch((await bob.get('/settings/trash')).text, /regretted/)
  const stolen = await bob.submit('/settings/trash', '/settings/trash', { restore: String(before.id) })
  await make('REGRETTED')
  const taken = await alice.submit('/settings/trash', '/settings/trash', { restore: String(before.id) })
  await change(alice, 'REGRETTED', 'name', { 'new-name': 'other-one' })
  const restored = await alice.submit('/settings/trash', '/settings/trash', { restore: String(before.id) })
  const after = await find('regretted')
  assert.deepEqual(
    [stolen.status, taken.status, restored.headers.location, after?.id, after?.description],
    [422, 422, '/alice/regretted', before.id, 'Too soon'],
  )
  assert.match((await alice.get('/alice/regretted')).text, /README\.md/)
})

test('a repository in the trash is purged on request or when it expires', async () => {
  await make('first')
  await make('second')
  const { store, git, papers } = host.deps
  const ids = await Promise.all(['first', 'second'].map(async (name) => (await find(name))?.id ?? 0))
  for (const name of ['first', 'second']) await change(alice, name, 'delete', { name: `alice/${name}` })
  const stolen = await bob.submit('/settings/trash', '/settings/trash', { remove: String(ids[0]) })
  const isThere = await git.hasRepository(ids[0] ?? 0)
  const removed = await alice.submit('/settings/trash', '/settings/trash', { remove: String(ids[0]) })
  await emptyTrash({ store, git, papers })
  const isYoungKept = await git.hasRepository(ids[1] ?? 0)
  await emptyTrash({ store, git, papers }, { olderThanMs: -1 })
  assert.deepEqual([stolen.status, isThere, removed.status, isYoungKept], [422, true, 303, true])
  assert.deepEqual(await Promise.all(ids.map((id) => git.hasRepository(id))), [false, false])
  assert.match((await alice.get('/settings/trash')).text, /The trash is empty/)
})

test('buttons in the trash are named by their text and the repository', async () => {
  await make('binned')
  await alice.submit('/alice/binned/settings', '/alice/binned/settings/delete', { name: 'alice/binned' })
  const { text } = await alice.get('/settings/trash')
  const buttons = [...text.matchAll(/aria-label="([^"]*binned[^"]*)"[^>]*>\s*([\w ]+?)\s*</g)]
  assert.deepEqual(
    buttons.map(([, name, shown]) => [name, shown]),
    [
      ['Restore binned', 'Restore'],
      ['Delete permanently: binned', 'Delete permanently'],
    ],
  )
})

test('a star is counted once, and can be removed', async () => {
  await make('starred', { visibility: 'public' })
  const star = (client: WebClient, value: string) =>
    client.submit('/alice/starred', '/alice/starred/star', { star: value })
  for (const client of [alice, bob, bob]) assert.equal((await star(client, 'yes')).status, 303)
  const counted = (await find('starred'))?.starCount
  await star(bob, 'no')
  assert.deepEqual([counted, (await find('starred'))?.starCount], [2, 1])
  await make('unstarred')
  assert.equal((await bob.submit('/alice/starred', '/alice/unstarred/star', { star: 'yes' })).status, 404)
})

test('a star leads back to the page of the repository that it was sent from', async () => {
  await make('observed', { visibility: 'public' })
  const token = formTokenOf((await bob.get('/alice/observed')).text)
  const starFrom = async (path: string): Promise<unknown> => {
    const headers = { origin: host.origin, referer: `${host.origin}${path}` }
    const fields = { form_token: token, star: 'yes' }
    return (await bob.post('/alice/observed/star', fields, headers)).headers.location
  }
  const pages = ['/alice/observed/commits/main?page=2', '/alice/observed', '/alice/observed-too/tags', '/']
  assert.deepEqual(await Promise.all(pages.map(starFrom)), [
    '/alice/observed/commits/main?page=2',
    '/alice/observed',
    '/alice/observed',
    '/alice/observed',
  ])
})

/** Creates an invitation to a repository of alice, and returns the path of its link. */
async function invite(name: string, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const page = `/alice/${name}/people`
  const { headers } = await alice.submit(page, page, { email: '', right: 'push', ...fields })
  const { text } = await alice.get(headers['location'] ?? '')
  return new URL(/id="made"[^>]*value="([^"]+)"/.exec(text)?.[1] ?? '').pathname
}

test('a user without an account sees an invitation, registers, accepts it once, writes, and leaves', async () => {
  await make('invited')
  const link = await invite('invited')
  const anonymous = await openWebClient(host.origin).get(link)
  await addTestUser(host.deps.store, { login: 'carol', password })
  const carol = await signIn('carol')
  const before = await carol.get('/alice/invited')
  const accepted = await carol.submit(link, link, { answer: 'accept' })
  const written = await carol.submit('/alice/invited/new/main', '/alice/invited/new/main', {
    path: 'notes.txt',
    content: 'Tides',
    message: 'Write',
    parent: '',
  })
  const again = await bob.get(link)
  const home = await carol.get('/alice/invited')
  const people = await carol.get('/alice/invited/people')
  const left = await carol.submit('/alice/invited/people', '/alice/invited/people/leave', {})
  const after = await carol.get('/alice/invited')
  assert.deepEqual(
    {
      anonymous: [anonymous.status, anonymous.text.includes(`/login?next=${encodeURIComponent(link)}`)],
      accepted: [before.status, accepted.status, accepted.headers['location']],
      written: written.status,
      again: again.status,
      people: [
        home.text.includes('/alice/invited/people'),
        people.status,
        people.text.includes('Leave repository'),
        people.text.includes('Create invitation'),
      ],
      left: [left.status, after.status],
    },
    {
      anonymous: [200, true],
      accepted: [404, 303, '/alice/invited'],
      written: 303,
      again: 404,
      people: [true, 200, true, false],
      left: [303, 404],
    },
  )
})

test('the page after an invitation shows its link once, and reloading it creates no other invitation', async () => {
  await make('reloaded')
  await make('elsewhere')
  const page = '/alice/reloaded/people'
  const created = await alice.submit(page, page, { email: '', right: 'push' })
  const hasLink = async (path: string): Promise<boolean> => (await alice.get(path)).text.includes('id="made"')
  const shown = [await hasLink(page), await hasLink(page)]
  const foreign = await alice.submit(page, page, { email: '', right: 'push' })
  const isElsewhere = await hasLink('/alice/elsewhere/people')
  const invitations = await host.deps.store.repositoryInvitations.listOfRepository((await find('reloaded'))?.id ?? 0)
  assert.deepEqual(
    [created.status, created.headers['location'], shown, foreign.status, isElsewhere, invitations.length],
    [303, page, [true, false], 303, false, 2],
  )
})

test('a refused invitation keeps the chosen access', async () => {
  await make('typing')
  const page = '/alice/typing/people'
  const chosen: (string | undefined)[] = []
  for (const right of ['pull', 'push']) {
    const { text } = await alice.submit(page, page, { email: 'bob@', right })
    chosen.push(/<option value="(\w+)" selected/.exec(text)?.[1])
  }
  assert.deepEqual(chosen, ['pull', 'push'])
})

test('pending invitations do not include those of users who no longer manage the repository', async () => {
  await make('managed')
  await change(alice, 'managed', 'collaborators', { login: 'bob', right: 'admin' })
  const page = '/alice/managed/people'
  for (const client of [alice, bob]) await client.submit(page, page, { email: '', right: 'push' })
  const countPending = async (): Promise<number> =>
    (await alice.get(page)).text.split('/people/invitations/').length - 1
  const counts = [await countPending()]
  await change(alice, 'managed', 'collaborators', { login: 'bob', right: 'push' })
  counts.push(await countPending())
  assert.deepEqual(counts, [2, 1])
})

test('an invitation ends when it is declined or revoked, and never lowers a permission', async () => {
  await make('declined')
  const declined = await invite('declined')
  await bob.submit(declined, declined, { answer: 'decline' })
  const revoked = await invite('declined', { email: 'bob@uni.example' })
  const page = '/alice/declined/people'
  const { text } = await alice.get(page)
  const action = /action="([^"]+\/revoke)"/.exec(text)?.[1] ?? ''
  await alice.submit(page, action, {})
  const gone = [await bob.get(declined), await bob.get(revoked), await bob.get('/alice/declined')]
  await change(alice, 'declined', 'collaborators', { login: 'bob', right: 'admin' })
  const lower = await invite('declined', { right: 'pull' })
  await bob.submit(lower, lower, { answer: 'accept' })
  const collaborators = await host.deps.store.repositories.listCollaborators((await find('declined'))?.id ?? 0)
  const refused = await alice.submit(page, page, { email: 'nobody', right: 'push' })
  assert.deepEqual(
    [gone.map(({ status }) => status), collaborators.map(({ permission }) => permission), refused.status],
    [[404, 404, 404], ['admin'], 422],
  )
})
