/** Attacks of users and anonymous clients: each must fail. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { makeInvite } from '../../src/accounts/join/invite.ts'
import { join } from '../../src/accounts/join/join.ts'
import { setRegistration } from '../../src/accounts/join/registration.ts'
import { findReset, makeResetCode } from '../../src/accounts/credentials/reset-password.ts'
import type { User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { checkPassword, hashNewPassword, TooManyPasswordChecks } from '../../src/accounts/password/password-checks.ts'
import { expireReauthentication } from '../support/expire-reauthentication.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest } from '../support/send-request.ts'
import { formTokenOf, openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const formType = 'application/x-www-form-urlencoded'

let host: PaperHost
let alice: User
let bob: WebClient

before(async () => {
  host = await openPaperHost()
  alice = await add('alice')
  await add('bob')
  bob = await signIn('bob')
})
after(() => host.close())

async function add(login: string): Promise<User> {
  const outcome = await addTestUser(host.deps.store, { login, password })
  assert.equal(outcome.kind, 'added')
  return outcome.kind === 'added' ? outcome.user : alice
}

async function signIn(name: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

async function formTokenOfBob(): Promise<string> {
  return formTokenOf((await bob.get('/settings/profile')).text)
}

/**
 * Keeps the maximum number of password checks running and waiting; the result ends them and resolves when none is left.
 */
function occupyPasswordChecks(): () => Promise<unknown> {
  const slowHash = 'scrypt$15$8$1$c2FsdA$a2V5'
  const over = new AbortController()
  // A finished check is replaced before a request can take its slot, however slow the machine is.
  const checkAgain = async (): Promise<void> => {
    while (!over.signal.aborted) await checkPassword(password, slowHash)
  }
  const checks = Array.from({ length: 32 }, checkAgain)
  return () => {
    over.abort()
    return Promise.all(checks)
  }
}

test('a token sent with a form adds no rights to the session', async () => {
  await host.addRepository(alice, 'tides')
  const headers = { origin: host.origin, authorization: `token ${await host.addToken(alice, [])}` }
  const post = async (part: string, fields: Readonly<Record<string, string>>): Promise<number> => {
    const form = { form_token: await formTokenOfBob(), ...fields }
    return (await bob.post(`/alice/tides/${part}`, form, headers)).status
  }
  assert.deepEqual(
    [
      await post('settings/details', { description: 'of bob' }),
      await post('settings/visibility', { visibility: 'private' }),
      await post('settings/collaborators', { login: 'bob', permission: 'admin' }),
      await post('branches/new', { name: 'next', from: 'main' }),
    ],
    [404, 404, 404, 404],
  )
  const repository = await host.deps.store.repositories.findByName('alice', 'tides')
  assert.deepEqual([repository?.description, repository?.visibility], [null, 'public'])
})

test('a token sent with a session of another user opens no settings page', async () => {
  await host.addRepository(alice, 'drafts', 'private')
  const cookie = [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, authorization: `token ${await host.addToken(alice, [])}` }
  const read = async (target: string): Promise<number> => (await sendRequest(host.origin, { target, headers })).status
  assert.deepEqual([await read('/alice/drafts'), await read('/alice/drafts/settings')], [200, 404])
})

test('a form whose body does not match its type is a client error', async () => {
  const cookie = [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=b', 'application/json', 'text/plain']) {
    const headers = { origin: host.origin, cookie, 'content-type': type }
    const answer = await sendRequest(host.origin, { method: 'POST', target: '/settings/profile', headers, body: '{' })
    assert.deepEqual([type, answer.status], [type, 403])
  }
})

test('a chunked form is read like any other, and rejected when it is too large', async () => {
  const cookie = [...bob.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const token = await formTokenOfBob()
  const post = async (name: string): Promise<number | undefined> => {
    const options = { method: 'POST', headers: { origin: host.origin, cookie, 'content-type': formType } }
    const sent = request(`${host.origin}/settings/profile`, options)
    sent.on('error', () => {})
    sent.write(`form_token=${token}&name=`)
    sent.end(name)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  assert.deepEqual([await post('Bob'), await post('x'.repeat(3e6))], [303, 413])
  assert.equal((await host.deps.store.users.findByLogin('bob'))?.name, 'Bob')
})

test('an unsupported method answers 404', async () => {
  for (const method of ['OPTIONS', 'PUT', 'PATCH', 'DELETE'])
    for (const target of ['/login', '/settings/tokens', '/alice']) {
      const { status } = await sendRequest(host.origin, { method, target, headers: { origin: host.origin } })
      assert.deepEqual([method, target, status], [method, target, 404])
    }
})

test('registrations from one IPv6 network share one limit', async () => {
  await setRegistration(host.deps.store, { mode: 'open', emailDomain: null })
  const anonymous = openWebClient(host.origin)
  const token = formTokenOf((await anonymous.get('/join')).text)
  const join = async (index: number): Promise<number> => {
    const headers = { origin: host.origin, 'x-forwarded-for': `2001:db8::${index.toString(16)}:1` }
    return (await anonymous.post('/join', { form_token: token, login: '-', password }, headers)).status
  }
  const statuses: number[] = []
  for (let index = 1; index <= 21; index += 1) statuses.push(await join(index))
  assert.deepEqual([statuses[0], statuses.at(-1)], [422, 429])
})

test('invited users of one network do not limit each other', async () => {
  const { store } = host.deps
  const headers = { origin: host.origin, 'x-forwarded-for': '192.0.2.7' }
  const join = async (code: string, login: string): Promise<number> => {
    const guest = openWebClient(host.origin)
    const token = formTokenOf((await guest.get(`/join?code=${code}`)).text)
    return (await guest.post('/join', { form_token: token, code, login, password }, headers)).status
  }
  for (let count = 0; count < 19; count += 1) await join('none', '-')
  const codes = await Promise.all(['a', 'b', 'c'].map(() => makeInvite(store, { createdBy: alice.id, email: null })))
  const statuses: number[] = []
  for (const [index, code] of codes.entries()) statuses.push(await join(code, `bob-${index}`))
  assert.deepEqual(statuses, [303, 303, 303])
})

test('an invitation stays valid when the host is busy', async () => {
  const { store } = host.deps
  const code = await makeInvite(store, { createdBy: alice.id, email: null })
  const releasePasswordChecks = occupyPasswordChecks()
  const arrival = { code, isConfined: true, isMailing: false, areCoauthorsAllowed: false }
  const asked = { ...arrival, login: 'bob-too', email: null, password, address: '192.0.2.9' }
  await assert.rejects(join(host.deps, asked), TooManyPasswordChecks)
  await releasePasswordChecks()
  assert.equal((await join(host.deps, asked)).kind, 'joined')
})

test('sign-ins refused because the host is busy do not count as wrong guesses', async () => {
  const client = openWebClient(host.origin)
  const token = formTokenOf((await client.get('/login')).text)
  const headers = { origin: host.origin, 'x-forwarded-for': '192.0.2.8' }
  const signInOnce = async (): Promise<number> =>
    (await client.post('/login', { form_token: token, name: 'bob', password }, headers)).status
  const releasePasswordChecks = occupyPasswordChecks()
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) statuses.push(await signInOnce())
  await releasePasswordChecks()
  assert.deepEqual([...statuses, await signInOnce()], [503, 503, 503, 503, 503, 503, 303])
})

test('changing the password revokes reset links', async () => {
  const { store } = host.deps
  const owner = await signIn('alice')
  const code = await makeResetCode(store, { user: alice, createdBy: null })
  const fields = { current: password, password: `${password}, and a tenth` }
  assert.equal((await owner.submit('/settings/security', '/settings/security/password', fields)).status, 303)
  assert.equal(await findReset(store, code), null)
})

test('the log contains no secret link and no code', async () => {
  const { store } = host.deps
  const secret = 'kept-from-the-log-kept-from-the-log-kept-fr'
  const code = await makeResetCode(store, { user: alice, createdBy: null })
  const anonymous = openWebClient(host.origin)
  for (const path of [
    `/s/${secret}`,
    `/s/${secret}.pdf`,
    `/s/${secret}/main.pdf`,
    `/%73/${secret}`,
    `/reset?code=${code}`,
  ])
    await anonymous.get(path)
  assert.deepEqual([host.logged().includes(secret), host.logged().includes(code)], [false, false])
})

test('a page with a code is not cached', async () => {
  const { store } = host.deps
  const reset = await makeResetCode(store, { user: alice, createdBy: null })
  const invite = await makeInvite(store, { createdBy: alice.id, email: null })
  const anonymous = openWebClient(host.origin)
  for (const path of [`/reset?code=${reset}`, `/join?code=${invite}`]) {
    const { status, headers } = await anonymous.get(path)
    assert.deepEqual([path, status, headers['cache-control']], [path, 200, 'no-store'])
  }
})

test('guessing the password on a settings form answers 429', async () => {
  const { store } = host.deps
  const owner = await store.users.findByLogin('bob')
  if (owner !== null) await expireReauthentication(store, owner)
  const statuses: (readonly [number, boolean])[] = []
  for (let count = 0; count < 6; count += 1) {
    const fields = { email: 'bob@example.org', owner_proof: 'a wrong password' }
    const { status, headers } = await bob.submit('/settings/profile', '/settings/profile/email', fields)
    statuses.push([status, headers['retry-after'] !== undefined])
  }
  assert.deepEqual(
    [statuses[0], statuses.at(-1)],
    [
      [422, false],
      [429, true],
    ],
  )
})

test('the name of a token is one line, and the form accepts every expiry of its query', async () => {
  const fields = { name: 'ci\r\n\u001b[31mred', access: 'read', days: 'none' }
  assert.equal((await bob.submit('/settings/tokens/new', '/settings/tokens', fields)).status, 303)
  const owner = await host.deps.store.users.findByLogin('bob')
  const [token] = await host.deps.store.tokens.listOfUser(owner?.id ?? '')
  assert.deepEqual([token?.name, token?.expiresAt], ['ci [31mred', null])
})

test('a password that is too long is rejected with the limit', async () => {
  const code = await makeResetCode(host.deps.store, { user: alice, createdBy: null })
  const fields = { code, password: 'x'.repeat(1025) }
  const answer = await openWebClient(host.origin).submit(`/reset?code=${code}`, '/reset', fields)
  assert.deepEqual([answer.status, answer.text.includes('at most 1,024 bytes')], [422, true])
})

test('a sign-in in progress when the password changes opens no session', async () => {
  const { store } = host.deps
  const owner = await store.users.findByLogin('bob')
  const [hash, other] = [await hashNewPassword(password), await hashNewPassword(`${password}, and a tenth`)]
  await store.users.setPasswordHash(owner?.id ?? '', hash)
  const client = openWebClient(host.origin)
  const answer = client.submit('/login', '/login', { name: 'bob', password })
  // Checking takes several times as long; if it were faster, the new password would be checked.
  await pause(100)
  await store.users.setPasswordHash(owner?.id ?? '', other)
  assert.equal((await answer).status, 401)
})
