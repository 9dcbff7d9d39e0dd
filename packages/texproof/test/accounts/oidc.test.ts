import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import { setUserDisabled } from '../../src/accounts/users/administer-user.ts'
import { setRegistration } from '../../src/accounts/join/registration.ts'
import type { User } from '../../src/domain/types.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openMailServer } from '../support/hosts/mail-server.ts'
import { openOidcIssuer } from '../support/hosts/oidc-issuer.ts'
import type { OidcIssuer } from '../support/hosts/oidc-issuer.ts'
import { expireReauthentication } from '../support/expire-reauthentication.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const secretary = { sub: 'secretary', email: 'alice@uni.example', email_verified: true }

let issuer: OidcIssuer
let closedIssuer: OidcIssuer
/** Allows every user of the issuer to join. */
let host: PaperHost
/** Allows users with an account only. */
let closedHost: PaperHost
let people = 0

before(async () => {
  issuer = await openOidcIssuer({ isJoinAllowed: true })
  closedIssuer = await openOidcIssuer()
  host = await openPaperHost({ oidc: issuer.config })
  closedHost = await openPaperHost({ oidc: closedIssuer.config })
})
after(async () => {
  await Promise.all([host.close(), closedHost.close()])
  await Promise.all([issuer.close(), closedIssuer.close()])
})
beforeEach(() => {
  people += 1
  for (const each of [issuer, closedIssuer])
    Object.assign(each, {
      person: { sub: `person-${people}`, email: `person-${people}@uni.example`, email_verified: true },
      wrongClaims: {},
      hasWrongKey: false,
      isDeclining: false,
      isDown: false,
    })
})

/** Completes the authorization at the issuer, and returns the address that it redirects the browser to. */
async function askIssuer(client: WebClient, start = '/login/oidc'): Promise<string> {
  const away = await client.get(start)
  assert.equal(away.status, 302)
  const back = await fetch(String(away.headers.location), { redirect: 'manual' })
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  return `${pathname}${search}`
}

async function comeBy(client: WebClient, start?: string): Promise<RawResponse> {
  return client.get(await askIssuer(client, start))
}

async function addPerson(where: PaperHost, login: string): Promise<User> {
  const outcome = await addTestUser(where.deps.store, { login, password })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

/** The cookie of the last sign-in that this client started. */
function pendingOf({ cookies }: WebClient): { readonly name: string; readonly text: string } {
  const [name = '', text = ''] = [...cookies].filter(([each]) => each.startsWith('texproof-oidc.')).at(-1) ?? []
  return { name, text }
}

/** A user whose account is linked to the current identity at the issuer. */
async function addLinked(where: PaperHost, by: OidcIssuer, login: string): Promise<User> {
  const user = await addPerson(where, login)
  await where.deps.store.identities.add({ issuer: by.config.issuer, subject: by.person.sub }, { userId: user.id })
  return user
}

async function signIn(where: PaperHost, name: string): Promise<WebClient> {
  const client = openWebClient(where.origin)
  assert.equal((await client.submit('/login', '/login', { name, password })).status, 303)
  return client
}

async function whoIs(client: WebClient): Promise<string | null> {
  const { text } = await client.get('/settings/profile')
  return /<span class="name">([\w-]+)<\/span><\/summary>/.exec(text)?.[1] ?? null
}

/** The problem shown on a page. */
function problemOf({ text }: RawResponse): string {
  return (
    /role="alert"[^>]*>([\s\S]*?)<\/(?:div|span)/
      .exec(text)?.[1]
      ?.replaceAll(/<[^>]*>/g, '')
      .trim() ?? ''
  )
}

test('a linked user signs in through the identity provider, with a new session, and returns to the page', async () => {
  await addLinked(closedHost, closedIssuer, 'ann')
  const client = openWebClient(closedHost.origin)
  assert.match(
    (await client.get('/login?next=/new')).text,
    /href="\/login\/oidc\?next=%2Fnew"[^>]*>Sign in with University</,
  )
  client.cookies.set('texproof-session', 'p'.repeat(43))
  const answer = await comeBy(client, '/login/oidc?next=/new')
  assert.deepEqual([answer.status, answer.headers.location, await whoIs(client)], [303, '/new', 'ann'])
  assert.notEqual(client.cookies.get('texproof-session'), 'p'.repeat(43))
})

test('a matching email address alone does not sign in', async () => {
  await addTestUser(closedHost.deps.store, { login: 'bea', password, email: secretary.email })
  closedIssuer.person = secretary
  const client = openWebClient(closedHost.origin)
  const answer = await comeBy(client)
  assert.deepEqual([answer.status, await whoIs(client)], [401, null])
  assert.match(problemOf(answer), /No account on this host is linked/)
})

test('a response with another state, nonce, issuer, audience or signature is rejected', async () => {
  await addLinked(closedHost, closedIssuer, 'cleo')
  const spoil: readonly (() => void)[] = [
    () => Object.assign(closedIssuer, { wrongClaims: { nonce: 'another' } }),
    () => Object.assign(closedIssuer, { wrongClaims: { iss: 'https://evil.example' } }),
    () => Object.assign(closedIssuer, { wrongClaims: { aud: 'another' } }),
    () => Object.assign(closedIssuer, { wrongClaims: { exp: 1 } }),
    () => Object.assign(closedIssuer, { wrongClaims: {}, hasWrongKey: true }),
  ]
  const outcomes: unknown[] = []
  for (const act of spoil) {
    act()
    const client = openWebClient(closedHost.origin)
    const { status } = await comeBy(client)
    outcomes.push([status, client.cookies.has('texproof-session')])
  }
  closedIssuer.hasWrongKey = false
  const client = openWebClient(closedHost.origin)
  const back = (await askIssuer(client)).replace(/state=[^&]+/, 'state=another')
  outcomes.push([(await client.get(back)).status, client.cookies.has('texproof-session')])
  assert.deepEqual(
    outcomes,
    outcomes.map(() => [401, false]),
  )
})

test('a code works once, and only in the browser that started the sign-in', async () => {
  await addLinked(closedHost, closedIssuer, 'dan')
  const client = openWebClient(closedHost.origin)
  const back = await askIssuer(client)
  const pending = pendingOf(client)
  const anonymous = openWebClient(closedHost.origin)
  const elsewhere = await anonymous.get(back)
  const first = await client.get(back)
  const again = openWebClient(closedHost.origin)
  again.cookies.set(pending.name, pending.text)
  const replayed = await again.get(back)
  assert.deepEqual([elsewhere.status, first.status, replayed.status], [401, 303, 401])
  assert.match(problemOf(elsewhere), /started in another browser/)
  assert.deepEqual([await whoIs(anonymous), await whoIs(again)], [null, null])
})

test('sign-ins in two tabs both return to their page', async () => {
  await addLinked(closedHost, closedIssuer, 'dora')
  const client = openWebClient(closedHost.origin)
  const [first, second] = [await askIssuer(client, '/login/oidc?next=/new'), await askIssuer(client)]
  const locations: unknown[] = []
  for (const back of [first, second]) locations.push((await client.get(back)).headers.location)
  assert.deepEqual([locations, pendingOf(client).name], [['/new', '/'], ''])
})

test('a browser keeps the cookies of at most five sign-ins', async () => {
  const client = openWebClient(closedHost.origin)
  const counts: number[] = []
  for (let started = 1; started <= 6; started += 1) {
    await client.get('/login/oidc')
    counts.push([...client.cookies.keys()].filter((name) => name.startsWith('texproof-oidc.')).length)
  }
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 1])
})

test('the cookie of a sign-in cannot be altered or used for another step', async () => {
  await addLinked(closedHost, closedIssuer, 'eli')
  const changeStart = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  for (const spoil of [changeStart, () => 'x', () => '']) {
    const client = openWebClient(closedHost.origin)
    const back = await askIssuer(client)
    const { name, text } = pendingOf(client)
    client.cookies.set(name, spoil(text))
    client.cookies.set('texproof-oidc-person', text)
    assert.deepEqual([(await client.get(back)).status, (await client.get('/login/oidc/join')).status], [401, 303])
  }
})

test('a cancelled sign-in and a disabled user get an explanation', async () => {
  const user = await addLinked(closedHost, closedIssuer, 'fay')
  closedIssuer.isDeclining = true
  assert.match(
    problemOf(await comeBy(openWebClient(closedHost.origin))),
    /Sign-in with University was cancelled or denied\./,
  )
  closedIssuer.isDeclining = false
  await setUserDisabled(closedHost.deps.store, { user, isDisabled: true, actorId: null })
  const client = openWebClient(closedHost.origin)
  assert.match(problemOf(await comeBy(client)), /This account is disabled/)
  assert.equal(await whoIs(client), null)
})

test('while the identity provider is down, its page says so and the password still works', async () => {
  const down = await openOidcIssuer()
  const lonely = await openPaperHost({ oidc: down.config })
  try {
    down.isDown = true
    await addPerson(lonely, 'gus')
    const client = openWebClient(lonely.origin)
    const answer = await client.get('/login/oidc?next=/new')
    assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '60'])
    assert.match(problemOf(answer), /University is not responding\. Sign in with your password/)
    assert.match(answer.text, /name="next" value="\/new"/)
    assert.equal(await whoIs(await signIn(lonely, 'gus')), 'gus')
    down.isDown = false
    assert.equal((await client.get('/login/oidc')).status, 302)
    const back = await askIssuer(client)
    down.isDown = true
    assert.match(problemOf(await client.get(back)), /University is not responding/)
  } finally {
    await lonely.close()
    await down.close()
  }
})

test('a server reports an identity provider that fails after the redirect as not responding', async (t) => {
  const failing = await openOidcIssuer()
  t.after(() => failing.close())
  const { issuer: address, clientId, clientSecret, name } = failing.config
  const server = await startHost({
    env: {
      TEXPROOF_OIDC_ISSUER: address,
      TEXPROOF_OIDC_CLIENT_ID: clientId,
      TEXPROOF_OIDC_CLIENT_SECRET: clientSecret ?? '',
      TEXPROOF_OIDC_NAME: name,
    },
  })
  t.after(() => server.stop('SIGKILL'))
  const client = openWebClient(server.url)
  const back = await askIssuer(client)
  failing.isDown = true
  assert.match(problemOf(await client.get(back)), /University is not responding/)
})

test('signing in never redirects to another host', async () => {
  await addLinked(closedHost, closedIssuer, 'hal')
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/%0d%0aevil']) {
    const answer = await comeBy(openWebClient(closedHost.origin), `/login/oidc?next=${encodeURIComponent(next)}`)
    assert.match(String(answer.headers.location), /^\/(?![/\\])(?!.*evil\.example)/)
  }
})

test('a confirmed user links an account, signs in with it, and unlinks it', async () => {
  const owner = await addPerson(closedHost, 'ida')
  const ida = await signIn(closedHost, 'ida')
  const page = '/settings/security/oidc'
  await expireReauthentication(closedHost.deps.store, owner)
  const wrong = await ida.submit(page, `${page}/link`, { owner_proof: 'wrong password' })
  assert.deepEqual([wrong.status, problemOf(wrong)], [422, 'Incorrect password or code.'])
  const onward = await ida.submit(page, `${page}/link`, { owner_proof: password })
  const url = /<a class="button" href="([^"]+)"/.exec(onward.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const back = await fetch(url, { redirect: 'manual' })
  const { pathname, search } = new URL(back.headers.get('location') ?? '')
  assert.equal((await ida.get(`${pathname}${search}`)).headers.location, page)
  assert.match((await ida.get('/settings/security')).text, /Linked\./)
  const other = openWebClient(closedHost.origin)
  await comeBy(other)
  assert.equal(await whoIs(other), 'ida')
  assert.equal((await ida.submit(page, `${page}/unlink`, {})).status, 303)
  assert.equal((await comeBy(openWebClient(closedHost.origin))).status, 401)
  const events = await closedHost.deps.store.events.list({ userId: null, limit: 20, beforeId: null })
  assert.deepEqual(
    events.filter(({ login, kind }) => login === 'ida' && kind.startsWith('identity')).map(({ kind }) => kind),
    ['identity-unlinked', 'identity-linked'],
  )
})

test('an identity signs in one user, and only the user who started linking completes it', async () => {
  await addLinked(closedHost, closedIssuer, 'jan')
  await addPerson(closedHost, 'kim')
  const kim = await signIn(closedHost, 'kim')
  const page = '/settings/security/oidc'
  const begin = async (): Promise<string> => {
    const { text } = await kim.submit(page, `${page}/link`, { password })
    const url = /<a class="button" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { pathname, search } = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '')
    return `${pathname}${search}`
  }
  assert.match(problemOf(await kim.get(await begin())), /is linked to another user/)
  const back = await begin()
  const jan = await signIn(closedHost, 'jan')
  const { name, text } = pendingOf(kim)
  jan.cookies.set(name, text)
  assert.match(problemOf(await jan.get(back)), /no longer signed in to the account with which you started/)
  assert.equal(
    await closedHost.deps.store.identities.findOfUser(
      (await closedHost.deps.store.users.findByLogin('kim'))?.id ?? '',
      closedIssuer.config.issuer,
    ),
    null,
  )
})

test('a first sign-in on a host that allows it asks for a username and signs in', async () => {
  issuer.person = { ...secretary, sub: 'lou', email: 'lou@uni.example', preferred_username: 'Lou Ünïcode', name: 'Lou' }
  const client = openWebClient(host.origin)
  const answer = await comeBy(client, '/login/oidc?next=/new')
  assert.equal(answer.headers.location, '/login/oidc/join')
  const form = await client.get('/login/oidc/join')
  assert.match(form.text, /name="login"[^>]*value="Lou-Unicode"/)
  assert.match(form.text, /lou@uni\.example/)
  await addPerson(host, 'taken')
  const taken = await client.submit('/login/oidc/join', '/login/oidc/join', { login: 'TAKEN' })
  assert.deepEqual([taken.status, problemOf(taken)], [422, 'This username is taken. Choose another one.'])
  const joined = await client.submit('/login/oidc/join', '/login/oidc/join', { login: 'lou' })
  assert.deepEqual([joined.status, joined.headers.location, await whoIs(client)], [303, '/new', 'lou'])
  const { name, email } = (await host.deps.store.users.findByLogin('lou')) ?? {}
  assert.deepEqual({ name, email }, { name: 'Lou', email: 'lou@uni.example' })
  const later = openWebClient(host.origin)
  await comeBy(later)
  assert.equal(await whoIs(later), 'lou')
  const unlink = await later.submit('/settings/security/oidc', '/settings/security/oidc/unlink', {})
  assert.match(problemOf(unlink), /This is your only sign-in method/)
})

test('the registration page links to an identity provider that creates accounts, and to no other', async () => {
  const pages = await Promise.all(
    [host, closedHost].map(async ({ origin }) => (await openWebClient(origin).get('/join')).text),
  )
  assert.deepEqual(
    pages.map((text) => /href="\/login\/oidc">sign in with University</.test(text)),
    [true, false],
  )
})

test('with registration limited to a domain, an unverified address or another domain creates no account', async (context) => {
  const { store } = host.deps
  await addTestUser(store, { login: 'mia', password, email: 'mia@lab.example' })
  await setRegistration(store, { mode: 'closed', emailDomain: 'lab.example' })
  context.after(() => setRegistration(store, { mode: 'closed', emailDomain: null }))
  const refusals: string[] = []
  for (const person of [
    { sub: 'm1', email: 'm1@lab.example', email_verified: false },
    { sub: 'm2', email: 'm2@lab.example' },
    { sub: 'm3' },
    { sub: 'm4', email: 'MIA@lab.example', email_verified: true },
    { sub: 'm5', email: 'm5@uni.example', email_verified: true },
  ]) {
    issuer.person = person
    refusals.push(problemOf(await comeBy(openWebClient(host.origin))))
  }
  const words = [
    /has not verified/,
    /has not verified/,
    /has not verified/,
    /already exists/,
    /is not allowed on this host/,
  ]
  assert.deepEqual(
    refusals.map((refusal, index) => words[index]?.test(refusal)),
    [true, true, true, true, true],
  )
})

test('an identity provider without email claims creates an account whose address is verified by email', async (context) => {
  const server = await openMailServer()
  const mailing = await openPaperHost({ oidc: issuer.config, smtp: server.smtp })
  context.after(async () => {
    await mailing.close()
    await server.close()
  })
  await addTestUser(mailing.deps.store, { login: 'owner', password, email: 'ole@uni.example' })
  const statuses: unknown[] = []
  for (const [login, where] of [
    ['ole', host],
    ['ola', mailing],
  ] as const) {
    issuer.person = { sub: login, email: 'ole@uni.example' }
    const client = openWebClient(where.origin)
    assert.equal((await comeBy(client)).headers.location, '/login/oidc/join')
    const joined = await client.submit('/login/oidc/join', '/login/oidc/join', { login })
    statuses.push([joined.status, (await where.deps.store.users.findByLogin(login))?.email])
  }
  await server.whenReceived(1)
  assert.deepEqual(statuses, [
    [303, null],
    [303, null],
  ])
  // The address belongs to another account: its owner is notified, and the issuer's claim does not sign in to that
  // account.
  assert.match(server.emails[0]?.text ?? '', /It\nbelongs to your account owner\./)
})

test('a sign-in through the identity provider does not skip two-factor authentication', async () => {
  const user = await addLinked(closedHost, closedIssuer, 'noa')
  const factor = { userId: user.id, sealedSecret: 'sealed' }
  await closedHost.deps.store.secondFactors.add(factor, { step: 1, recoveryHashes: ['hash'] })
  const client = openWebClient(closedHost.origin)
  const answer = await comeBy(client)
  assert.match(String(answer.headers.location), /^\/login\/second-step/)
  assert.equal(await whoIs(client), null)
})

test('a host without an identity provider has none of its pages', async (context) => {
  const plain = await openPaperHost()
  context.after(() => plain.close())
  const client = openWebClient(plain.origin)
  const paths = ['/login/oidc', '/login/oidc/callback?code=a&state=b', '/login/oidc/join', '/settings/security/oidc']
  const statuses = await Promise.all(paths.map(async (path) => (await client.get(path)).status))
  assert.deepEqual(statuses, [404, 404, 404, 404])
  assert.doesNotMatch((await client.get('/login')).text, /oidc/)
})
