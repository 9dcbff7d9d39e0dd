/** Expensive requests are limited by address, and much less for signed-in users. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'

const PER_MINUTE = 4
const EXPENSIVE = [
  '/alice/tides/search?q=x',
  '/alice/tides/find/main',
  '/alice/tides/blame/main/notes.txt',
  '/alice/tides/commits/main',
  '/alice/tides/commits?page=2',
  '/alice/tides/compare',
  '/alice/tides/compare/main...main',
  '/alice/tides/archive/main.zip',
  '/search?q=x',
  '/alice/tides/raw/main/large.txt',
  '/alice/tides/builds/1/events',
]
const DOCUMENT = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost({
    limits: { anonymousPerMinute: PER_MINUTE, signedInPerMinute: 1_000 },
    trustedProxies: [{ address: '10.0.0.0', bits: 24, family: 'ipv4' }],
  })
  alice = await host.addUser('alice')
  const { id } = await host.addRepository(alice.user, 'tides')
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', alice.token), {
    'notes.txt': 'Notes\n',
    // Sent by a separate git process.
    'large.txt': 'Notes\n'.repeat(200_000),
    'main.tex': DOCUMENT,
  })
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(id)
})

after(() => host.close())

/** Sends a request from its own network address, named by the local proxy. */
async function ask(path: string, address: string, token: string | null = null) {
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${host.origin}${path}`, {
    headers: { 'x-forwarded-for': address, ...authorization },
    redirect: 'manual',
  })
  await answer.arrayBuffer()
  return { status: answer.status, isRetryNamed: isRetryNamed(answer) }
}

/** Whether `Retry-After` is at most the time until the next request is admitted. */
function isRetryNamed({ headers }: Response): boolean {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return seconds >= 1 && seconds <= 60 / PER_MINUTE
}

for (const [index, path] of EXPENSIVE.entries()) {
  test(`GET ${path} limits anonymous requests per address with 429 and Retry-After`, async () => {
    const statuses: number[] = []
    for (let count = 0; count < PER_MINUTE; count += 1) statuses.push((await ask(path, `192.0.2.${index + 1}`)).status)
    const refused = await ask(path, `192.0.2.${index + 1}`)
    const other = await ask(path, `198.51.100.${index + 1}`)
    assert.deepEqual(
      [statuses.includes(429), refused, other.status === 429],
      [false, { status: 429, isRetryNamed: true }, false],
    )
  })
}

test('the limit of expensive anonymous requests leaves cheap pages open', async () => {
  for (let count = 0; count <= PER_MINUTE; count += 1) await ask('/search?q=x', '203.0.113.1')
  assert.deepEqual(
    [(await ask('/search?q=x', '203.0.113.1')).status, (await ask('/alice/tides', '203.0.113.1')).status],
    [429, 200],
  )
})

test('anonymous requests through trusted proxies are counted by the address of the client', async () => {
  const through = (proxy: string) => ask('/search?q=x', `198.51.100.99, 203.0.113.4, ${proxy}`)
  for (let count = 0; count < PER_MINUTE; count += 1) await through(`10.0.0.${count + 1}`)
  const statuses = [(await through('10.0.0.9')).status, (await through('10.0.1.9')).status]
  assert.deepEqual(statuses, [429, 200])
})

test('a user with a token is not limited by anonymous requests from the same address', async () => {
  const statuses = new Set<number>()
  for (let count = 0; count < 5 * PER_MINUTE; count += 1)
    statuses.add((await ask('/alice/tides/search?q=x', '203.0.113.2', alice.token)).status)
  assert.deepEqual([...statuses], [200])
})

test('anonymous clones are limited with Retry-After; clones with a token are not', async () => {
  const clone = (token: string | null) =>
    fetch(`${host.origin}/alice/tides.git/git-upload-pack`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-git-upload-pack-request',
        'x-forwarded-for': '203.0.113.3',
        ...(token === null ? {} : { authorization: `Basic ${Buffer.from(`alice:${token}`).toString('base64')}` }),
      },
      body: '0000',
    })
  for (let count = 0; count < PER_MINUTE; count += 1) await (await clone(null)).arrayBuffer()
  const refused = await clone(null)
  const own = await clone(alice.token)
  assert.deepEqual([refused.status, isRetryNamed(refused), own.status === 429], [429, true, false])
})
