import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../test/support/hosts/api-host.ts'
import { errorOf } from '../../test/support/expected.ts'
import { sendRequest } from '../../test/support/send-request.ts'
import type { User } from '../domain/types.ts'
import { routes } from './routes.ts'

let host: ApiHost
let alice: { user: User; token: string }
before(async () => {
  host = await openApiHost({ baseUrl: 'https://papers.example.org' })
  alice = await host.addUser('alice')
  await host.addRepository(alice.user, 'tides')
})
after(() => host.close())

const good = () => alice.token
const credentials: Readonly<Record<string, () => string>> = {
  'nothing at all': () => '',
  'a scheme alone': () => 'token',
  'a scheme and blanks': () => 'Bearer  ',
  'a bare token': () => good(),
  'a word too many': () => `token ${good()} x`,
  'an unknown token': () => 'token pst_000000000000000000000000000000000000',
  'a token with a broken check': () => `token ${good().slice(0, -1)}${good().endsWith('0') ? '1' : '0'}`,
  'a Basic credential': () => `Basic ${Buffer.from(`alice:${good()}`).toString('base64')}`,
  'a Digest credential': () => 'Digest username="alice"',
  'an unknown scheme': () => `pst ${good()}`,
  'a comma': () => `token ${good()},`,
  'the object prototype': () => 'token __proto__',
  'eight kilobytes': () => `token ${'x'.repeat(8_000)}`,
}
const targets = ['/repos/alice/tides', '/users/alice', '/user', '/nothing/here', '']

for (const [title, credential] of Object.entries(credentials)) {
  test(`an Authorization header of ${title} is answered 401 on every route, known or not`, async () => {
    const headers = { Authorization: credential() }
    const answers = await Promise.all(targets.map((target) => host.call({ target, headers })))
    const expected = { status: 401, message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' }
    assert.deepEqual(
      answers.map(({ status, body }) => ({ ...Object(body), status })),
      targets.map(() => expected),
    )
  })
}

for (const scheme of ['token', 'Token', 'TOKEN', 'bearer', 'Bearer', 'bEaReR', 'token    ']) {
  test(`a valid token is accepted after "${scheme}"`, async () => {
    const { status } = await host.call({ target: '/user', headers: { Authorization: `${scheme} ${good()}` } })
    assert.equal(status, 200)
  })
}

test('two Authorization headers are refused, even if the first has a valid token', async () => {
  const headers = ['Host', 'x', 'Authorization', `token ${good()}`, 'Authorization', 'token other']
  const { status } = await sendRequest(host.origin, { target: '/api/v3/user', headers })
  assert.equal(status, 401)
})

test('on one connection, every request has the caller of its own token, until it is revoked', async () => {
  const bob = await host.addUser('bob')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const loginOf = async (token: string): Promise<unknown> => {
    const options = { agent, headers: { Authorization: `token ${token}` } }
    const [answer] = (await once(get(`${host.origin}/api/v3/user`, options), 'response')) as [IncomingMessage]
    const { login } = (await json(answer)) as { readonly login?: string }
    return login ?? answer.statusCode
  }
  const logins: unknown[] = []
  for (const token of [good(), bob.token, bob.token, good(), `${good()}x`, bob.token]) logins.push(await loginOf(token))
  for (const { id } of await host.store.tokens.listOfUser(bob.user.id))
    await host.store.tokens.remove(id, { userId: bob.user.id })
  logins.push(await loginOf(bob.token))
  agent.destroy()
  assert.deepEqual(logins, ['alice', 'bob', 'bob', 'alice', 401, 'bob', 401])
})

test('an expired token is answered 401 even on public routes', async () => {
  const token = await host.addToken(alice.user, ['repo:write'], Date.now() - 1_000)
  const { status, body } = await host.call({ target: '/repos/alice/tides', token })
  assert.deepEqual([status, body], [401, errorOf(401, 'Bad credentials')])
})

test('cookies and query parameters are not accepted as credentials', async () => {
  const target = `/user?access_token=${good()}`
  const { status, body } = await host.call({ target, headers: { Cookie: `token=${good()}; session=1` } })
  assert.deepEqual([status, Object(body).message], [401, 'Requires authentication'])
})

for (const target of [
  '',
  '/',
  '/user/',
  '/User',
  '//user',
  '/user/repos/',
  '/users',
  '/users/alice/',
  '/users/alice/repos/x',
  '/repos',
  '/repos/alice',
  '/repos/alice/tides/',
  '/repos/alice/tides/branches/',
  '/repos/alice/tides/Tags',
  '/repos/alice/tides/commits',
  '/repositories/1',
  '/graphql',
  '/rate_limit',
  '/meta',
  '/user/../user',
  '/%75sers%2Falice',
]) {
  test(`GET ${target || 'the base path'} is answered 404`, async () => {
    const { status, body } = await host.call({ target, token: good() })
    assert.deepEqual([status, body], [404, errorOf(404, 'Not Found')])
  })
}

for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'QUERY']) {
  test(`${method} is answered 404 on every path without such a route`, async () => {
    const paths = routes
      .filter((route) => route.method !== method)
      .map((route) => route.path.replaceAll(/\{\+?\w+\}/g, 'x'))
    const others = paths.filter((path) => !routes.some((route) => route.method === method && route.path === path))
    const answers = await Promise.all(others.map((target) => host.call({ method, target, token: good() })))
    assert.deepEqual(
      answers.map(({ status, body, headers }) => [status, body, headers['allow']]),
      others.map(() => [404, errorOf(404, 'Not Found'), undefined]),
    )
  })
}

test('HEAD is answered 404 without a body', async () => {
  const { status, text, headers } = await host.call({ method: 'HEAD', target: '/users/alice' })
  assert.deepEqual([status, text, headers['content-type']], [404, '', 'application/json; charset=utf-8'])
})

test('every response has the three headers, and none for caching, rate limits or CORS', async () => {
  const answers = await Promise.all([
    host.call({ target: '/user', token: good() }),
    host.call({ target: '/user' }),
    host.call({ target: '/x', headers: { Origin: 'https://evil.example' } }),
    host.call({
      target: '/users/alice',
      headers: { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() },
    }),
    host.call({ method: 'POST', target: '/user/repos', token: good(), body: '{' }),
    host.call({ method: 'POST', target: '/user/repos', token: good(), body: '{}' }),
    host.call({ method: 'HEAD', target: '/user' }),
  ])
  const allowed = [
    'connection',
    'content-length',
    'content-type',
    'date',
    'x-service-media-type',
    'x-service-request-id',
  ]
  assert.deepEqual(
    answers.map(({ headers }) => ({
      names: Object.keys(headers).toSorted(),
      type: headers['content-type'],
      media: headers['x-service-media-type'],
    })),
    answers.map(() => ({ names: allowed, type: 'application/json; charset=utf-8', media: 'service.v3; format=json' })),
  )
})

test('a request id is never used twice', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => host.call({ target: '/users/alice' })))
  assert.equal(new Set(answers.map(({ headers }) => headers['x-service-request-id'])).size, 20)
})

test('no address in a response comes from the Host header', async () => {
  const { text } = await host.call({
    target: '/repos/alice/tides',
    headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
  })
  assert.equal(text.includes('evil'), false)
  assert.equal(Object(JSON.parse(text)).url, 'https://papers.example.org/api/v3/repos/alice/tides')
})

test('the absolute form of a target is equivalent', async () => {
  const { status } = await sendRequest(host.origin, { target: 'http://papers.example.org/api/v3/users/alice' })
  assert.equal(status, 200)
})

test('a request without Host is answered 400 with the error body', async () => {
  const { status, body } = await sendRequest(host.origin, { target: '/api/v3/users/alice', headers: [] })
  assert.deepEqual([status, body], [400, errorOf(400, 'Bad Request')])
})

test('every request is logged under its id, and no log line contains a token, a query or a cookie', async () => {
  const secret = await host.addToken(alice.user, ['repo:write'])
  const answers = await Promise.all([
    host.call({ target: `/user?access_token=${secret}`, token: secret }),
    host.call({ target: '/user', headers: { Authorization: `Basic ${secret}`, Cookie: `s=${secret}` } }),
    sendRequest(host.origin, { target: `http://alice:${secret}@papers.example.org/api/v3/user` }),
  ])
  const lines = host.logged()
  const ids = answers.map(({ headers }) => String(headers['x-service-request-id']))
  assert.deepEqual(
    ids.filter((id) => !lines.includes(`"request_id":"${id}"`)),
    [],
  )
  assert.equal(lines.includes(secret), false)
  assert.equal(lines.includes('access_token'), false)
})

test('a database locked by another process is answered 503, and works again afterwards', async () => {
  const holder = new DatabaseSync(join(host.dataDir, 'texproof.db'))
  holder.exec('BEGIN IMMEDIATE')
  const post = () => host.call({ method: 'POST', target: '/user/repos', token: good(), body: '{"name":"patient"}' })
  const held = await post()
  const read = await host.call({ target: '/user', token: good() })
  holder.exec('ROLLBACK')
  holder.close()
  const free = await post()
  assert.deepEqual([held.status, held.headers['retry-after'], read.status, free.status], [503, '1', 200, 201])
})

test('a token records the routes of its last use and its last refusal', async () => {
  const reading = await host.addToken(alice.user, [])
  await host.call({ target: '/repos/alice/tides/branches?per_page=1', token: reading })
  await host.call({ method: 'POST', target: '/user/repos', token: reading, body: '{"name":"refused"}' })
  const [token] = await host.store.tokens.listOfUser(alice.user.id)
  assert.deepEqual(
    [token?.lastUsedRoute, token?.lastRefusedRoute],
    ['GET /repos/{owner}/{repo}/branches', 'POST /user/repos needs repo:write'],
  )
})
