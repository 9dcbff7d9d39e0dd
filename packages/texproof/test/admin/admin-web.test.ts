/** Administration pages and settings; not found for other users. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { readConfig } from '../../src/config/read-config.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { sendRequest } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'

let host: PaperHost
let alice: WebClient
let bob: WebClient
let anonymous: WebClient

before(async () => {
  const { config } = readConfig(
    { data: '/nowhere', settings: { listen: '127.0.0.1:3000' } },
    { COMPILE_API_KEY: 'sesame-open', TEXPROOF_BUILD_TIMEOUT: '45s' },
  )
  host = await openPaperHost({ origins: config.origins })
  await addTestUser(host.deps.store, { login: 'alice', password, isAdmin: true })
  await addTestUser(host.deps.store, { login: 'bob', password })
  const clients = [openWebClient(host.origin), openWebClient(host.origin)] as const
  for (const [index, name] of ['alice', 'bob'].entries())
    await clients[index]?.submit('/login', '/login', { name, password })
  ;[alice, bob] = clients
  anonymous = openWebClient(host.origin)
})
after(() => host.close())

test('GET /admin/settings shows the value and origin of every setting, and no secret', async () => {
  const { text } = await alice.get('/admin/settings')
  const rows = [...text.replaceAll('<wbr />', '').matchAll(/<tr>\s*<th scope="row">[\s\S]*?<\/tr>/g)].map(([row]) =>
    [...row.matchAll(/<code>([^<]*)<\/code>|<span class="quiet">([^<]*)<\/span>/g)].map(
      ([, code, quiet]) => code ?? quiet,
    ),
  )
  const found = new Map(rows.map(([key, ...rest]) => [key, rest]))
  assert.deepEqual(
    ['listen', 'base_url', 'compile.api_key', 'build.timeout', 'push.max_bytes'].map((key) => found.get(key)),
    [
      ['127.0.0.1:3000', 'flag'],
      ['http://127.0.0.1:3000', 'default, from listen'],
      ['(set)', 'COMPILE_API_KEY'],
      ['45s', 'TEXPROOF_BUILD_TIMEOUT'],
      ['1g', 'default'],
    ],
  )
  assert.equal(text.includes('sesame-open'), false)
})

test('POST /admin/settings/registration changes the registration rule at once and adds an audit event', async () => {
  const wanted = { mode: 'open', email_domain: '@Uni.Example' }
  const before_ = (await anonymous.get('/join')).text.includes('name="login"')
  const { status } = await alice.submit('/admin/settings', '/admin/settings/registration', wanted)
  const join = await anonymous.get('/join')
  assert.deepEqual(
    [before_, status, join.text.includes('name="login"'), join.text.includes('uni.example')],
    [false, 303, true, true],
  )
  assert.match((await alice.get('/admin/log')).text, /Changed registration: open, uni\.example/)
})

test('POST /admin/settings/registration rejects an invalid domain', async () => {
  const wanted = { mode: 'open', email_domain: 'uni_example' }
  const answer = await alice.submit('/admin/settings', '/admin/settings/registration', wanted)
  assert.equal(answer.status, 422)
  assert.match(answer.text, /Invalid domain\. Use a domain such as uni\.example\. Nothing was changed\./)
})

test('administration pages are not found by non-administrators', async () => {
  const paths = ['/admin/status', '/admin/users', '/admin/repos', '/admin/settings', '/admin/log']
  const answers = await Promise.all(
    [bob, anonymous].flatMap((client) => paths.map(async (path) => (await client.get(path)).status)),
  )
  const post = await bob.submit('/bob', '/admin/settings/registration', { mode: 'open', email_domain: '' })
  assert.deepEqual([...new Set([...answers, post.status])], [404])
})

test('GET /admin/log filters by kind, user and date', async () => {
  const { store } = host.deps
  const [user, actor] = [await store.users.findByLogin('bob'), await store.users.findByLogin('alice')]
  assert.ok(user !== null && actor !== null)
  await store.events.add({ kind: 'repository-deleted', userId: user.id, actorId: actor.id, detail: 'bob/=cmd' })
  await store.events.add({ kind: 'repository-deleted', userId: actor.id, actorId: actor.id, detail: 'alice/x' })
  const shown = async (query: string): Promise<string[]> => {
    const { text } = await alice.get(`/admin/log?${query}`)
    return [...text.matchAll(/<th scope="row">Deleted: ([^<]*)</g)].map(([, detail = '']) => detail)
  }
  const today = new Date().toISOString().slice(0, 10)
  assert.deepEqual(
    [
      await shown('kind=repository-deleted'),
      await shown('person=BOB'),
      await shown('person=nobody'),
      await shown(`from=${today}&until=${today}&kind=repository-deleted`),
      await shown('until=2020-01-01'),
      await shown('kind=joined'),
      await shown('from=nonsense&before=x'),
    ],
    [['alice/x', 'bob/=cmd'], ['bob/=cmd'], [], ['alice/x', 'bob/=cmd'], [], [], ['alice/x', 'bob/=cmd']],
  )
})

test('GET /admin/log tells events of the command line from requests without a session', async () => {
  const { store } = host.deps
  const event = { kind: 'sorted', userId: null, actorId: null }
  await store.events.add(event)
  await store.events.add({ ...event, address: '192.0.2.1' })
  const { text } = await alice.get('/admin/log?kind=sorted')
  const actors = [...text.matchAll(/<td data-label="By"><span class="quiet">([^<]*)</g)].map(([, by]) => by)
  assert.deepEqual(actors, ['not signed in', 'command line'])
})

test('GET /admin/log.csv exports the filtered log without spreadsheet formulas', async () => {
  const { store } = host.deps
  const actor = await store.users.findByLogin('alice')
  assert.ok(actor)
  await store.events.add({ kind: 'token-created', userId: actor.id, actorId: actor.id, detail: '=HYPERLINK("x")' })
  const { status, headers, text } = await alice.get('/admin/log.csv?kind=token-created')
  const [head = '', row = '', ...rest] = text.split('\r\n')
  assert.deepEqual(
    [status, headers['content-type'], head, row.replace(/^[^,]*/, 'TIME'), rest],
    [
      200,
      'text/csv; charset=utf-8',
      'time,kind,what,detail,account,by,from',
      `TIME,token-created,Created the token,"'=HYPERLINK(""x"")",alice,alice,`,
      [''],
    ],
  )
  assert.match(String(headers['content-disposition']), /^attachment; filename="log-\d{4}-\d\d-\d\d\.csv"$/)
  assert.equal((await bob.get('/admin/log.csv')).status, 404)
})

test('GET /admin/log links to older events with the same filter', async () => {
  const { store } = host.deps
  for (let n = 0; n < 101; n += 1)
    await store.events.add({ kind: 'counted', userId: null, actorId: null, detail: `${n}` })
  const first = await alice.get('/admin/log?kind=counted')
  const next = /href="([^"]*before=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await alice.get(next)
  const count = (text: string): number => [...text.matchAll(/counted: \d/g)].length
  assert.deepEqual(
    [next.startsWith('/admin/log?kind=counted&before='), count(first.text), count(second.text)],
    [true, 100, 1],
  )
})

test('GET /admin/status shows the state of each component, and the command that fixes it', async () => {
  const { status, text } = await alice.get('/admin/status')
  const cards = [...text.matchAll(/<h2>\s*<span[^>]*>(.)<\/span>\s*([^<]+?)\s*</g)].map(
    ([, sign, title]) => `${sign} ${title}`,
  )
  assert.equal(status, 200)
  assert.deepEqual(
    cards.toSorted((left, right) => (left.slice(2) < right.slice(2) ? -1 : 1)),
    [
      '! Accounts',
      '! Address',
      '! Backup',
      cards.find((card) => card.endsWith('Build limits')) ?? 'no card of the limits',
      '✓ Builds',
      '! Compile service',
      cards.find((card) => card.endsWith('Disk')) ?? 'no card of the disk',
      '! Email',
      '✓ Git',
      '✓ Sandbox',
      '✓ TeX',
      '✓ Version',
      '✓ Waiting engines',
    ],
  )
  assert.match(text.replaceAll('<wbr />', ''), /TEXPROOF_SMTP_URL=/)
})

test('GET /admin/status shows the address as correct behind a TLS proxy', async (context) => {
  const proxied = await openPaperHost({ baseUrl: 'https://papers.uni.example' })
  context.after(() => proxied.close())
  await addTestUser(proxied.deps.store, { login: 'alice', password, isAdmin: true })
  const client = openWebClient(proxied.origin)
  await client.submit('/login', '/login', { name: 'alice', password })
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { text } = await sendRequest(proxied.origin, {
    target: '/admin/status',
    headers: { cookie, host: 'papers.uni.example' },
  })
  assert.match(text, /✓<\/span>\s*Address[\s\S]{0,200}The GitHub CLI \(gh\) and PyGithub work with this address\./)
})

test('GET /admin/users shows last activity and storage of each user', async () => {
  const owner = await host.deps.store.users.findByLogin('bob')
  assert.ok(owner)
  await host.addRepository(owner, 'waves')
  const { text } = await alice.get('/admin/users?q=BO')
  assert.match(text, /data-label="Last seen">\s*<time /)
  assert.match(text, /href="\/admin\/repos\?q=bob%2F"\s+aria-label="Repositories of bob: 1"/)
  assert.doesNotMatch(text, /href="\/alice" ?>alice</)
})

test('GET /admin/users shows last activity of a user who signed out', async () => {
  await addTestUser(host.deps.store, { login: 'carol', password })
  const carol = openWebClient(host.origin)
  await carol.submit('/login', '/login', { name: 'carol', password })
  await carol.submit('/', '/logout', {})
  const { text } = await alice.get('/admin/users?q=carol')
  assert.match(text, /data-label="Last seen">\s*<time /)
})

test('GET /admin/users shows a hundred accounts on a page, and the others on the next', async () => {
  const { store } = host.deps
  const ids = Array.from({ length: 101 }, (_, number) => `many-${number}`)
  for (const id of ids)
    await store.users.add({ login: id, name: null, email: null, passwordHash: null, isAdmin: false }, id)
  const [first, second] = [await alice.get('/admin/users?q=many'), await alice.get('/admin/users?q=many&page=2')]
  const shown = [first, second].map(({ text }) => [
    text.match(/aria-label="Usage of /g)?.length,
    /Page \d of \d/.exec(text)?.[0],
  ])
  for (const id of ids) await store.users.remove(id)
  assert.deepEqual(shown, [
    [100, 'Page 1 of 2'],
    [1, 'Page 2 of 2'],
  ])
})

test('an action on a user asks first if it loses something, and keeps the filter of the list', async () => {
  const { text } = await alice.get('/admin/users?q=BO')
  const actions = [...text.matchAll(/<a href="([^"]+)" aria-label="([^"]+): bob">/g)].map(([, href, name]) => [
    name,
    href,
  ])
  const page = '/admin/users/bob/disable?q=BO'
  const question = (await alice.get(page)).text
  const isAskedOnly = (await host.deps.store.users.findByLogin('bob'))?.isDisabled === false
  const fields = { action: 'disable', q: /name="q" value="([^"]*)"/.exec(question)?.[1] ?? '' }
  const disabled = await alice.submit(page, '/admin/users/bob', fields)
  const enabled = await alice.submit('/admin/users?q=BO', '/admin/users/bob', { action: 'enable', q: 'BO' })
  const reset = await alice.submit('/admin/users?q=BO', '/admin/users/bob', { action: 'reset', q: 'BO' })
  const [made, reloaded] = [await alice.get('/admin/users?q=BO'), await alice.get('/admin/users?q=BO')]
  assert.deepEqual(
    {
      actions,
      isAskedOnly,
      cancel: /<a href="([^"]+)">Cancel/.exec(question)?.[1],
      next: [disabled, enabled, reset].map(({ headers }) => headers.location),
      resetLink: [made, reloaded].map((page) => /Password reset link for \w+/.exec(page.text)?.[0]),
      unknown: (await alice.get('/admin/users/bob/enable')).status,
    },
    {
      actions: [
        ['Make administrator', '/admin/users/bob/administrator?q=BO'],
        ['Disable', page],
      ],
      isAskedOnly: true,
      cancel: '/admin/users?q=BO',
      next: Array(3).fill('/admin/users?q=BO'),
      resetLink: ['Password reset link for bob', undefined],
      unknown: 404,
    },
  )
})

test('the audit log has the IP address of every action, and the security page only addresses of its owner', async () => {
  const [wanted, page] = [{ mode: 'closed' }, '/admin/users/bob/disable']
  await alice.submit('/admin/settings', '/admin/settings/registration', wanted)
  await alice.submit(page, '/admin/users/bob', { action: 'disable' })
  await alice.submit('/admin/users?q=bob', '/admin/users/bob', { action: 'enable' })
  const { text } = await alice.get('/admin/log')
  const rows = text.matchAll(/<th scope="row">([^<]*)<\/th>[\s\S]*?data-label="IP address"[^>]*>([^<]*)</g)
  const changes = [...rows].slice(0, 3).map(([, action, address]) => [action, address])
  const returned = openWebClient(host.origin)
  await returned.submit('/login', '/login', { name: 'bob', password })
  const security = (await returned.get('/settings/security')).text
  const own = security.matchAll(/<th scope="row">([^<]*)<\/th>\s*<td data-label="IP address">([^<]*)</g)
  assert.deepEqual(
    { changes, own: [...own].slice(0, 3).map(([, action, address]) => [action, address]) },
    {
      changes: [
        ['Enabled the account', '127.0.0.1'],
        ['Disabled the account', '127.0.0.1'],
        ['Changed registration: closed', '127.0.0.1'],
      ],
      own: [
        ['Signed in', '127.0.0.1'],
        ['Enabled the account', ''],
        ['Disabled the account', ''],
      ],
    },
  )
})
