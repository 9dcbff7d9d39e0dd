/** Progress of a compile: event stream over HTTP, and the remote client. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createPlatexClient } from '../../src/api/client.ts'
import type { CompileProgress } from '../../src/api/client.ts'
import { ENDLESS, HELLO, isBase64Pdf, isPdf } from '../support/documents.ts'
import { listLeftovers } from '../support/list-leftovers.ts'
import { startScriptedService } from '../support/scripted-service.ts'
import type { ScriptedAnswer } from '../support/scripted-service.ts'
import { startService } from '../support/start-service.ts'
import type { LiveService } from '../support/start-service.ts'
import { eventually } from '../support/eventually.ts'

const RESULT = { pdf: null, errors: [], warnings: [], logs: [] }
const streaming = (body: string): ScriptedAnswer => ({
  status: 200,
  headers: { 'Content-Type': 'text/event-stream' },
  body,
})

function stream(service: LiveService, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${service.url}/compile`, {
    method: 'POST',
    body: JSON.stringify(body),
    ...init,
    headers: { Accept: 'text/event-stream', ...init.headers },
  })
}

describe('POST /compile with Accept: text/event-stream', () => {
  test('sends progress events and then the result', async () => {
    await using service = await startService()
    const response = await stream(service, { source: HELLO })
    const events = (await response.text()).trimEnd().split('\n\n')
    const [last = '', ...before] = events.toReversed()
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    assert.match(
      before.at(-1) ?? '',
      /^event: progress\ndata: \{"kind":"pass-started","passNumber":1,"program":"pdflatex"/,
    )
    const [name, json = ''] = last.split('\ndata: ')
    const result = JSON.parse(json)
    assert.deepEqual(
      [name, isBase64Pdf(result.pdf), Object.keys(result).sort()],
      ['event: result', true, ['errors', 'logs', 'pages', 'pdf', 'stats', 'warnings']],
    )
  })

  test('rejects an invalid request with an error status', async () => {
    await using service = await startService({ apiKey: 'secret' })
    const withKey = { headers: { Authorization: 'Bearer secret' } }
    const statuses = [await stream(service, { source: '' }), await stream(service, { source: 7 }, withKey)]
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [401, 400],
    )
  })

  test('kills the compile and frees its slot when the client disconnects', async () => {
    await using service = await startService({ maxConcurrentCompiles: 1 })
    const abort = new AbortController()
    const response = await stream(service, { source: ENDLESS }, { signal: abort.signal })
    await response.body?.getReader().read()
    abort.abort()
    await eventually(() => service.events.some((event) => event.kind === 'compiled'))
    const ends = service.events.filter((event) => event.kind === 'compiled').map(({ end }) => end)
    assert.deepEqual([ends, await listLeftovers()], [['aborted'], []])
    assert.equal((await stream(service, { source: HELLO })).status, 200)
  })

  test('ends with an error event when the service shuts down', async () => {
    await using service = await startService()
    const response = await stream(service, { source: ENDLESS })
    const reader = response.body?.getReader()
    await reader?.read()
    await service.app.drain({ timeoutMs: 0 })
    const decoder = new TextDecoder()
    let text = ''
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) text += decoder.decode(read.value)
    const event =
      'event: error\ndata: {"status":503,"error":"The service is shutting down.","code":"shutting_down"}\n\n'
    assert.ok(text.endsWith(event), text)
  })
})

describe('onProgress of a remote compile', () => {
  test('is called for the pass and its page', async () => {
    await using service = await startService()
    const kinds: CompileProgress['kind'][] = []
    const { compile } = createPlatexClient({ serviceUrl: service.url })
    const { pdf } = await compile(HELLO, { onProgress: ({ kind }) => kinds.push(kind) })
    assert.equal(isPdf(pdf), true)
    assert.deepEqual(kinds.slice(0, 3), ['pass-started', 'page', 'pass-ended'])
  })

  test('cancels the compile with its exception', async () => {
    await using service = await startService()
    const onProgress = (): never => {
      throw new Error('seen enough')
    }
    const { compile } = createPlatexClient({ serviceUrl: service.url, retry: 3 })
    await assert.rejects(compile(ENDLESS, { onProgress }), { message: 'seen enough' })
  })

  test('is not called by a service that cannot stream', async () => {
    await using service = await startScriptedService([{ status: 200, body: JSON.stringify(RESULT) }])
    const { compile } = createPlatexClient({ serviceUrl: service.url })
    assert.deepEqual(await compile('x', { onProgress: () => assert.fail() }), RESULT)
    assert.equal(service.seen[0]?.headers.accept, 'text/event-stream, application/json;q=0.9')
  })

  test('accepts unknown events, comments and all line endings', async () => {
    const body = `:\r\n\r\nevent: news\ndata: 1\n\nevent: progress\ndata: {"kind":"new"}\n\nevent:result\r\ndata:${JSON.stringify(RESULT)}\r\n\r\n`
    await using service = await startScriptedService([streaming(body)])
    const { compile } = createPlatexClient({ serviceUrl: service.url })
    assert.deepEqual(await compile('x', { onProgress: () => assert.fail() }), RESULT)
  })

  const broken: readonly (readonly [string, string, object])[] = [
    [
      'an error event',
      'event: error\ndata: {"status":500,"error":"no"}\n\n',
      { code: 'SERVICE_ERROR', message: 'no', status: 500 },
    ],
    ['a stream without a result', 'event: result\ndata: {"pdf":nu', { code: 'BAD_RESPONSE', retryable: true }],
  ]
  for (const [name, body, error] of broken) {
    test(`rejects for ${name}`, async () => {
      await using service = await startScriptedService([streaming(body)])
      const { compile } = createPlatexClient({ serviceUrl: service.url })
      await assert.rejects(compile('x', { onProgress: () => {} }), error)
    })
  }
})
