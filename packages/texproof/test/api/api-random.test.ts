/**
 * Sends random requests to a running API and checks that every response has the documented form. A failure prints the
 * seed, which RANDOM_SEED sets; RANDOM_REQUESTS sets the number of requests.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { Agent, IncomingHttpHeaders } from 'node:http'
import { Agent as HttpAgent } from 'node:http'
import { test } from 'node:test'

import { Ajv2020 } from 'ajv/dist/2020.js'

import { matchRoute } from '../../src/api/match-route.ts'
import { getMatrixRow } from '../../src/compat/matrix.ts'
import { schemas } from '../../src/compat/openapi-schemas.ts'
import { openApiHost } from '../support/hosts/api-host.ts'
import type { ApiHost } from '../support/hosts/api-host.ts'
import { seedCommit, seedRefs } from '../support/git/seed-refs.ts'

const requestCount = Number(process.env['RANDOM_REQUESTS'] ?? 2_000)
const seed = Number(process.env['RANDOM_SEED'] ?? Date.now() % 1_000_000_007)

/** Part of every private name; anonymous callers must never get it. */
const canary = 'canary7h3'

interface RandomRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the request has the token of the owner of the private data. */
  readonly isOwner: boolean
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

test(`${requestCount} random requests are all answered in the documented form (seed ${seed})`, async (context) => {
  const host = await openApiHost()
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 16 })
  context.after(async () => {
    agent.destroy()
    await host.close()
  })
  const tokens = await fill(host)
  const pick = randomPicker(seed)
  const check = answerChecker()
  let left = requestCount
  async function work(): Promise<void> {
    while (left > 0) {
      left -= 1
      const sent = randomRequest(pick, tokens)
      check(sent, await send(host.origin, sent, agent))
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  const lines = host.logged()
  assert.deepEqual(
    [tokens.owner, tokens.other, tokens.reader].filter((token) => lines.includes(token)),
    [],
  )
  assert.equal(lines.includes('"level":50'), false, 'something was logged as a fault')
})

async function fill(host: ApiHost) {
  const alice = await host.addUser('alice')
  const bob = await host.addUser('bob')
  const tides = await host.addRepository(alice.user, 'tides', { description: 'Tides' })
  const hidden = await host.addRepository(alice.user, canary, { visibility: 'private', description: canary })
  for (const repository of [tides, hidden]) {
    const gitDir = host.git.gitDir(repository.id)
    const commitId = await seedCommit(gitDir, 'main')
    const names = ['feature/a', '%2F', 'x#1', '\u{1F30A}', ...Array.from({ length: 40 }, (_, index) => `b${index}`)]
    const ownNames = repository === hidden ? [`${canary}-branch`] : names
    await seedRefs(
      gitDir,
      ownNames.flatMap((name) => [`refs/heads/${name}`, `refs/tags/v1-${name}`]),
      commitId,
    )
  }
  return { owner: alice.token, other: bob.token, reader: await host.addToken(bob.user, []) }
}

type Pick = <T>(...choices: readonly [T, ...T[]]) => T

function randomPicker(start: number): Pick {
  let state = start >>> 0
  return (...choices) => {
    // Mulberry32: small, and the same on every machine.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return choices[((mixed ^ (mixed >>> 14)) >>> 0) % choices.length] ?? choices[0]
  }
}

function randomRequest(pick: Pick, tokens: Awaited<ReturnType<typeof fill>>): RandomRequest {
  const method = pick('GET', 'GET', 'GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH')
  const token = pick(null, null, tokens.owner, tokens.owner, tokens.other, tokens.reader, 'pst_bad', '')
  const scheme = pick('token ', 'Bearer ', 'bearer  ', 'TOKEN ', 'Basic ', '')
  const headers: Record<string, string> = token === null ? {} : { Authorization: scheme + token }
  if (pick(0, 0, 0, 1) === 1)
    headers[pick('If-None-Match', 'X-Forwarded-Host', 'Cookie', 'Range')] = pick('*', 'evil', 'a=b')
  return {
    method,
    path: randomPath(pick),
    query: randomQuery(pick),
    headers,
    body: method === 'POST' || method === 'PUT' ? randomBody(pick) : '',
    isOwner: token === tokens.owner,
  }
}

function randomPath(pick: Pick): string {
  const user = () => pick('alice', 'Alice', 'bob', 'nobody', '%61lice', '__proto__', '..', 'a%00', '%FF', 'a%2Fb')
  const repo = () => pick('tides', 'TIDES', 'tides.git', canary, 'none', '%2e%2e', '', 'constructor')
  const branch = () =>
    pick(
      'main',
      'feature/a',
      'feature%2Fa',
      '%252F',
      '%2F',
      'x%231',
      '%F0%9F%8C%8A',
      'HEAD',
      'main~0',
      'refs/heads/main',
      '-x',
      'a%0Ab',
      '*',
      '%',
    )
  const repository = () => `/repos/${user()}/${repo()}`
  const path = pick(
    () => '/user',
    () => '/user/repos',
    () => '/user/repos',
    () => `/users/${user()}`,
    () => `/users/${user()}/repos`,
    repository,
    () => `${repository()}/branches`,
    () => `${repository()}/branches/${branch()}`,
    () => `${repository()}/tags`,
    () => `${repository()}/${pick('commits', 'contents', 'hooks', 'branches/', 'tags/x')}`,
    () => pick('', '/', '//user', '/user/', '/USER', '/meta', '/repositories/1'),
  )()
  return `/api/v3${path}`
}

function randomQuery(pick: Pick): string {
  const part = () => {
    const name = pick(
      'page',
      'per_page',
      'sort',
      'direction',
      'visibility',
      'affiliation',
      'type',
      'x',
      'per_page[]',
      '%',
    )
    const value = pick(
      '1',
      '2',
      '0',
      '-1',
      '100',
      '101',
      '99999999999999999999',
      'abc',
      '',
      'created',
      'pushed',
      'full_name',
      'desc',
      'asc',
      'private',
      'public',
      'owner',
      'owner,collaborator',
      'member',
      '%FF',
      'a+b',
      '<script>',
    )
    return `${name}=${value}`
  }
  const count = pick(0, 0, 0, 1, 2, 3)
  return count === 0 ? '' : `?${Array.from({ length: count }, part).join('&')}`
}

function randomBody(pick: Pick): string {
  if (pick(0, 0, 0, 1) === 1) return pick('', 'null', '[]', '{', '"x"', '\uFEFF{}', '{"name":"x"}}', '{"__proto__":1}')
  const value = () =>
    pick<unknown>(
      'x',
      '',
      null,
      true,
      false,
      0,
      [],
      {},
      'TeX',
      'mit',
      'a b',
      '..',
      'x.git',
      'tides',
      '\u0000',
      'é'.repeat(501),
    )
  const field = () =>
    pick('name', 'description', 'private', 'auto_init', 'gitignore_template', 'license_template', 'id', '__proto__')
  const members = Array.from(
    { length: pick(0, 1, 2, 3, 5) },
    () => `${JSON.stringify(field())}:${JSON.stringify(value())}`,
  )
  const name = `"name":"r${pick(...([1, 2, 3, 4, 5, 6, 7, 8, 9] as const))}"`
  return `{${[...members, ...(pick(0, 1) === 1 ? [name] : [])].join(',')}}`
}

function send(origin: string, sent: RandomRequest, agent: Agent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { hostname, port } = new URL(origin)
  const { method, headers } = sent
  const outgoing = request({ hostname, port, method, headers, agent, path: sent.path + sent.query }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.once('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
    )
  })
  outgoing.once('error', reject)
  outgoing.end(sent.body)
  return promise
}

function answerChecker(): (sent: RandomRequest, answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: { schemas } })
  const validatorOf = (name: string) => ajv.compile({ $ref: `api#/components/schemas/${name}` })
  const validators = new Map(Object.keys(schemas).map((name) => [name, validatorOf(name)]))
  const fits = (name: string, value: unknown) => validators.get(name)?.(value) === true

  return (sent, answer) => {
    const told = `${JSON.stringify(sent)}\n${answer.status} ${answer.text.slice(0, 2_000)}`
    const { status, headers, text } = answer
    assert.ok([200, 201, 400, 401, 403, 404, 413, 422].includes(status), told)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8', told)
    assert.equal(headers['x-service-media-type'], 'service.v3; format=json', told)
    assert.match(String(headers['x-service-request-id']), /^[\da-f-]{36}$/, told)
    const known = [
      'connection',
      'content-length',
      'content-type',
      'date',
      'keep-alive',
      'link',
      'location',
      'x-service-media-type',
      'x-service-request-id',
    ]
    assert.deepEqual(
      Object.keys(headers).filter((name) => !known.includes(name)),
      [],
      told,
    )
    if (!sent.isOwner) assert.equal(text.includes(canary), false, told)
    if (sent.method === 'HEAD') return assert.equal(text, '', told)

    const body: unknown = JSON.parse(text)
    if (status >= 400) {
      assert.ok(fits(status === 422 ? 'ValidationError' : 'Error', body), told)
      return assert.equal(Object(body).status, String(status), told)
    }
    const match = matchRoute(sent.method, sent.path.slice('/api/v3'.length))
    assert.ok(match !== null, told)
    const row = getMatrixRow(`${match.route.method} ${match.route.path}`)
    const items = row.isList ? body : [body]
    assert.ok(Array.isArray(items) && items.length <= 100, told)
    const isAuthenticated = sent.headers['Authorization'] !== undefined
    const schema =
      row.answer === 'Repository' && !row.isList && isAuthenticated ? 'RepositoryWithPermissions' : row.answer
    for (const item of items) assert.ok(schema !== null && fits(schema, item), told)
  }
}
