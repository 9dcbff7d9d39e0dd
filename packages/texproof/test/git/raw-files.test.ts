import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { withoutBuilds } from '../support/hosts/test-config.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

/** Random data does not compress, and does not fit into buffers. */
const noise = randomBytes(16e6)
const table = Buffer.from('tide;metres\n'.repeat(200_000))

let host: PaperHost

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  await host.addRepository(alice.user, 'tides')
  await host.addRepository(alice.user, 'draft', 'private')
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', alice.token), { 'main.tex': 'Of the sea.\n' })
  await writeFile(join(checkout.dir, 'noise.bin'), noise)
  await writeFile(join(checkout.dir, 'table.csv'), table)
  await checkout.git('add', '.')
  await checkout.git('commit', '--quiet', '--message', 'Measure')
  await checkout.git('push', 'origin', 'main')
  await checkout.git('push', host.gitUrl('alice/draft.git', alice.token), 'main')
})
after(() => host.close())

function get(path: string, method = 'GET'): Promise<Response> {
  return fetch(`${host.origin}${path}`, { method })
}

/** Sends a request, reads the head of the response only; `leave` disconnects. */
function openAndWait(path: string): Promise<{ readonly status: number | undefined; readonly leave: () => void }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${host.origin}${path}`, { agent: false }, (answer) => {
      answer.on('error', () => {}) // closed by this test
      resolve({ status: answer.statusCode, leave: () => asked.destroy() })
    })
    asked.once('error', reject).end()
  })
}

test('a large file is sent completely, with the type of its first bytes', async () => {
  const answers = await Promise.all(['noise.bin', 'table.csv'].map((name) => get(`/alice/tides/raw/main/${name}`)))
  const heads = answers.map(({ status, headers }) => [
    status,
    ...['content-type', 'content-length', 'content-disposition'].map((name) => headers.get(name)),
    headers.get('content-security-policy')?.endsWith('sandbox'),
  ])
  const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())))
  assert.deepEqual(heads, [
    [200, 'application/octet-stream', '16000000', 'attachment; filename="noise.bin"', true],
    [200, 'text/plain; charset=utf-8', '2400000', 'inline; filename="table.csv"', true],
  ])
  assert.deepEqual([bodies[0]?.equals(noise), bodies[1]?.equals(table)], [true, true])
})

test('HEAD of a large file has the headers of GET, and its ETag is revalidated', async () => {
  const head = await get('/alice/tides/raw/main/table.csv', 'HEAD')
  const etag = head.headers.get('etag') ?? ''
  const again = await fetch(`${host.origin}/alice/tides/raw/main/table.csv`, { headers: { 'if-none-match': etag } })
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), await head.text(), again.status],
    [200, '2400000', '', 304],
  )
})

test('a large file of a private repository is 404 for anonymous viewers', async () => {
  const [hidden, missing] = await Promise.all(
    ['/alice/draft/raw/main/noise.bin', '/alice/none/raw/main/noise.bin'].map((path) => get(path)),
  )
  assert.deepEqual([hidden?.status, missing?.status], [404, 404])
})

test('too many unread large files of one client are answered with 429 until they close', async () => {
  const path = '/alice/tides/raw/main/noise.bin'
  const openAll = async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => openAndWait(path)))
    // A response of an earlier test may still be closing.
    if (opened.some(({ status }) => status !== 200)) for (const { leave } of opened) leave()
    return opened
  }
  const open = await eventually(openAll, { until: (opened) => opened.every(({ status }) => status === 200) })
  const refused = await get(path)
  // Small files are still sent, because they need no process.
  const small = await get('/alice/tides/raw/main/main.tex')
  assert.deepEqual(
    [open.map(({ status }) => status), refused.status, refused.headers.get('retry-after'), small.status],
    [open.map(() => 200), 429, '5', 200],
  )
  for (const { leave } of open) leave()
  const askAgain = async () => {
    const again = await get(path)
    return { status: again.status, byteLength: (await again.arrayBuffer()).byteLength }
  }
  const { byteLength } = await eventually(askAgain, { until: ({ status }) => status === 200 })
  assert.equal(byteLength, noise.byteLength)
})
