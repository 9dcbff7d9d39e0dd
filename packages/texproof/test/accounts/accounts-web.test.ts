import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { makeInvite } from '../../src/accounts/join/invite.ts'
import { setRegistration } from '../../src/accounts/join/registration.ts'
import { makeResetCode } from '../../src/accounts/credentials/reset-password.ts'
import type { Config } from '../../src/config/read-config.ts'
import type { User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { authenticateToken } from '../../src/accounts/tokens/authenticate-token.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'

async function openHost(context: TestContext, settings: Partial<Config> = {}): Promise<PaperHost> {
  const host = await openPaperHost(settings)
  context.after(() => host.close())
  return host
}

async function addPerson(host: PaperHost, login: string, isAdmin = false): Promise<User> {
  const outcome = await addTestUser(host.deps.store, { login, password, isAdmin })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

async function signIn(host: PaperHost, name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

function joining(host: PaperHost, login: string, code = '', email = ''): Promise<number> {
  const page = `/join?code=${code}`
  return openWebClient(host.origin)
    .submit(page, '/join', { login, email, password, code })
    .then(({ status }) => status)
}

test('POST /join creates accounts on an open host, for its domain only', async (context) => {
  const host = await openHost(context)
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: 'uni.example' })
  assert.deepEqual(
    [
      await joining(host, 'alice', '', 'alice@UNI.example'),
      await joining(host, 'bob', '', 'bob@elsewhere.example'),
      await joining(host, 'bob', '', 'bob@evil-uni.example'),
      await joining(host, 'bob'),
    ],
    [303, 422, 422, 422],
  )
})

test('POST /join creates no account on a closed host, and says how to get one', async (context) => {
  const host = await openHost(context)
  // The page has no form here, so the request uses the form token of the sign-in page.
  const client = openWebClient(host.origin)
  const answer = await client.submit('/login', '/join', { login: 'alice', email: '', password, code: '' })
  assert.deepEqual([answer.status, await host.deps.store.users.count()], [403, 0])
  assert.match((await client.get('/join')).text, /Registration is closed/)
})

test('GET /login links to the form for new accounts if registration is open', async (context) => {
  const host = await openHost(context)
  const client = openWebClient(host.origin)
  const hasLink = async (mode: 'closed' | 'invite' | 'open'): Promise<boolean> => {
    await setRegistration(host.deps.store, { mode, emailDomain: null })
    return (await client.get('/login')).text.includes('href="/join"')
  }
  assert.deepEqual([await hasLink('closed'), await hasLink('invite'), await hasLink('open')], [false, false, true])
})

test('no page links to the form for new accounts if open registration is not safe', async (context) => {
  const host = await openHost(context, { sandbox: 'none' })
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const client = openWebClient(host.origin)
  const pages = await Promise.all(['/', '/login'].map(async (path) => (await client.get(path)).text))
  assert.deepEqual(
    pages.map((text) => text.includes('href="/join"')),
    [false, false],
  )
})

test('GET /join redirects a signed-in user, and says who is signed in if the invitation was used', async (context) => {
  const host = await openHost(context)
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  await addPerson(host, 'alice')
  const alice = await signIn(host, 'alice')
  const code = await makeInvite(host.deps.store, { createdBy: null, email: null })
  const fresh = await alice.get(`/join?code=${code}`)
  await joining(host, 'bob', code)
  const [used, plain] = [await alice.get(`/join?code=${code}`), await alice.get('/join?next=/new')]
  assert.deepEqual(
    [fresh.status, used.status, /signed in as <b>alice/.test(used.text), plain.status, plain.headers.location],
    [200, 403, true, 303, '/new'],
  )
})

test('GET /login and GET /join say that a new account requires an invitation', async (context) => {
  const host = await openHost(context)
  await setRegistration(host.deps.store, { mode: 'invite', emailDomain: null })
  const client = openWebClient(host.origin)
  const [login, join] = [await client.get('/login'), await client.get('/join')]
  assert.match(login.text, /A new account requires an invitation\./)
  assert.equal(join.status, 403)
  assert.match(join.text, /<h1>Registration requires an invitation<\/h1>/)
  assert.match(join.text, /Open the link of your invitation, or ask the administrator of this host for one\./)
})

test('open registration stays closed while compiles are not sandboxed', async (context) => {
  const host = await openHost(context, { sandbox: 'none' })
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const client = openWebClient(host.origin)
  const answer = await client.submit('/login', '/join', { login: 'alice', email: '', password, code: '' })
  assert.deepEqual([answer.status, await host.deps.store.users.count()], [403, 0])
})

test('an invitation creates one account, even for simultaneous requests', async (context) => {
  const host = await openHost(context)
  const code = await makeInvite(host.deps.store, { createdBy: null, email: null })
  const statuses = await Promise.all([joining(host, 'alice', code), joining(host, 'bob', code)])
  assert.deepEqual([statuses.filter((status) => status === 303).length, await host.deps.store.users.count()], [1, 1])
})

test('an invalid username does not use up an invitation', async (context) => {
  const host = await openHost(context)
  const code = await makeInvite(host.deps.store, { createdBy: null, email: null })
  assert.deepEqual([await joining(host, 'settings', code), await joining(host, 'alice', code)], [422, 303])
})

test('simultaneous requests for one username create one account', async (context) => {
  const host = await openHost(context)
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const statuses = await Promise.all([joining(host, 'alice'), joining(host, 'ALICE')])
  assert.deepEqual(statuses.toSorted(), [303, 422])
})

test('a reset link sets a password once, and signs out every session', async (context) => {
  const host = await openHost(context)
  const user = await addPerson(host, 'alice')
  const open = await signIn(host, 'alice')
  const code = await makeResetCode(host.deps.store, { user, createdBy: null })
  const client = openWebClient(host.origin)
  const fields = { code, password: 'ten stones in the brook' }
  const short = await client.submit(`/reset?code=${code}`, '/reset', { code, password: 'short' })
  const first = await client.submit(`/reset?code=${code}`, '/reset', fields)
  const second = await openWebClient(host.origin).submit('/login', '/reset', fields)
  assert.deepEqual([short.status, first.status, second.status], [422, 303, 404])
  assert.equal((await open.get('/settings/profile')).status, 303)
})

test('a newer reset link revokes the previous one', async (context) => {
  const host = await openHost(context)
  const user = await addPerson(host, 'alice')
  const older = await makeResetCode(host.deps.store, { user, createdBy: null })
  await makeResetCode(host.deps.store, { user, createdBy: null })
  assert.equal((await openWebClient(host.origin).get(`/reset?code=${older}`)).status, 404)
})

test('administration pages are 404 for other users', async (context) => {
  const host = await openHost(context)
  await addPerson(host, 'alice', true)
  await addPerson(host, 'bob')
  const clients = [openWebClient(host.origin), await signIn(host, 'bob')]
  for (const client of clients)
    for (const page of ['status', 'users', 'log']) assert.equal((await client.get(`/admin/${page}`)).status, 404)
  const alice = await signIn(host, 'alice')
  for (const page of ['status', 'users', 'log']) assert.equal((await alice.get(`/admin/${page}`)).status, 200)
})

test('a disabled user is signed out and refused at once, and can sign in again when enabled', async (context) => {
  const host = await openHost(context)
  await addPerson(host, 'alice', true)
  const bob = await addPerson(host, 'bob')
  const token = await host.addToken(bob, [])
  const [alice, browser] = [await signIn(host, 'alice'), await signIn(host, 'bob')]
  await alice.submit('/admin/users', '/admin/users/bob', { action: 'disable' })
  assert.deepEqual(
    [(await browser.get('/settings/profile')).status, await authenticateToken(host.deps.store, token)],
    [303, null],
  )
  await alice.submit('/admin/users', '/admin/users/bob', { action: 'enable' })
  assert.equal((await authenticateToken(host.deps.store, token))?.user.login, 'bob')
})

test('the last administrator cannot be disabled', async (context) => {
  const host = await openHost(context)
  await addPerson(host, 'alice', true)
  const alice = await signIn(host, 'alice')
  const answer = await alice.submit('/admin/users', '/admin/users/alice', { action: 'disable' })
  assert.deepEqual([answer.status, (await host.deps.store.users.findByLogin('alice'))?.isDisabled], [422, false])
})

test('open invitations are listed without their links, and can be revoked', async (context) => {
  const host = await openHost(context)
  const { store } = host.deps
  const owner = await addPerson(host, 'alice', true)
  await addPerson(host, 'bob')
  const codes = [
    await makeInvite(store, { createdBy: owner.id, email: 'carol@uni.example' }),
    await makeInvite(store, { createdBy: null, email: null }),
  ]
  const alice = await signIn(host, 'alice')
  const { text } = await alice.get('/admin/users')
  assert.match(text, /carol@uni\.example[^]*?alice[^]*?in 7 d/)
  assert.equal(
    codes.some((code) => text.includes(code)),
    false,
  )
  const invite =
    /value="([0-9a-f]{64})"\s+aria-label="Revoke the invitation for carol@uni\.example"/.exec(text)?.[1] ?? ''
  const bob = await signIn(host, 'bob')
  const path = '/admin/users/invite/revoke'
  assert.equal((await bob.submit('/settings/profile', path, { invite })).status, 404)
  assert.equal((await alice.submit('/admin/users', path, { invite })).status, 303)
  assert.equal((await alice.submit('/admin/users', path, { invite })).status, 404)
  assert.deepEqual([await joining(host, 'carol', codes[0]), await joining(host, 'dan', codes[1])], [403, 303])
  const [event] = await store.events.list({ userId: null, kind: 'invite-revoked', limit: 1, beforeId: null })
  assert.deepEqual([event?.actor, event?.detail], ['alice', 'carol@uni.example'])
})

test('closing registration shows how many invitations are still valid, with a link to them', async (context) => {
  const host = await openHost(context)
  const owner = await addPerson(host, 'alice', true)
  await makeInvite(host.deps.store, { createdBy: owner.id, email: null })
  const alice = await signIn(host, 'alice')
  const change = async (mode: string): Promise<string> => {
    const settings = '/admin/settings'
    await alice.submit(settings, `${settings}/registration`, { mode, email_domain: '' })
    return (await alice.get(settings)).text
  }
  const still = /1 invitation is still valid: <a href="\/admin\/users#invitations">/
  assert.deepEqual([still.test(await change('invite')), still.test(await change('closed'))], [false, true])
})

test('links that administrators create use the configured address, whatever Host says', async (context) => {
  const host = await openHost(context)
  await addPerson(host, 'alice', true)
  const alice = await signIn(host, 'alice')
  await alice.submit('/admin/users', '/admin/users/invite', {})
  const { text } = await alice.get('/admin/users')
  const link = /value="([^"]*\/join\?code=[^"]+)"/.exec(text)?.[1] ?? ''
  assert.ok(link.startsWith(`${host.origin}/join?code=`), link)
})

test('the page after an invitation to a host keeps the filter, and reloading it creates no other one', async (context) => {
  const host = await openHost(context)
  await addPerson(host, 'alice', true)
  const alice = await signIn(host, 'alice')
  const created = await alice.submit('/admin/users', '/admin/users/invite', { q: 'bo' })
  const pages = [await alice.get('/admin/users?q=bo'), await alice.get('/admin/users?q=bo')]
  const open = await host.deps.store.codes.listOpen('invite', { limit: 10 })
  assert.deepEqual(
    [created.status, created.headers['location'], pages.map(({ text }) => text.includes('id="made"')), open.length],
    [303, '/admin/users?q=bo', [true, false], 1],
  )
})
