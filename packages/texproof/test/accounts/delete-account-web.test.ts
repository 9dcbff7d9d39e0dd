import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { authenticateToken } from '../../src/accounts/tokens/authenticate-token.ts'
import { deleteRepository } from '../../src/operations/repository/delete-repository.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const path = '/settings/profile/delete'

let host: PaperHost

before(async () => {
  host = await openPaperHost()
  await addTestUser(host.deps.store, { login: 'root', password, isAdmin: true })
})
after(() => host.close())

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  const answer = await client.submit('/login', '/login', { name, password })
  assert.equal(answer.status, 303)
  return client
}

async function join(login: string) {
  const added = await addTestUser(host.deps.store, { login, password, email: `${login}@example.org` })
  assert.ok(added.kind === 'added')
  return { user: added.user, client: await signIn(login) }
}

test('a deleted account is signed out everywhere, its tokens stop working, and its name is free', async () => {
  const { user, client } = await join('alice')
  const other = await signIn('alice')
  const token = await host.addToken(user, [])
  const answer = await client.submit(path, path, { login: 'alice' })
  assert.deepEqual([answer.status, answer.headers.location], [303, '/'])
  assert.match((await client.get('/')).text, /The account is deleted\./)
  assert.deepEqual([(await other.get('/settings/profile')).status, (await other.get('/alice')).status], [303, 404])
  assert.equal(await authenticateToken(host.deps.store, token), null)
  await join('alice')
})

test('an account that owns a repository names it, and is not deleted', async () => {
  const { user, client } = await join('bob')
  await host.addRepository(user, 'tides')
  const page = await client.get(path)
  assert.match(page.text, /Transfer or delete your repositories first:[^]*href="\/bob\/tides\/settings"/)
  assert.doesNotMatch(page.text, /Type bob to confirm/)
  const form = await client.submit('/settings/profile', path, { login: 'bob' })
  assert.deepEqual([form.status, await host.deps.store.users.findById(user.id)], [422, user])
})

test('the trash of a deleted account is deleted permanently', async () => {
  const { user, client } = await join('carol')
  const repository = await host.addRepository(user, 'waves')
  await deleteRepository(host.deps, { repository, actor: user })
  assert.match((await client.get(path)).text, /Repositories in your <a href="\/settings\/trash">trash<\/a> are deleted/)
  const answer = await client.submit(path, path, { login: 'carol' })
  assert.deepEqual([answer.status, await host.deps.git.hasRepository(repository.id)], [303, false])
})

test('another name than that of the account deletes nothing', async () => {
  const { user, client } = await join('dora')
  const answer = await client.submit(path, path, { login: 'alice' })
  assert.deepEqual([answer.status, await host.deps.store.users.findById(user.id)], [422, user])
  assert.match(answer.text, /Type dora to delete your account\. Nothing was deleted\./)
})

test('the last administrator cannot delete the account', async () => {
  const client = await signIn('root')
  assert.match((await client.get(path)).text, /You are the only administrator\./)
  const answer = await client.submit('/settings/profile', path, { login: 'root' })
  assert.deepEqual([answer.status, /Your account was not deleted\./.test(answer.text)], [422, true])
})

test('an administrator deletes a disabled account, and the log names it', async () => {
  const { user } = await join('erin')
  const admin = await signIn('root')
  const change = (action: string) => admin.submit('/admin/users', '/admin/users/erin', { action })
  const early = await change('delete')
  assert.deepEqual([early.status, /Disable erin first\. Nothing was deleted\./.test(early.text)], [422, true])
  assert.equal((await change('disable')).status, 303)
  const question = await admin.get('/admin/users/erin/delete')
  assert.match(question.text, /Delete erin\?/)
  assert.equal((await change('delete')).status, 303)
  assert.equal(await host.deps.store.users.findById(user.id), null)
  const [event] = await host.deps.store.events.list({ userId: null, limit: 1, beforeId: null })
  assert.deepEqual([event?.kind, event?.detail, event?.actor], ['account-deleted', 'erin', 'root'])
})

test('an administrator is told that a disabled account owns repositories', async () => {
  const { user } = await join('frank')
  await host.addRepository(user, 'ebb')
  const admin = await signIn('root')
  await admin.submit('/admin/users', '/admin/users/frank', { action: 'disable' })
  const answer = await admin.submit('/admin/users', '/admin/users/frank', { action: 'delete' })
  assert.deepEqual([answer.status, /frank owns repositories\./.test(answer.text)], [422, true])
})
