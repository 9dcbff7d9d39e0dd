import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Repository, User } from '../../src/domain/types.ts'
import { createWebhook } from '../../src/operations/repository/change-webhooks.ts'
import { describeEvent } from '../../src/web/ui/describe-event.ts'
import type { Webhook } from '../../src/store/webhooks/webhooks.ts'
import { openWebhooks, type WebhookOptions } from '../../src/webhooks/open-webhooks.ts'
import { sendRequest } from '../../src/webhooks/send-request.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient, type WebClient } from '../support/web/web-client.ts'

const secret = 'seven stones in the brook'
const password = 'nine trees by the river'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly url: string
}

let host: PaperHost
let alice: User
let repository: Repository
let checkout: Checkout
let commitId: string
let browser: WebClient
let origin: string
let received: Received[] = []
/** How the receiver answers. */
let answer: (response: ServerResponse) => void

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), url: request.url ?? '' })
    answer(response)
  })
})

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  host = await openPaperHost()
  const added = await addTestUser(host.deps.store, { login: 'alice', password })
  if (added.kind !== 'added') throw new Error(added.reason)
  alice = added.user
  await addTestUser(host.deps.store, { login: 'bob', password })
  repository = await host.addRepository(alice, 'tides')
  const remote = host.gitUrl('alice/tides.git', await host.addToken(alice, ['repo:write']))
  checkout = await host.makeCheckout(remote, { 'notes.txt': 'Tides.\n' })
  await checkout.git('push', '--quiet', 'origin', 'main')
  commitId = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  browser = openWebClient(host.origin)
  await browser.submit('/login', '/login', { name: 'alice', password })
})
after(async () => {
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await host.close()
})
beforeEach(async () => {
  for (const { id } of await host.deps.store.webhooks.listOfRepository(repository.id))
    await host.deps.store.webhooks.remove(id)
  received = []
  answer = (response) => response.end('fine')
})

/** Adds a webhook whose `ping` is not sent. */
async function addWebhook(events: readonly string[], path = '/hook'): Promise<Webhook> {
  const form = { url: `${origin}${path}`, secret, events, isActive: true }
  const outcome = await createWebhook(host.deps, form, { repositoryId: repository.id, userId: alice.id })
  if (outcome.kind !== 'saved') throw new Error(outcome.problem)
  const { webhookDeliveries } = host.deps.store
  for (const { id } of await webhookDeliveries.list(outcome.webhook.id, { limit: 5, offset: 0 }))
    await webhookDeliveries.drop(id, 'Not sent.')
  return outcome.webhook
}

/** Sends deliveries until a condition holds. */
async function sendUntil(isDone: () => Promise<boolean> | boolean, options: WebhookOptions = {}): Promise<void> {
  const webhooks = openWebhooks(host.deps, options)
  try {
    await eventually(async () => isDone(), { within: 30_000, until: (value) => value })
  } finally {
    await webhooks.close()
  }
}

/** Whether so many requests came, and every delivery is recorded: one that is interrupted before is sent again. */
async function areDelivered(count: number): Promise<boolean> {
  const { webhooks, webhookDeliveries } = host.deps.store
  const known = await webhooks.listOfRepository(repository.id)
  const deliveries = await Promise.all(known.map(({ id }) => webhookDeliveries.list(id, { limit: 20, offset: 0 })))
  return received.length >= count && deliveries.flat().every(({ state }) => state !== 'queued')
}

/** States of the deliveries of a webhook, newest first. */
async function listStates(webhook: Webhook) {
  const deliveries = await host.deps.store.webhookDeliveries.list(webhook.id, { limit: 20, offset: 0 })
  return deliveries.filter(({ event }) => event !== 'ping')
}

test('a push is delivered as a signed payload, even if it came before the sender started', async () => {
  await addWebhook(['push'])
  const next = await checkout.commit({ 'notes.txt': 'The tide rises.\n' }, 'Let the tide rise')
  await checkout.git('push', '--quiet', 'origin', 'main')
  await sendUntil(() => areDelivered(1))
  const { headers = {}, body = '{}' }: Partial<Received> = received[0] ?? {}
  const commit = await host.deps.git.findCommit(repository.id, next)
  const page = `${host.origin}/alice/tides`
  const email = 'noreply@127.0.0.1'
  const person = { name: 'Alice', email, username: null }
  const presented = {
    id: next,
    tree_id: commit?.treeId,
    distinct: true,
    message: 'Let the tide rise',
    timestamp: new Date(commit?.committer.at ?? 0).toISOString().replace('.000Z', 'Z'),
    url: `${page}/commit/${next}`,
    author: person,
    committer: person,
    added: [],
    removed: [],
    modified: ['notes.txt'],
    truncated: false,
  }
  const user = { id: alice.id, login: 'alice', html_url: `${host.origin}/alice`, type: 'User' }
  assert.deepEqual(
    [
      received.length,
      headers['content-type'],
      headers['x-texproof-event'],
      headers['x-texproof-signature-256'],
      JSON.parse(body),
    ],
    [
      1,
      'application/json',
      'push',
      `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      {
        ref: 'refs/heads/main',
        before: commitId,
        after: next,
        created: false,
        deleted: false,
        forced: false,
        base_ref: null,
        compare: `${page}/compare/${commitId}...${next}`,
        commits: [presented],
        head_commit: presented,
        pusher: { name: 'alice', email },
        repository: {
          id: repository.id,
          name: 'tides',
          full_name: 'alice/tides',
          private: false,
          owner: user,
          html_url: page,
          description: null,
          clone_url: `${page}.git`,
          default_branch: 'main',
        },
        sender: user,
      },
    ],
  )
})

test('created and deleted tags send create, push and delete, and a finished build sends its status and PDF', async () => {
  await addWebhook(['push', 'build', 'create', 'delete'])
  await checkout.git('switch', '--quiet', '--create', 'draft')
  const source = '\\documentclass{article}\\begin{document}Tides\\end{document}\n'
  const built = await checkout.commit({ 'main.tex': source, '.texproof.toml': '[build]\nauto = "branches"\n' })
  await checkout.git('push', '--quiet', 'origin', 'draft')
  await host.whenBuilt(repository.id)
  await checkout.git('push', '--quiet', '--delete', 'origin', 'draft')
  await checkout.git('switch', '--quiet', 'main')
  await sendUntil(() => areDelivered(5))
  const summary = received.map(({ headers, body }) => {
    const { ref, ref_type, before, after, created, deleted } = JSON.parse(body) as Record<string, unknown>
    return [headers['x-texproof-event'], ref, ref_type, before, after, created, deleted]
  })
  const none = '0'.repeat(40)
  const sent = JSON.parse(received.find(({ headers }) => headers['x-texproof-event'] === 'build')?.body ?? '{}') as {
    build: Record<string, unknown>
    documents: readonly unknown[]
  }
  const { id, number, started_at: startedAt, finished_at: finishedAt, ...build } = sent.build
  const common = {
    status: 'up_to_date',
    document: 'main',
    root_file: 'main.tex',
    page_count: 1,
    error_count: 0,
    warning_count: 0,
    html_url: `${host.origin}/alice/tides/builds/${Number(number)}`,
    pdf_page_url: `${host.origin}/alice/tides/pdf/draft?doc=main`,
    pdf_url: `${host.origin}/alice/tides/pdf/${built}.pdf?doc=main`,
  }
  assert.deepEqual(
    [
      summary.map((each) => JSON.stringify(each)).toSorted(),
      build,
      sent.documents,
      [startedAt, finishedAt].map((at) => typeof at),
    ],
    [
      [
        ['build', undefined, undefined, undefined, undefined, undefined, undefined],
        ['create', 'draft', 'branch', undefined, undefined, undefined, undefined],
        ['delete', 'draft', 'branch', undefined, undefined, undefined, undefined],
        ['push', 'refs/heads/draft', undefined, built, none, false, true],
        ['push', 'refs/heads/draft', undefined, none, built, true, false],
      ]
        .map((each) => JSON.stringify(each))
        .toSorted(),
      { ...common, ref: 'refs/heads/draft', commit: built, engine: 'pdflatex' },
      [{ ...common, id, number }],
      ['string', 'string'],
    ],
  )
})

test('a failed delivery is retried with the same id, and recorded as failed after the last attempt', async () => {
  const webhook = await addWebhook(['create'])
  answer = (response) => response.writeHead(500, { 'x-reason': 'full' }).end('no room\0')
  await checkout.git('push', '--quiet', 'origin', 'main:refs/tags/again')
  await sendUntil(async () => (await listStates(webhook)).some(({ state }) => state === 'failed'), {
    retryAfterMs: [1],
  })
  const [summary] = await listStates(webhook)
  const delivery = await host.deps.store.webhookDeliveries.find(summary?.id ?? 0)
  assert.deepEqual(
    [
      new Set(received.map(({ headers }) => headers['x-texproof-delivery'])),
      received.length,
      delivery?.state,
      delivery?.problem,
      delivery?.responseStatus,
      delivery?.responseBody,
      /^x-reason: full$/m.test(delivery?.responseHeaders ?? ''),
    ],
    [new Set([summary?.guid]), 2, 'failed', 'The server responded with status 500.', 500, 'no room\uFFFD', true],
  )
})

test('pushes do not wait for a receiver that never answers; its delivery times out', async () => {
  const webhook = await addWebhook(['create'])
  answer = () => {}
  await checkout.git('push', '--quiet', 'origin', 'main:refs/tags/silent')
  await sendUntil(async () => (await listStates(webhook)).some(({ state }) => state === 'failed'), {
    retryAfterMs: [],
    timeoutMs: 300,
  })
  assert.deepEqual(
    (await listStates(webhook)).map(({ problem, responseStatus }) => [problem, responseStatus]),
    [['No complete response within 0.3 s.', null]],
  )
})

test('a push lists the paths that each of its commits added, removed and modified', async () => {
  const { added, modified } = { added: 'sections/größe.tex', modified: 'notes.txt' }
  await addWebhook(['push'])
  await checkout.git('switch', '--quiet', '--create', 'paths', 'main')
  await checkout.commit({ [added]: 'Gauges.\n', [modified]: 'The tide falls.\n' }, 'Add a section')
  await checkout.git('rm', '--quiet', modified)
  await checkout.git('mv', added, 'gauges.tex')
  await checkout.commit({}, 'Move the section')
  await checkout.git('switch', '--quiet', '--create', 'side', 'HEAD~1')
  await checkout.commit({ 'side.tex': 'Side.\n' }, 'Write aside')
  await checkout.git('switch', '--quiet', 'paths')
  await checkout.git('merge', '--quiet', '--no-edit', 'side')
  await checkout.git('push', '--quiet', 'origin', 'paths')
  await checkout.git('switch', '--quiet', 'main')
  await sendUntil(() => areDelivered(1))
  const { commits } = JSON.parse(received[0]?.body ?? '{}') as { commits: readonly Record<string, unknown>[] }
  assert.deepEqual(
    new Map(commits.map((each) => [each['message'], [each['added'], each['removed'], each['modified']]])),
    new Map([
      ['Add a section', [[added], [], [modified]]],
      ['Move the section', [['gauges.tex'], [modified, added], []]],
      ['Write aside', [['side.tex'], [], []]],
      ["Merge branch 'side' into paths", [['side.tex'], [], []]],
    ]),
  )
})

test('deliveries that are over are removed after their time, deliveries that wait for a retry are not', async () => {
  const { store, config } = host.deps
  const webhook = await addWebhook(['push'])
  const waiting = await store.webhookDeliveries.addPing(webhook, { userId: alice.id })
  assert.ok(waiting !== 'full')
  const attempt = { sentAt: Date.now(), requestHeaders: '', response: null, durationMs: 1, problem: 'No response.' }
  await store.webhookDeliveries.recordAttempt(waiting, attempt, { retryAt: Date.now() + 3_600_000 })
  const list = async () =>
    (await store.webhookDeliveries.list(webhook.id, { limit: 20, offset: 0 })).map(({ state }) => state)
  const before = await list()
  const webhooks = openWebhooks(
    { ...host.deps, config: { ...config, webhooks: { ...config.webhooks, keepForMs: 0 } } },
    { cleanEveryMs: 1 },
  )
  const left = await eventually(list, { within: 30_000, until: ({ length }) => length === 1 })
  await webhooks.close()
  assert.deepEqual([before, left], [['queued', 'failed'], ['queued']])
})

test('the log of a webhook keeps its newest deliveries that are over, and all that wait', async () => {
  const { webhookDeliveries } = host.deps.store
  const [webhook, other] = [await addWebhook(['push']), await addWebhook(['push'])]
  const ids: number[] = []
  for (let count = 0; count < 4; count += 1) {
    const id = await webhookDeliveries.addPing(webhook, { userId: alice.id })
    assert.ok(id !== 'full')
    ids.push(id)
  }
  for (const id of ids.slice(1)) await webhookDeliveries.drop(id, 'Not sent.')
  await webhookDeliveries.removeOld({ before: 0, keptPerWebhook: 2 })
  const list = async ({ id }: Webhook) =>
    (await webhookDeliveries.list(id, { limit: 20, offset: 0 })).map((each) => each.id)
  assert.deepEqual([await list(webhook), (await list(other)).length], [[ids[3], ids[2], ids[0]], 1])
})

test('tests and redeliveries are refused while 1000 deliveries of the webhook wait', async () => {
  const { webhookDeliveries } = host.deps.store
  const webhook = await addWebhook(['push'])
  const [sent] = await webhookDeliveries.list(webhook.id, { limit: 1, offset: 0 })
  for (let count = 0; count < 1_000; count += 1) await webhookDeliveries.addPing(webhook, { userId: alice.id })
  const path = `/alice/tides/settings/webhooks/${webhook.id}`
  const answers = [
    await browser.submit(path, `${path}/test`, {}),
    await browser.submit(path, `${path}/deliveries/${sent?.id}/redeliver`, {}),
  ]
  assert.deepEqual(
    [
      answers.map(({ status, text }) => [status, text.includes('1000 deliveries of this webhook are waiting.')]),
      await webhookDeliveries.count(webhook.id),
    ],
    [
      [
        [422, true],
        [422, true],
      ],
      1_001,
    ],
  )
})

test('a receiver that never answers does not delay the other webhook of its repository', async () => {
  const { webhookDeliveries } = host.deps.store
  const silent = await addWebhook(['push'], '/silent')
  const other = await addWebhook(['push'], '/other')
  for (const webhook of [silent, silent, silent, other]) await webhookDeliveries.addPing(webhook, { userId: alice.id })
  answer = (response) => {
    if (response.req.url === '/other') response.end('fine')
  }
  await sendUntil(() => received.some(({ url }) => url === '/other'))
  assert.deepEqual(received.map(({ url }) => url).toSorted(), ['/other', '/silent'])
})

test('an owner of many repositories leaves room for the deliveries of others', async (context) => {
  const { store } = host.deps
  const bob = await store.users.findByLogin('bob')
  assert.ok(bob)
  const { port } = new URL(origin)
  const webhooks: Webhook[] = []
  context.after(() => Promise.all(webhooks.map(({ id }) => store.webhooks.remove(id))))
  for (const [owner, name] of [
    [alice, 'a'],
    [alice, 'b'],
    [alice, 'c'],
    [alice, 'd'],
    [alice, 'e'],
    [bob, 'f'],
  ] as const) {
    const { id: repositoryId } = await host.addRepository(owner, `room-${name}`)
    const form = { url: `http://${name}.example:${port}/${owner.login}`, secret, events: ['push'], isActive: true }
    const outcome = await createWebhook(host.deps, form, { repositoryId, userId: owner.id })
    assert.equal(outcome.kind, 'saved')
    if (outcome.kind !== 'saved') return
    webhooks.push(outcome.webhook)
    if (owner === alice) await store.webhookDeliveries.addPing(outcome.webhook, { userId: owner.id })
  }
  answer = () => {}
  await sendUntil(() => received.length >= 5, { lookup: async () => [{ address: '127.0.0.1' }] })
  assert.deepEqual(received.map(({ url }) => url).toSorted(), ['/alice', '/alice', '/alice', '/alice', '/bob'])
})

const request = { headers: {}, body: '{}' }
const limits = { isPrivateAllowed: true, timeoutMs: 10_000, signal: new AbortController().signal }

test('sendRequest() sends nothing to a private network, whatever its name or notation', async () => {
  const { port } = new URL(origin)
  const names = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'inner.example']
  const lookup = async () => [{ address: '127.0.0.1' }]
  const attempts = await Promise.all(
    names.map((name) =>
      sendRequest(
        { ...request, url: new URL(`http://${name}:${port}/`) },
        { ...limits, isPrivateAllowed: false, lookup },
      ),
    ),
  )
  assert.deepEqual(
    [attempts.map(({ problem }) => problem?.replace(/^\S+ /, '')), received],
    [names.map(() => 'was not found, or is in a private network.'), []],
  )
})

test('sendRequest() resolves the name once and connects to the checked address, whatever later answers say', async () => {
  // The name server of an attacker: the first answer is allowed, the next ones lead elsewhere.
  const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
  const asked: string[] = []
  const lookup = async (name: string) => {
    asked.push(name)
    return [{ address: answers[asked.length - 1] ?? '' }]
  }
  const url = new URL(origin.replace('127.0.0.1', 'rebinding.example'))
  const attempt = await sendRequest({ ...request, url }, { ...limits, lookup })
  assert.deepEqual(
    [attempt.response?.status, asked, received.map(({ headers }) => headers.host)],
    [200, ['rebinding.example'], [url.host]],
  )
})

test('sendRequest() does not wait for a name server beyond its time limit', async (t) => {
  const lookup = () => sleep(60_000, [], { signal: t.signal })
  const attempt = await sendRequest(
    { ...request, url: new URL(origin.replace('127.0.0.1', 'slow.example')) },
    {
      ...limits,
      timeoutMs: 100,
      lookup,
    },
  )
  assert.deepEqual([attempt.problem, received], ['No complete response within 0.1 s.', []])
})

test('sendRequest() follows no redirect, and reads a bounded part of the response', async () => {
  answer = (response) => response.writeHead(302, { location: `${origin}/elsewhere` }).end()
  const redirected = await sendRequest({ ...request, url: new URL(origin) }, limits)
  answer = (response) => response.end('x'.repeat(1_000_000))
  const long = await sendRequest({ ...request, url: new URL(`${origin}/long`) }, limits)
  assert.deepEqual(
    [redirected.problem, received.map(({ url }) => url), long.problem, long.response?.body.length],
    ['The server redirected (302). Redirects are not followed: use the final URL.', ['/', '/long'], null, 16_384],
  )
})

test('an administrator of the repository adds, tests, redelivers, changes and deletes a webhook on its pages', async () => {
  const list = '/alice/tides/settings/webhooks'
  const refused = await browser.submit(`${list}/new`, `${list}/new`, {
    url: 'ftp://x',
    secret,
    events: 'push',
    active: 'yes',
  })
  const fields = { url: `${origin}/page`, secret, events: 'delete', active: 'yes' }
  const added = await browser.submit(`${list}/new`, `${list}/new`, fields)
  const page = String(added.headers['location'])
  await sendUntil(() => areDelivered(1))
  const tested = await browser.submit(page, `${page}/test`, {})
  const delivery = String(tested.headers['location'])
  await sendUntil(() => areDelivered(2))
  const shown = await browser.get(delivery)
  const again = await browser.submit(delivery, `${delivery}/redeliver`, {})
  await sendUntil(() => areDelivered(3))
  const changed = await browser.submit(page, page, { url: `${origin}/moved`, secret: '', events: 'push' })
  const [webhook] = await host.deps.store.webhooks.listOfRepository(repository.id)
  const pages = [shown.text, (await browser.get(page)).text, (await browser.get(list)).text]
  const bob = openWebClient(host.origin)
  await bob.submit('/login', '/login', { name: 'bob', password })
  const hidden = await Promise.all([list, `${list}/new`, page, delivery].map((path) => bob.get(path)))
  const removed = await browser.submit(page, `${page}/delete`, {})
  const guids = received.map(({ headers }) => headers['x-texproof-delivery'])
  assert.deepEqual(
    {
      statuses: [refused, added, tested, again, changed, removed].map(({ status }) => status),
      events: received.map(({ headers }) => headers['x-texproof-event']),
      isSameDelivery: [guids[0] === guids[1], guids[1] === guids[2], received[1]?.body === received[2]?.body],
      webhook: [webhook?.url, webhook?.events, webhook?.isActive],
      hasResponse: /✓ delivered, 200[^]*fine/.test(shown.text),
      revealsSecret: pages.some((text) => text.includes(secret)),
      hidden: hidden.map(({ status }) => status),
      left: await host.deps.store.webhooks.listOfRepository(repository.id),
    },
    {
      statuses: [422, 303, 303, 303, 303, 303],
      events: ['ping', 'ping', 'ping'],
      isSameDelivery: [false, true, true],
      webhook: [`${origin}/moved`, ['push'], false],
      hasResponse: true,
      revealsSecret: false,
      hidden: [404, 404, 404, 404],
      left: [],
    },
  )
})

test('changes of webhooks are in the audit log, without the paths of their URLs', async () => {
  const list = '/alice/tides/settings/webhooks'
  const fields = { url: 'https://hooks.example/a-secret', secret, events: 'push' }
  const page = String((await browser.submit(`${list}/new`, `${list}/new`, fields)).headers['location'])
  await browser.submit(page, page, { ...fields, url: 'https://other.example:8443/' })
  await browser.submit(page, `${page}/delete`, {})
  const events = await host.deps.store.events.list({ userId: alice.id, limit: 3, beforeId: null })
  assert.deepEqual(
    events.map((event) => describeEvent(event)),
    [
      'Deleted the webhook: other.example:8443 on alice/tides',
      'Changed the webhook: other.example:8443 on alice/tides',
      'Added the webhook: hooks.example on alice/tides',
    ],
  )
})

test('a refused change of a webhook says that a typed secret must be entered again', async () => {
  const list = '/alice/tides/settings/webhooks'
  const fields = { url: `${origin}/typed`, secret, events: 'delete', active: 'yes' }
  const page = String((await browser.submit(`${list}/new`, `${list}/new`, fields)).headers['location'])
  const hasHint = async (typed: string): Promise<boolean> =>
    (await browser.submit(page, page, { ...fields, url: 'ftp://x', secret: typed })).text.includes(
      'The secret was not saved. Enter it again.',
    )
  const hints = [await hasHint('another secret'), await hasHint('')]
  await browser.submit(page, `${page}/delete`, {})
  assert.deepEqual(hints, [true, false])
})

test('tests and redeliveries by one user are throttled together, those by another user are not', async () => {
  const { store } = host.deps
  const webhook = await addWebhook(['push'])
  const [logged] = await store.webhookDeliveries.list(webhook.id, { limit: 1, offset: 0 })
  const path = `/alice/tides/settings/webhooks/${webhook.id}`
  const bob = await store.users.findByLogin('bob')
  await store.repositories.setCollaborator(repository.id, bob?.id ?? '', 'admin')
  const other = openWebClient(host.origin)
  await other.submit('/login', '/login', { name: 'bob', password })
  for (let count = 0; count < 60; count += 1) await other.submit(path, `${path}/test`, {})
  const queued = await store.webhookDeliveries.count(webhook.id)
  const answers = [
    await other.submit(path, `${path}/test`, {}),
    await other.submit(path, `${path}/deliveries/${logged?.id}/redeliver`, {}),
  ]
  const left = await store.webhookDeliveries.count(webhook.id)
  const own = await browser.submit(path, `${path}/test`, {})
  await store.repositories.removeCollaborator(repository.id, bob?.id ?? '')
  assert.deepEqual(
    [answers.map(({ status, headers }) => [status, headers['retry-after']]), queued, left, own.status],
    [
      [
        [429, '60'],
        [429, '60'],
      ],
      61,
      61,
      303,
    ],
  )
})
