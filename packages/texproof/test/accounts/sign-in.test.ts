import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { hashSecretText } from '../../src/base/secret-text.ts'
import { makeSetUpCode } from '../../src/accounts/join/set-up.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest, type RawResponse } from '../support/send-request.ts'
import { formTokenOf, openWebClient, withoutFormTokens } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const sessionCookie = 'texproof-session'

test('POST /login signs in, returns to the requested page, and opens private repositories', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  const answer = await alice.submit('/login?next=/alice/secret', '/login', {
    name: 'Alice',
    password,
    next: '/alice/secret',
  })
  assert.deepEqual([answer.status, answer.headers.location], [303, '/alice/secret'])
  assert.deepEqual(
    [(await openWebClient(host.origin).get('/alice/secret')).status, (await alice.get('/alice/secret')).status],
    [404, 200],
  )
})

test('POST /login answers the same for an unknown user and a wrong password', async (context) => {
  const host = await hostOfAlice(context)
  const client = openWebClient(host.origin)
  const wrong = await client.submit('/login', '/login', { name: 'alice', password: 'x' })
  const unknown = await client.submit('/login', '/login', { name: 'alicf', password: 'x' })
  assert.deepEqual([wrong.status, unknown.status], [401, 401])
  assert.equal(withoutFormTokens(wrong.text).replaceAll('alice', 'alicf'), withoutFormTokens(unknown.text))
})

test('form tokens differ in every response, so that compression reveals nothing', async (context) => {
  const host = await hostOfAlice(context)
  const client = openWebClient(host.origin)
  const tokens = await Promise.all([1, 2].map(async () => formTokenOf((await client.get('/login')).text)))
  assert.notEqual(tokens[0], tokens[1])
})

test('POST /login never adopts a planted session cookie', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  const planted = 'A'.repeat(43)
  alice.cookies.set(sessionCookie, planted)
  await alice.submit('/login', '/login', { name: 'alice', password })
  assert.notEqual(alice.cookies.get(sessionCookie), planted)
  const attacker = openWebClient(host.origin)
  attacker.cookies.set(sessionCookie, planted)
  assert.equal((await attacker.get('/alice/secret')).status, 404)
})

test('POST /login from another site, from nowhere or without the form token changes nothing', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  const token = /name="form_token" value="([^"]+)"/.exec((await alice.get('/login')).text)?.[1] ?? ''
  const fields = { name: 'alice', password, form_token: token }
  const attempts: readonly Readonly<Record<string, string>>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    {},
    { 'sec-fetch-site': 'cross-site', origin: host.origin },
    { 'sec-fetch-site': 'same-site', origin: host.origin },
    { 'sec-fetch-site': 'none' },
  ]
  const answers = []
  for (const headers of attempts) answers.push((await alice.post('/login', fields, headers)).status)
  answers.push((await alice.post('/login', { name: 'alice', password })).status)
  answers.push((await alice.post('/login', { ...fields, form_token: 'A'.repeat(43) })).status)
  assert.deepEqual(
    answers,
    answers.map(() => 403),
  )
  assert.equal(alice.cookies.has(sessionCookie), false)
})

test('POST /login limits guesses with Retry-After, even for the right password', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const host = await hostOfAlice(context)
  const client = openWebClient(host.origin)
  const guesses = Array.from({ length: 5 }, () =>
    client.submit('/login', '/login', { name: 'alice', password: 'guess' }),
  )
  await Promise.all(guesses)
  const answer = await client.submit('/login', '/login', { name: 'alice', password })
  assert.deepEqual([answer.status, answer.headers['retry-after']], [429, '30'])
  assert.match(answer.text, /Too many attempts\. Wait 30 s/)
})

test('POST /login accepts the email address too, and counts guesses for both together', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const host = await hostOfAlice(context)
  await addTestUser(host.deps.store, { login: 'bob', password, email: 'Bob@uni.example' })
  const client = openWebClient(host.origin)
  assert.equal((await client.submit('/login', '/login', { name: ' bob@UNI.example ', password })).status, 303)
  const statuses: number[] = []
  for (const name of ['bob', 'bob@uni.example', 'bob', 'bob@uni.example', 'bob', 'bob@uni.example'])
    statuses.push((await openWebClient(host.origin).submit('/login', '/login', { name, password: 'x' })).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
})

test('guesses from one network do not keep the owner of an account from signing in elsewhere', async (context) => {
  const host = await hostOfAlice(context)
  const statuses = []
  for (const [network, typed] of [
    ...Array.from({ length: 6 }, () => ['198.51.100.7', 'guess'] as const),
    ['192.0.2.9', password] as const,
  ])
    statuses.push((await signInFrom(host, network, typed)).status)
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 303])
})

test('guesses for one account from many networks are limited', async (context) => {
  const host = await hostOfAlice(context)
  const statuses = []
  for (let at = 1; at <= 51; at += 1) statuses.push((await signInFrom(host, `198.51.100.${at}`, 'guess')).status)
  assert.deepEqual(statuses, [...Array.from({ length: 50 }, () => 401), 429])
})

test('POST /login limits an address that tries one password on many usernames', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const host = await hostOfAlice(context)
  const client = openWebClient(host.origin)
  const token = /name="form_token" value="([^"]+)"/.exec((await client.get('/login')).text)?.[1] ?? ''
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      client.post('/login', { form_token: token, name: `user${at}`, password: 'summer' }),
    ),
  )
  assert.deepEqual(Map.groupBy(answers, ({ status }) => status).get(401)?.length, 20)
  assert.deepEqual(Map.groupBy(answers, ({ status }) => status).get(429)?.length, 10)
})

test('POST /logout ends the session at the host, not only in the browser', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  await alice.submit('/login', '/login', { name: 'alice', password })
  const stolen = openWebClient(host.origin)
  for (const [name, value] of alice.cookies) stolen.cookies.set(name, value)
  await alice.submit('/', '/logout', {})
  assert.equal(alice.cookies.has(sessionCookie), false)
  assert.equal((await stolen.get('/alice/secret')).status, 404)
})

test('GET /logout asks before it signs out, and says if nobody is signed in', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  await alice.submit('/login', '/login', { name: 'alice', password })
  const page = await alice.get('/logout')
  const answer = await alice.submit('/logout', '/logout', {})
  const again = await alice.get('/logout')
  assert.deepEqual(
    [page.status, /signed in as <b>alice/.test(page.text), answer.status, again.status, again.headers.location],
    [200, true, 303, 303, '/'],
  )
  assert.match((await alice.get('/')).text, /You are signed out\./)
})

test('a disabled user is signed out everywhere at once', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  await alice.submit('/login', '/login', { name: 'alice', password })
  const user = await host.deps.store.users.findByLogin('alice')
  await host.deps.store.users.setDisabled(user?.id ?? '', true)
  assert.equal((await alice.get('/alice/secret')).status, 404)
})

test('the session cookie is HttpOnly and SameSite, and stored as a hash', async (context) => {
  const host = await hostOfAlice(context)
  const alice = openWebClient(host.origin)
  const answer = await alice.submit('/login', '/login', { name: 'alice', password })
  assert.match(String(answer.headers['set-cookie']), /^texproof-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const secret = alice.cookies.get(sessionCookie) ?? ''
  assert.equal(await host.deps.store.sessions.findByHash(secret), null)
  assert.notEqual(await host.deps.store.sessions.findByHash(hashSecretText(secret)), null)
  assert.equal(host.logged().includes(secret) || host.logged().includes(password), false)
})

test('on https the cookie is Secure and bound to this host', async (context) => {
  const host = await hostOfAlice(context, 'https://papers.example.org')
  const alice = openWebClient(host.origin)
  const answer = await alice.submit('/login', '/login', { name: 'alice', password })
  assert.match(
    String(answer.headers['set-cookie']),
    /^__Host-texproof-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  )
})

test('GET /login with a forged Host links to no other host', async (context) => {
  const host = await hostOfAlice(context)
  const { text, headers } = await sendRequest(host.origin, { target: '/login', headers: { host: 'evil.example' } })
  assert.equal(`${text}${JSON.stringify(headers)}`.includes('evil.example'), false)
})

test('GET /setup creates the first administrator once, and only with its code', async (context) => {
  const host = await openPaperHost()
  context.after(() => host.close())
  const code = (await makeSetUpCode(host.deps.store)) ?? ''
  const client = openWebClient(host.origin)
  const fields = { code, login: 'alice', password, mode: 'closed' }
  const guessed = await client.get('/setup?code=guess')
  const refused = await client.submit(`/setup?code=${code}`, '/setup', { ...fields, password: 'short' })
  const made = await client.submit(`/setup?code=${code}`, '/setup', fields)
  const alice = await host.deps.store.users.findByLogin('alice')
  assert.deepEqual([refused.status, made.status, alice?.isAdmin], [422, 303, true])
  assert.match((await client.get('/')).text, /Sign out/)
  const late = await openWebClient(host.origin).get(`/setup?code=${code}`)
  assert.deepEqual([guessed.status, late.status], [404, 404])
  assert.match(guessed.text, /Restart Texproof to print a new one\./)
  assert.match(late.text, /This host is already set up\./)
  assert.equal(await makeSetUpCode(host.deps.store), null)
})

test('POST /setup reports every invalid field at once', async (context) => {
  const host = await openPaperHost()
  context.after(() => host.close())
  const code = (await makeSetUpCode(host.deps.store)) ?? ''
  const fields = { code, login: 'admin', password: 'short', mode: 'open', email_domain: 'uni..example' }
  const { status, text } = await openWebClient(host.origin).submit(`/setup?code=${code}`, '/setup', fields)
  const listed = [...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, field]) => field)
  assert.deepEqual([status, listed], [422, ['login', 'password', 'email_domain']])
})

test('GET /setup says next to the options that open registration has no effect on this host', async (context) => {
  const host = await openPaperHost({ sandbox: 'none' })
  context.after(() => host.close())
  const code = (await makeSetUpCode(host.deps.store)) ?? ''
  const { text } = await openWebClient(host.origin).get(`/setup?code=${code}`)
  const [, options = ''] = /<legend>Registration<\/legend>([^]*?)<label for="email_domain"/.exec(text) ?? []
  const words = options
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  assert.equal(
    words,
    'Closed (invitations still work) By invitation Anyone "Anyone" has no effect on this host: builds run without a sandbox. ' +
      'Administration › Status shows what to change.',
  )
})

test('GET /setup also works on a host with accounts, until one of them is an administrator', async (context) => {
  const host = await hostOfAlice(context)
  const { store } = host.deps
  const code = (await makeSetUpCode(store)) ?? ''
  const readStatus = async (): Promise<number> => (await openWebClient(host.origin).get(`/setup?code=${code}`)).status
  const before = await readStatus()
  const alice = await store.users.findByLogin('alice')
  await store.users.setAdmin(alice?.id ?? '', true)
  assert.deepEqual([before, await readStatus(), await makeSetUpCode(store)], [200, 404, null])
})

test('GET /setup works with the codes of all servers that were started', async (context) => {
  const host = await openPaperHost()
  context.after(() => host.close())
  const codes = [await makeSetUpCode(host.deps.store), await makeSetUpCode(host.deps.store)]
  const pages = await Promise.all(codes.map((code) => openWebClient(host.origin).get(`/setup?code=${code ?? ''}`)))
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 200],
  )
})

async function hostOfAlice(context: TestContext, baseUrl?: string): Promise<PaperHost> {
  const host = await openPaperHost(baseUrl === undefined ? {} : { baseUrl })
  context.after(() => host.close())
  const outcome = await addTestUser(host.deps.store, { login: 'alice', password })
  assert.equal(outcome.kind, 'added')
  if (outcome.kind === 'added') await host.addRepository(outcome.user, 'secret', 'private')
  return host
}

/** Submits the sign-in form from a network, as a proxy on this machine forwards it. */
async function signInFrom(host: PaperHost, network: string, typed: string): Promise<RawResponse> {
  const client = openWebClient(host.origin)
  const token = formTokenOf((await client.get('/login')).text)
  const headers = { origin: host.origin, 'x-forwarded-for': network }
  return client.post('/login', { form_token: token, name: 'alice', password: typed }, headers)
}
