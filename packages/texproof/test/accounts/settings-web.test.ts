import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { authenticateToken } from '../../src/accounts/tokens/authenticate-token.ts'
import { describeEvent } from '../../src/web/ui/describe-event.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'

let host: PaperHost
let alice: WebClient

before(async () => {
  host = await openPaperHost()
  await addTestUser(host.deps.store, { login: 'alice', password })
  await addTestUser(host.deps.store, { login: 'bob', password, email: 'bob@example.org' })
  alice = await signIn('alice')
})
after(() => host.close())

async function signIn(name: string, secret = password): Promise<WebClient> {
  const client = openWebClient(host.origin)
  const answer = await client.submit('/login', '/login', { name, password: secret })
  assert.equal(answer.status, 303)
  return client
}

test('the settings redirect to sign-in and back', async () => {
  const anonymous = openWebClient(host.origin)
  for (const path of ['profile', 'tokens', 'tokens/new?name=ci', 'sessions', 'security', 'appearance']) {
    const { status, headers } = await anonymous.get(`/settings/${path}`)
    assert.deepEqual([status, headers.location], [303, `/login?next=${encodeURIComponent(`/settings/${path}`)}`])
  }
})

test('POST /settings/profile changes the profile', async () => {
  const fields = { name: 'Alice Example', bio: 'Waits for tides.' }
  const answer = await alice.submit('/settings/profile', '/settings/profile', fields)
  const user = await host.deps.store.users.findByLogin('alice')
  assert.equal(answer.status, 303)
  assert.deepEqual({ name: user?.name, bio: user?.bio }, fields)
})

test('POST /settings/profile keeps the input when it is rejected', async () => {
  const fields = { name: 'Al', bio: `Kept.${'x'.repeat(500)}` }
  const answer = await alice.submit('/settings/profile', '/settings/profile', fields)
  assert.deepEqual([answer.status, /Use at most 500 characters/.test(answer.text)], [422, true])
  assert.ok(answer.text.includes(`>${fields.bio}</textarea>`))
  assert.equal((await host.deps.store.users.findByLogin('alice'))?.name, 'Alice Example')
})

test('POST /settings/profile keeps the lines of a bio, without control characters', async () => {
  const bio = ' Waits\u0000for\u0007tides.\r\nReads\tthe\u202Emoon.\r\n\r\nIn ports. '
  const answer = await alice.submit('/settings/profile', '/settings/profile', { name: 'Alice Example', bio })
  const user = await host.deps.store.users.findByLogin('alice')
  assert.deepEqual([answer.status, user?.bio], [303, 'Waits for tides.\nReads the moon.\n\nIn ports.'])
})

test('POST /settings/profile counts a line break of a bio as one character, like its field', async () => {
  const bio = `${'x'.repeat(498)}\r\nx`
  const answer = await alice.submit('/settings/profile', '/settings/profile', { name: 'Alice Example', bio })
  assert.equal(answer.status, 303)
})

test('POST /settings/profile/email accepts an unverified address on a host without email, and says so', async () => {
  const change = (email: string) => alice.submit('/settings/profile', '/settings/profile/email', { email })
  const emailOf = async () => (await host.deps.store.users.findByLogin('alice'))?.email
  assert.match((await alice.get('/settings/profile')).text, /This host does not send email/)
  assert.deepEqual([(await change('alice@example.org')).status, await emailOf()], [303, 'alice@example.org'])
  const taken = await change('BOB@example.org')
  assert.deepEqual([taken.status, await emailOf()], [422, 'alice@example.org'])
  assert.match(taken.text, /name="email"[^>]*value="BOB@example\.org"/)
  assert.equal((await change('alice')).status, 422)
  assert.deepEqual([(await change('')).status, await emailOf()], [303, null])
})

test('a token created in the settings works, is shown once, and stops working when revoked', async () => {
  const made = await alice.submit('/settings/tokens/new', '/settings/tokens', {
    name: 'my laptop',
    access: 'write',
    days: '90',
  })
  const page = await alice.get(made.headers.location ?? '')
  const text = /id="token" type="text" readonly value="(pst_\w+)"/.exec(page.text)?.[1] ?? ''
  assert.equal((await authenticateToken(host.deps.store, text))?.user.login, 'alice')
  const list = await alice.get('/settings/tokens')
  assert.deepEqual([list.text.includes(text), list.text.includes('my laptop')], [false, true])
  assert.deepEqual([made.status, page.headers['cache-control']], [303, 'no-store'])
  const revoke = /action="(\/settings\/tokens\/\d+\/revoke)"/.exec(list.text)?.[1] ?? ''
  assert.equal((await alice.submit('/settings/tokens', revoke, {})).status, 303)
  assert.equal(await authenticateToken(host.deps.store, text), null)
})

test('GET /settings/tokens does not show the token of another user, or a text that is none', async () => {
  const bob = await host.deps.store.users.findByLogin('bob')
  assert.ok(bob)
  const shown: boolean[] = []
  for (const text of [await host.addToken(bob, []), 'pst_made_up']) {
    alice.cookies.set('texproof-made', text)
    shown.push((await alice.get('/settings/tokens')).text.includes(text))
  }
  assert.deepEqual(shown, [false, false])
})

test('GET /settings/tokens/new prefills the form from its query', async () => {
  const { text } = await alice.get('/settings/tokens/new?name=ci&scopes=&expires=30')
  assert.match(text, /name="name"[^>]*value="ci"/)
  assert.match(text, /value="read"\s+checked/)
  assert.match(text, /value="30"\s+selected/)
})

test('POST /settings/tokens rejects a token without a name or with an unknown expiry', async () => {
  const answers = [
    await alice.submit('/settings/tokens/new', '/settings/tokens', { name: ' ', access: 'write', days: '90' }),
    await alice.submit('/settings/tokens/new', '/settings/tokens', { name: 'a', access: 'write', days: '-1' }),
    await alice.submit('/settings/tokens/new', '/settings/tokens', { name: 'a', access: 'write', days: '1e9' }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [422, 422, 422],
  )
})

test("POST /settings/tokens/{id}/revoke does not affect another user's token", async () => {
  const bob = await host.deps.store.users.findByLogin('bob')
  assert.ok(bob)
  const text = await host.addToken(bob, [])
  const [token] = await host.deps.store.tokens.listOfUser(bob.id)
  const answer = await alice.submit('/settings/tokens', `/settings/tokens/${token?.id ?? 0}/revoke`, {})
  assert.equal(answer.status, 404)
  assert.equal((await authenticateToken(host.deps.store, text))?.user.login, 'bob')
})

test('a session revoked in the list is signed out at once', async () => {
  const other = await signIn('alice')
  const list = await alice.get('/settings/sessions')
  const end = /action="(\/settings\/sessions\/\d+\/end)"/.exec(list.text)?.[1] ?? ''
  await alice.submit('/settings/sessions', end, {})
  assert.deepEqual(
    [(await other.get('/settings/sessions')).status, (await alice.get('/settings/sessions')).status],
    [303, 200],
  )
})

test('signing out other browsers is in the audit log', async () => {
  await signIn('alice')
  const end = /action="(\/settings\/sessions\/\d+\/end)"/.exec((await alice.get('/settings/sessions')).text)?.[1] ?? ''
  await alice.submit('/settings/sessions', end, {})
  await alice.submit('/settings/sessions', '/settings/sessions/end', {})
  const { id } = (await host.deps.store.users.findByLogin('alice')) ?? { id: '' }
  const events = await host.deps.store.events.list({ userId: id, limit: 2, beforeId: null })
  assert.deepEqual(
    events.map((event) => describeEvent(event)),
    ['Signed out everywhere else', 'Signed out another browser'],
  )
})

test('GET /.well-known/change-password leads password managers to the form', async () => {
  const { status, headers } = await alice.get('/.well-known/change-password')
  assert.deepEqual([status, headers.location], [302, '/settings/security'])
})

test('POST /settings/security/password requires the current one, and signs out every other session', async () => {
  const other = await signIn('alice')
  const fields = { current: 'wrong', password: 'ten stones in the brook' }
  const wrong = await alice.submit('/settings/security', '/settings/security/password', fields)
  const right = await alice.submit('/settings/security', '/settings/security/password', {
    ...fields,
    current: password,
  })
  assert.deepEqual([wrong.status, right.status], [422, 303])
  assert.deepEqual(
    [(await other.get('/settings/security')).status, (await alice.get('/settings/security')).status],
    [303, 200],
  )
  await signIn('alice', 'ten stones in the brook')
})

test('POST /settings/security/password limits guesses', async () => {
  const bob = await signIn('bob')
  const statuses: number[] = []
  for (let n = 0; n < 7; n += 1) {
    const fields = { current: `guess ${n}`, password: 'ten stones in the brook' }
    statuses.push((await bob.submit('/settings/security', '/settings/security/password', fields)).status)
  }
  assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429, 429])
})

test('POST /settings/appearance applies to this browser', async () => {
  await alice.submit('/settings/appearance', '/settings/appearance', { theme: 'dark' })
  assert.match((await alice.get('/')).text, /<html lang="en"\s+data-theme="dark"\s+data-keys="off">/)
})

test('no form of the settings accepts a cross-site request', async () => {
  const forms = ['profile', 'tokens', 'sessions/end', 'security/password', 'appearance']
  const statuses = await Promise.all(
    forms.map(async (path) => (await alice.post(`/settings/${path}`, {}, { origin: 'https://evil.example' })).status),
  )
  assert.deepEqual(
    statuses,
    forms.map(() => 403),
  )
})

test('the token list shows the last use and refusal of each token, even after a restart', async () => {
  const bob = await host.deps.store.users.findByLogin('bob')
  assert.ok(bob)
  const reading = await host.addToken(bob, [])
  await host.addRepository(bob, 'tides', 'private')
  const checkout = await host.makeCheckout(host.gitUrl('bob/tides.git', reading), { 'notes.txt': 'tides\n' })
  await checkout.git('ls-remote', 'origin')
  await checkout.git('push', 'origin', 'main').catch(() => {})
  const client = await signIn('bob')
  assert.match(
    (await client.get('/settings/tokens')).text,
    />git fetch bob\/tides<[^]*>git push bob\/tides needs read and write access</,
  )
  await host.restart()
  const [token] = await host.deps.store.tokens.listOfUser(bob.id)
  assert.deepEqual(
    [token?.lastUsedRoute, token?.lastRefusedRoute],
    ['git fetch bob/tides', 'git push bob/tides needs repo:write'],
  )
})
