import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { allSettings } from '../../src/config/settings.ts'
import { hashToken } from '../../src/domain/token.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'

let host: PaperHost
let anonymous: WebClient
let alice: WebClient
let bob: WebClient

before(async () => {
  host = await openPaperHost()
  const people = []
  for (const login of ['alice', 'bob']) {
    const outcome = await addTestUser(host.deps.store, { login, password })
    if (outcome.kind !== 'added') throw new Error(outcome.reason)
    people.push(outcome.user)
  }
  const [first] = people
  assert.ok(first)
  await host.addRepository(first, 'tides')
  await host.addRepository(first, 'tidal-draft', 'private')
  await host.addRepository(first, '100_percent')
  anonymous = openWebClient(host.origin)
  alice = openWebClient(host.origin)
  bob = openWebClient(host.origin)
  await alice.submit('/login', '/login', { name: 'alice', password })
  await bob.submit('/login', '/login', { name: 'bob', password })
})
after(() => host.close())

async function search(client: WebClient, query: string): Promise<string[]> {
  const { text } = await client.get(`/search?q=${encodeURIComponent(query)}`)
  return [...text.matchAll(/<th scope="row">\s*<a href="\/alice\/([^"]+)"/g)].map(([, name = '']) => name).toSorted()
}

test('GET /search finds only repositories that the viewer can see', async () => {
  assert.deepEqual(
    [await search(anonymous, 'TID'), await search(bob, 'tid'), await search(alice, 'tid')],
    [['tides'], ['tides'], ['tidal-draft', 'tides']],
  )
})

test('GET /search escapes pattern characters', async () => {
  assert.deepEqual(
    [
      await search(anonymous, '100_'),
      await search(anonymous, '1%t'),
      await search(anonymous, 't_des'),
      await search(anonymous, '\\'),
    ],
    [['100_percent'], [], [], []],
  )
})

test('every page of the documentation opens and names this host', async () => {
  for (const path of ['/docs', '/docs/api', '/docs/compile']) {
    const { status, text } = await anonymous.get(path)
    assert.deepEqual([path, status, text.includes(host.origin), text.includes('{{')], [path, 200, true, false])
  }
  assert.equal((await anonymous.get('/docs/matrix')).status, 200)
})

test('an unknown page of the documentation is not found, whatever its name', async () => {
  const names = ['nothing', 'constructor', 'toString', '__proto__']
  const statuses = await Promise.all(names.map(async (name) => (await anonymous.get(`/docs/${name}`)).status))
  assert.deepEqual(statuses, [404, 404, 404, 404])
})

test('GET /docs/api lists every endpoint of the API', async () => {
  const { text } = await anonymous.get('/docs/api')
  assert.equal([...text.replaceAll('<wbr>', '').matchAll(/<h3[^>]*><code>(?:GET|POST) \/[^<]*<\/code>/g)].length, 9)
})

test('GET /docs/errors links to a page for every kind of problem', async () => {
  const { text } = await anonymous.get('/docs/errors')
  const links = [...text.matchAll(/href="(\/docs\/errors\/[a-z-]+)"/g)].map(([, link = '']) => link)
  const answers = await Promise.all(links.map((link) => anonymous.get(link)))
  assert.ok(links.length > 40)
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  )
  assert.match((await anonymous.get('/docs/errors/undefined-command')).text, /Undefined control sequence: \\dpeth/)
  assert.equal((await anonymous.get('/docs/errors/no-such-kind')).status, 404)
})

test('GET /docs/openapi.json describes the API under the address of this host', async () => {
  const { status, headers, text } = await anonymous.get('/docs/openapi.json')
  const document = JSON.parse(text) as { servers: { url: string }[]; paths: object }
  assert.deepEqual(
    [status, headers['content-type'], document.servers[0]?.url, Object.keys(document.paths).length > 5],
    [200, 'application/json; charset=utf-8', `${host.origin}/api/v3`, true],
  )
})

test('GET /docs/settings has a row for every setting of a host', async () => {
  const { text } = await anonymous.get('/docs/settings')
  const unbroken = text.replaceAll('<wbr>', '')
  const keys = allSettings.map(({ key }) => key)
  assert.deepEqual(
    keys.filter((key) => !unbroken.includes(`<td><code>${key}</code></td>`)),
    [],
  )
})

test("GET /docs/api shows examples with the viewer's repositories, and generic ones to anonymous viewers", async () => {
  const calls = async (client: WebClient): Promise<readonly string[]> => {
    const { text } = await client.get('/docs/api')
    return [...text.matchAll(/curl .*api\/v3(\/repos\/[^\s<]+)/g)].map(([, path = '']) => path)
  }
  const { store } = host.deps
  const draft = await store.repositories.findByName('alice', 'tidal-draft')
  await store.repositories.touch(draft?.id ?? 0)
  assert.deepEqual(
    [await calls(alice), await calls(anonymous)].map(([first]) => first),
    ['/repos/alice/tidal-draft', '/repos/alice/100_percent'],
  )
})

test('GET /docs/api sends the token in the examples with a private repository only', async () => {
  const callOf = async (client: WebClient, name: string): Promise<string | undefined> => {
    const { store } = host.deps
    const repository = await store.repositories.findByName('alice', name)
    await store.repositories.touch(repository?.id ?? 0)
    const { text } = await client.get('/docs/api')
    return /curl .*\/tags/.exec(text.replaceAll('&quot;', '"'))?.[0]
  }
  const tagsOf = (name: string): string => `${host.origin}/api/v3/repos/alice/${name}/tags`
  assert.deepEqual(
    [await callOf(alice, 'tidal-draft'), await callOf(alice, 'tides')],
    [`curl -H "Authorization: token $TOKEN" ${tagsOf('tidal-draft')}`, `curl ${tagsOf('tides')}`],
  )
})

test('POST /docs/api creates a read-only token for an hour, shows it once, and lists it', async () => {
  const { status, headers, text } = await alice.submit('/docs/api', '/docs/api', {})
  const [token = ''] = /pst_\w{20,}/.exec(text) ?? []
  const found = await host.deps.store.tokens.findByHash(hashToken(token))
  assert.deepEqual(
    [status, headers['cache-control'], found?.user.login, found?.token.scopes],
    [200, 'no-store', 'alice', []],
  )
  const lifeMs = (found?.token.expiresAt ?? 0) - (found?.token.createdAt ?? 0)
  assert.equal(Math.round(lifeMs / 60_000), 60)
  assert.match(text, new RegExp(`curl -H "Authorization: token ${token}" ${host.origin}/api/v3/user`))
  assert.equal((await alice.get('/docs/api')).text.includes(token), false)
  assert.match((await alice.get('/settings/tokens')).text, /API page, for an hour[\s\S]*?within the hour/)
})

test('POST /docs/api creates nothing without a session or for a cross-site form', async () => {
  const count = async (): Promise<number> => {
    const user = await host.deps.store.users.findByLogin('bob')
    return (await host.deps.store.tokens.listOfUser(user?.id ?? '')).length
  }
  const before_ = await count()
  const answers = [
    await anonymous.submit('/docs/api', '/docs/api', {}),
    await bob.post('/docs/api', { form_token: 'none' }),
    await bob.post('/docs/api', {}, { origin: 'https://elsewhere.example' }),
  ]
  assert.deepEqual([answers.map(({ status }) => status >= 400), await count()], [[true, true, true], before_])
})

test('GET /docs/api begins with what is missing and a table of contents without broken links', async () => {
  const { text } = await anonymous.get('/docs/api')
  const contents = /<nav class="contents"[^]*?<\/nav>/.exec(text)?.[0] ?? ''
  const targets = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  const absent = targets.filter((id) => !text.includes(`id="${id}"`) && !text.includes(`id="user-content-${id}"`))
  assert.deepEqual([targets.length, absent], [13, []])
  assert.ok(text.indexOf('Everything else returns 404') < text.indexOf('Contents</h2>'))
})

test('GET /docs/api says that gh does not work with a host on plain HTTP', async () => {
  const { text } = await anonymous.get('/docs/api')
  assert.match(
    text,
    /<code>gh<\/code> requires HTTPS and a host name without a port\. It does not work with <code>http:/,
  )
})
