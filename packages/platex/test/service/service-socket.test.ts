import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import type { CompileServiceConfig, ServiceEvent } from '../../src/api/server.ts'
import { ENDLESS, HELLO } from '../support/documents.ts'
import { listLeftovers } from '../support/list-leftovers.ts'
import { openRawConnection } from '../support/raw-connection.ts'
import { startService } from '../support/start-service.ts'
import type { LiveService } from '../support/start-service.ts'
import { eventually } from '../support/eventually.ts'

const head = (lines: readonly string[]): string => ['POST /compile HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')

const asRequest = (source: string): string => {
  const body = JSON.stringify({ source })
  return head([`Content-Length: ${Buffer.byteLength(body)}`]) + body
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

const CHUNKED = 'Transfer-Encoding: chunked'
const GZIP = 'Content-Encoding: gzip'
/** More than the buffers of a connection hold, compressed or not. */
const LARGE_BODY = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 0 })

const CHUNKS = Buffer.concat([
  Buffer.from(`${LARGE_BODY.length.toString(16)}\r\n`),
  LARGE_BODY,
  Buffer.from('\r\n0\r\n\r\n'),
])

describe('the service on a socket', () => {
  test('answers 413 to a declared length over the limit before the body is sent', async () => {
    await using service = await startService({ maxRequestBodyBytes: 1000 })
    using connection = await openRawConnection(service.port, head(['Content-Length: 1001']))
    const answer = await connection.head()
    assert.equal(statusOf(answer), 413)
    assert.match(answer, /^connection: close\r$/im)
  })

  test('answers 413 to an endless chunked body soon after the limit, and closes', async () => {
    await using service = await startService({ maxRequestBodyBytes: 100_000 })
    using connection = await openRawConnection(service.port, head(['Transfer-Encoding: chunked']))
    const piece = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`
    let sentPieces = 0
    while (!connection.socket.destroyed && connection.received() === '' && sentPieces < 10_000) {
      sentPieces += 1
      if (!connection.socket.write(piece)) await Promise.race([once(connection.socket, 'drain'), connection.closed()])
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(statusOf(await connection.closed()), 413)
    assert.ok(sentPieces < 10_000)
  })

  const refusals: readonly (readonly [string, CompileServiceConfig, lines: readonly string[], status: number])[] = [
    ['over the limit', { maxRequestBodyBytes: 1000 }, [`Content-Length: ${LARGE_BODY.length}`], 413],
    ['over the limit in chunks', { maxRequestBodyBytes: 1000 }, [CHUNKED], 413],
    ['over the limit, compressed', { maxRequestBodyBytes: 1000 }, [CHUNKED, GZIP], 413],
    ['in an unknown encoding', {}, [`Content-Length: ${LARGE_BODY.length}`, 'Content-Encoding: br'], 415],
    ['without the key', { apiKey: 'secret' }, [`Content-Length: ${LARGE_BODY.length}`], 401],
  ]
  for (const [name, config, lines, status] of refusals) {
    test(`sends its refusal of a large body ${name} to a client that reads nothing before it has sent all`, async () => {
      await using service = await startService(config)
      using connection = await openRawConnection(service.port, '')
      connection.socket.pause()
      connection.socket.write(head(['Connection: close', ...lines]))
      const body = lines.includes(CHUNKED) ? CHUNKS : LARGE_BODY
      const failure = await new Promise((resolve) => connection.socket.write(body, resolve))
      connection.socket.resume()
      assert.deepEqual([failure ?? null, statusOf(await connection.closed())], [null, status])
    })
  }

  test('answers 401 before reading the body', async () => {
    await using service = await startService({ apiKey: 'secret' })
    using connection = await openRawConnection(service.port, head(['Content-Length: 40000000']))
    assert.equal(statusOf(await connection.head()), 401)
  })

  test('answers 503 before reading the body if all slots are in use', async () => {
    await using service = await startService({ maxConcurrentCompiles: 1 })
    using busy = await openRawConnection(service.port, asRequest(ENDLESS))
    await whenRunning(service, 1)
    using refused = await openRawConnection(service.port, head(['Content-Length: 40000000']))
    const answer = await refused.head()
    assert.equal(statusOf(answer), 503)
    assert.match(answer, /^retry-after: 1\r$/im)
    busy.socket.destroy()
  })

  test('kills the compile and frees its slot when the caller goes away', async () => {
    await using service = await startService({ maxConcurrentCompiles: 1 })
    // The first compile of a process opens the sandbox, which is not cancelled with its caller.
    await fetch(`${service.url}/compile`, { method: 'POST', body: JSON.stringify({ source: HELLO }) })
    const connection = await openRawConnection(service.port, asRequest(ENDLESS))
    await whenRunning(service, 1)
    await eventually(listLeftovers, { until: (leftovers) => leftovers.length > 0 })
    connection.socket.destroy()
    await whenRunning(service, 0)
    const ends = service.events.filter((event) => event.kind === 'compiled').map((event) => event.end)
    assert.deepEqual(ends, ['pdf', 'aborted'])
    assert.deepEqual(await listLeftovers(), [])
    assert.deepEqual(
      service.events.filter((event) => event.kind === 'failed'),
      [],
    )
  })

  test('refuses large results while earlier ones are not read, and sends them again when their readers are gone', async (t) => {
    await using service = await startService()
    // Results that are not read for a minute make room for others, and a busy machine takes longer for eight compiles.
    const now = performance.now()
    t.mock.method(performance, 'now', () => now)
    const responses: IncomingMessage[] = []
    for (let count = 0; count < 8; count += 1) responses.push(await requestLargeResult(service))
    const statuses = responses.map(({ statusCode }) => statusCode)
    t.mock.restoreAll()
    for (const response of responses) response.destroy()
    const again = await eventually(async () => requestLargeResult(service), {
      until: (response) => {
        response.destroy()
        return response.statusCode === 200
      },
    })
    assert.deepEqual([statuses, again.statusCode], [[200, 200, 200, 200, 200, 200, 503, 503], 200])
  })

  test('releases the resources of a client that disconnects in the middle of its body', async () => {
    await using service = await startService()
    const connection = await openRawConnection(service.port, `${head(['Content-Length: 1000'])}{"source":`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    connection.socket.destroy()
    await waitForEvent(service, (event) => event.kind === 'answered' && event.status === 499)
    assert.deepEqual(
      service.events.filter((event) => event.kind === 'failed'),
      [],
    )
    assert.equal((await fetch(`${service.url}/health`)).status, 200)
  })

  const smuggling: readonly (readonly [string, string])[] = [
    ['both lengths', head(['Content-Length: 5', 'Transfer-Encoding: chunked']) + '0\r\n\r\n'],
    ['two lengths', head(['Content-Length: 5', 'Content-Length: 6']) + '12345'],
    ['a length with a sign', head(['Content-Length: +5']) + '12345'],
    ['a folded header', head(['X-A: b', ' c', 'Content-Length: 0'])],
    ['bare line feeds', 'POST /compile HTTP/1.1\nHost: x\nContent-Length: 0\n\n'],
    ['a broken chunk size', head(['Transfer-Encoding: chunked']) + 'zz\r\n'],
    ['a megabyte of headers', head([`X-A: ${'a'.repeat(1_000_000)}`])],
    ['no host', 'POST /compile HTTP/1.1\r\nContent-Length: 0\r\n\r\n'],
  ]
  for (const [name, text] of smuggling) {
    test(`rejects a request with ${name}, and continues to serve`, async () => {
      await using service = await startService()
      using connection = await openRawConnection(service.port, text)
      const status = statusOf(await connection.head())
      assert.ok(status >= 400 && status < 500, `status ${status}`)
      assert.equal((await fetch(`${service.url}/health`)).status, 200)
    })
  }

  test('serves two requests on one connection', async () => {
    await using service = await startService()
    using connection = await openRawConnection(service.port, asRequest(HELLO))
    await waitForEvent(service, (event) => event.kind === 'answered')
    connection.socket.end('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const answers = (await connection.closed()).match(/HTTP\/1\.1 \d{3}/g)
    assert.deepEqual(answers, ['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  test('answers many concurrent requests with 200 and 503 only, and /health at any time', async () => {
    await using service = await startService({ maxConcurrentCompiles: 2 })
    const body = JSON.stringify({ source: HELLO })
    const crowd = Array.from({ length: 20 }, async () => {
      const response = await fetch(`${service.url}/compile`, { method: 'POST', body })
      await response.arrayBuffer()
      return response.status
    })
    const health = await fetch(`${service.url}/health`)
    const statuses = await Promise.all(crowd)
    assert.equal(health.status, 200)
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503])
    assert.deepEqual(await listLeftovers(), [])
  })
})

/** A document whose PDF has 48 MB, as JSON 64 MB. */
const LARGE_RESULT = JSON.stringify({
  source: `\\pdfcompresslevel=0 \\documentclass{article}\\begin{document}x
    \\count1=0 \\loop\\ifnum\\count1<16 \\immediate\\pdfobj stream file{data.bin}\\advance\\count1 1 \\repeat
    \\end{document}`,
  files: { 'data.bin': Buffer.alloc(3_000_000, 'data').toString('base64') },
})

/** The response without its body, which arrives when it is read. */
async function requestLargeResult(service: LiveService): Promise<IncomingMessage> {
  const sent = request(`${service.url}/compile`, { method: 'POST', headers: { authorization: 'Bearer alice' } })
  sent.end(LARGE_RESULT)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {}) // The test disconnects.
  return response
}

async function whenRunning(service: LiveService, count: number): Promise<void> {
  const readMetrics = async (): Promise<string> => (await service.app.request('/metrics')).text()
  await eventually(readMetrics, { until: (text) => text.includes(`\nplatex_compiles_running ${count}\n`) })
}

async function waitForEvent(service: LiveService, isIt: (event: ServiceEvent) => boolean): Promise<void> {
  await eventually(() => service.events, { until: (events) => events.some(isIt) })
}
