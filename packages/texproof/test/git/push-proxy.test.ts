/** Pushes behind a reverse proxy that stops forwarding a request when its response begins. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import type { User } from '../../src/domain/types.ts'
import { noOverrides } from '../../src/domain/quota-fields.ts'
import { encodePktLine, flushPkt } from '../../src/git/protocol/pkt-line.ts'
import { createSmartHttpListener } from '../../src/smart-http/listener.ts'
import { beginSlowPush } from '../support/git/slow-push.ts'
import { startStrictProxy, type StrictProxy } from '../support/git/start-strict-proxy.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { listChildren } from '../support/programs/list-processes.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const MAX_PUSH_BYTES = 32_000_000
/** More than the buffers between a client and the server hold. */
const LARGE = 18_000_000

let host: PaperHost

before(async () => {
  host = await openPaperHost({ ...withoutBuilds, maxPushBytes: MAX_PUSH_BYTES })
})

after(() => host.close())

type ListenerOptions = NonNullable<Parameters<typeof createSmartHttpListener>[1]>

interface ProxiedPush {
  /** Origin of the server, without the proxy. */
  readonly origin: string
  readonly proxy: StrictProxy
  readonly user: User
  readonly token: string
  /** Its remote is behind the proxy. */
  readonly checkout: Checkout
}

async function openProxied(context: TestContext, login: string, options: ListenerOptions = {}): Promise<ProxiedPush> {
  const { user, token } = await host.addUser(login)
  await host.addRepository(user, 'tides')
  const listener = createSmartHttpListener(host.deps, { idleTimeoutMs: 4_000, ...options })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const proxy = await startStrictProxy(`http://127.0.0.1:${port}`)
  context.after(() => {
    proxy.close()
    server.close().closeAllConnections()
  })
  const remote = `${proxy.origin.replace('://', `://x:${token}@`)}/${login}/tides.git`
  const checkout = await host.makeCheckout(remote, { 'a.txt': 'a' })
  return { origin: `http://127.0.0.1:${port}`, proxy, user, token, checkout }
}

async function commitLarge(checkout: Checkout, byteCount = LARGE): Promise<void> {
  await checkout.git('config', 'core.compression', '0')
  await checkout.commit({ 'large.bin': randomBytes(byteCount / 2).toString('hex') })
}

/** The lines of git's table of refs without their padding. */
function refLines(stderr: string): string[] {
  return [...stderr.matchAll(/^ [!*] (.+)$/gm)].map(([, line = '']) => line.replaceAll(/ +/g, ' '))
}

test('a push past the limit gets the reason behind a proxy', async (context) => {
  const { checkout } = await openProxied(context, 'limit')
  await commitLarge(checkout, 3 * LARGE)
  const { exitCode, stderr } = await checkout.git('push', 'origin', 'main')
  assert.deepEqual(
    [exitCode, refLines(stderr)],
    [1, ['[remote rejected] main -> main (The request is larger than this server accepts (32000000 bytes).)']],
  )
})

test('an endless push gets the reason, and its connection is closed', async (context) => {
  const { origin, token } = await openProxied(context, 'endless')
  const push = request(`${origin}/endless/tides.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      authorization: `Basic ${btoa(`x:${token}`)}`,
    },
  })
  const command = `${'0'.repeat(40)} ${'a'.repeat(40)} refs/pull/1/head\0report-status`
  push.write(Buffer.concat([encodePktLine(command), flushPkt]))
  const sent = pipeline(Readable.from(repeat(Buffer.alloc(1_000_000))), push)
  const [response] = (await once(push, 'response')) as [NodeJS.ReadableStream]
  const [report] = (await once(response, 'data')) as [Buffer]
  await assert.rejects(sent)
  const unpack = encodePktLine('unpack The request is larger than this server accepts (32000000 bytes).\n')
  assert.equal(report.subarray(0, unpack.length).toString(), unpack.toString())
})

function* repeat<Item>(item: Item): Generator<Item> {
  for (;;) yield item
}

test('a push past the storage quota gets the reason behind a proxy', async (context) => {
  const { user, checkout } = await openProxied(context, 'quota')
  await host.deps.store.quotas.setOverrides(user.id, { ...noOverrides, storageBytes: 100 * 1024 })
  await commitLarge(checkout)
  const { exitCode, stderr } = await checkout.git('push', 'origin', 'main')
  const reason = 'the push exceeds the storage quota of quota: 100 kB of 100 kB are left'
  assert.deepEqual([exitCode, refLines(stderr)], [1, [`[remote rejected] main -> main (${reason})`]])
})

test('a push of refused refs only gets the reasons behind a proxy', async (context) => {
  const { checkout } = await openProxied(context, 'names')
  await commitLarge(checkout)
  const { exitCode, stderr } = await checkout.git('push', 'origin', 'main:refs/pull/1/head')
  const reason = 'only branches (refs/heads/) and tags (refs/tags/) can be pushed'
  assert.deepEqual([exitCode, refLines(stderr)], [1, [`[remote rejected] main -> refs/pull/1/head (${reason})`]])
})

test('a push that waits for another one is accepted behind a proxy', async (context) => {
  const options = { pushesPerUser: 1, keepAliveMs: 20, idleTimeoutMs: 10_000 }
  const { origin, proxy, token, checkout } = await openProxied(context, 'waits', options)
  await commitLarge(checkout)
  const finishFirst = await beginSlowPush(`${origin}/waits/tides.git`, { token, branch: 'first' })
  await eventually(() => listChildren('receive-pack'), { until: (running) => running.length === 1 })
  const second = checkout.git('push', 'origin', 'main')
  await proxy.push
  // Many keep-alive intervals.
  await delay(400)
  assert.match(await finishFirst(), /ok refs\/heads\/first/)
  const { exitCode, stderr } = await second
  assert.deepEqual([exitCode, refLines(stderr)], [0, ['[new branch] main -> main']])
})
