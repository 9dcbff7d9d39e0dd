import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readJson } from '../../test/support/read-json.ts'
import { startScriptedService, unusedAddress } from '../../test/support/scripted-service.ts'
import { PlatexError, RemoteCompileError } from '../base/errors.ts'
import { createRequestHandler as createRemoteHandler } from '../api/client.ts'
import { createPlatexClient, createRequestHandler, handleCompileRequest } from '../api/index.ts'
import type { CompileLimits, CompileOptions, CompileResult, PlatexClient } from '../base/types.ts'
import type { HandlerOptions } from './answer-compile-request.ts'
import { eventually } from '../../test/support/eventually.ts'

const PDF = new TextEncoder().encode('%PDF-1.5 x %%EOF')
const ERROR = { type: 'error', file: 'main.tex', line: 1, message: 'm', context: null, source: 'latex' } as const
const WARNING = { type: 'warning', code: 'other', file: null, line: null, message: 'w' } as const
const LOG = {
  passNumber: 1,
  engine: 'pdflatex',
  stdout: '',
  stderr: '',
  log: '',
  exitCode: 0,
  timedOut: false,
} as const
const SUCCESS: CompileResult = { pdf: PDF, errors: [ERROR], warnings: [WARNING], logs: [LOG], pages: 1 }
const FAILURE: CompileResult = { pdf: null, errors: [ERROR], warnings: [WARNING], logs: [LOG] }

interface Call {
  readonly source: string | null
  readonly options: CompileOptions | undefined
}

/** A client that returns one outcome and records how it was called. */
function clientGiving(outcome: CompileResult | Error, calls: Call[] = []): PlatexClient {
  return {
    compile: async (source, options) => {
      calls.push({ source, options })
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    health: async () => true,
  }
}

function send(client: PlatexClient, body: unknown, options?: HandlerOptions): Promise<Response> {
  const request = new Request('http://host/any', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return createRequestHandler(client, { onError: () => undefined, ...options })(request)
}

describe('createRequestHandler', () => {
  test('ignores a session in the request, because all callers share one key', async () => {
    const calls: Call[] = []
    await send(clientGiving(SUCCESS, calls), { source: 'x', session: 'of-another' })
    assert.deepEqual(
      calls.map(({ options }) => options?.session),
      [undefined],
    )
  })

  test('answers 200 with the PDF by default', async () => {
    const response = await send(clientGiving(SUCCESS), { source: 'x' })
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf'])
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), PDF)
  })

  test('answers 422 with errors and warnings if there is no PDF', async () => {
    const response = await send(clientGiving(FAILURE), { source: 'x' })
    assert.deepEqual([response.status, await readJson(response)], [422, { errors: [ERROR], warnings: [WARNING] }])
  })

  test('answers 200 with PDF, errors and warnings, and no logs, for responseFormat json', async () => {
    const response = await send(clientGiving(SUCCESS), { source: 'x' }, { responseFormat: 'json' })
    const pdf = Buffer.from(PDF).toString('base64')
    assert.deepEqual([response.status, await readJson(response)], [200, { pdf, errors: [ERROR], warnings: [WARNING] }])
  })

  test('throws for another responseFormat, and handleCompileRequest answers 500', async () => {
    const options: HandlerOptions = JSON.parse('{"responseFormat":"xml"}')
    const message = 'responseFormat must be one of: pdf, json'
    assert.throws(() => createRequestHandler(clientGiving(SUCCESS), options), { name: 'CompileInputError', message })
    assert.throws(() => createRemoteHandler(clientGiving(SUCCESS), options), { name: 'CompileInputError', message })
    const request = new Request('http://host/any', { method: 'POST', body: '{"source":"x"}' })
    assert.equal((await handleCompileRequest(request, { ...options, onError: () => undefined })).status, 500)
  })

  test('answers 200 with pdf null for responseFormat json without a PDF', async () => {
    const response = await send(clientGiving(FAILURE), { source: 'x' }, { responseFormat: 'json' })
    assert.deepEqual(
      [response.status, await readJson(response)],
      [200, { pdf: null, errors: [ERROR], warnings: [WARNING] }],
    )
  })

  test('prefers fields of the request to its options, and combines the files of both', async () => {
    const calls: Call[] = []
    const body = {
      source: 's',
      engine: 'xelatex',
      passes: '2',
      timeout: 999_999,
      files: { 'b.tex': 'Qg==', 'c.tex': 'Qw==' },
    }
    const files = { 'a.cls': new Uint8Array([1]), 'b.tex': new Uint8Array([2]) }
    await send(clientGiving(SUCCESS, calls), body, { engine: 'lualatex', bibliography: 'biber', apiKey: 'k', files })
    assert.deepEqual(
      calls.map(({ source, options }) => ({ source, ...options, signal: undefined })),
      [
        {
          source: 's',
          engine: 'xelatex',
          passes: 2,
          bibliography: 'biber',
          timeout: 120_000,
          apiKey: 'k',
          files: { 'a.cls': new Uint8Array([1]), 'b.tex': new Uint8Array([66]), 'c.tex': new Uint8Array([67]) },
          signal: undefined,
        },
      ],
    )
  })

  test('ignores options that a request may not set', async () => {
    const calls: Call[] = []
    const body = {
      source: 's',
      serviceUrl: 'http://evil',
      apiKey: 'x',
      headers: { a: 'b' },
      limits: {},
      sandbox: 'none',
    }
    await send(clientGiving(SUCCESS, calls), body)
    assert.deepEqual(Object.keys(calls[0]?.options ?? {}), ['signal'])
  })

  test('compiles and answers other requests while it parses a large body', async () => {
    const calls: Call[] = []
    const handle = createRequestHandler(clientGiving(SUCCESS, calls))
    const post = (source: string) =>
      handle(new Request('http://host/any', { method: 'POST', body: JSON.stringify({ source }) }))
    await post('x'.repeat(1_100_000)) // starts the thread
    const [large] = await Promise.all([post('x'.repeat(4_000_000)), post('small')])
    assert.deepEqual([large.status, calls.map(({ source }) => source?.length)], [200, [1_100_000, 5, 4_000_000]])
  })

  for (const [name, body, code] of [
    ['no JSON', 'x', 'invalid_json'],
    ['no source', '{}', 'invalid_request'],
    ['a bad file name', { source: '', files: { '..': '' } }, 'invalid_request'],
    ['an input over the limits', { source: 'xx' }, 'invalid_request'],
  ] as const) {
    test(`answers 400 for ${name}`, async () => {
      const response = await send(clientGiving(SUCCESS), body, { limits: { maxSourceBytes: 1 } })
      assert.deepEqual([response.status, (await readJson(response)).code], [400, code])
    })
  }

  describe('limits', () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.tex`, '']))
    const clientWith = (limits: CompileLimits): PlatexClient => {
      const { limits: own } = createPlatexClient({ limits })
      return { ...clientGiving(SUCCESS), limits: own }
    }

    test('are the limits of the client', async () => {
      const client = clientWith({ maxFilesCount: 200, maxSourceBytes: 6_000_000 })
      assert.equal((await send(client, { source: 'x'.repeat(6_000_000), files })).status, 200)
    })

    test('of the client bound the body', async () => {
      const client = clientWith({ maxSourceBytes: 1, maxTotalFilesBytes: 0 })
      assert.equal((await send(client, { source: 'x'.repeat(2_000_000) })).status, 413)
    })

    test('of the options win over limits of the client', async () => {
      const client = clientWith({ maxFilesCount: 200, maxSourceBytes: 1 })
      const response = await send(client, { source: 'x', files }, { limits: { maxFilesCount: 59 } })
      assert.equal((await readJson(response)).error, 'files exceeds maxFilesCount: 60 > 59')
    })
  })

  test('answers 413 to a body that is too large', async () => {
    const limits = { maxSourceBytes: 1, maxTotalFilesBytes: 0 }
    const response = await send(clientGiving(SUCCESS), { source: 'x'.repeat(1_100_000) }, { limits })
    assert.deepEqual([response.status, (await readJson(response)).code], [413, 'payload_too_large'])
  })

  test('answers 405 to methods other than POST', async () => {
    const response = await createRequestHandler(clientGiving(SUCCESS))(new Request('http://host/any'))
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
  })

  for (const [upstream, status, code] of [
    [400, 400, 'invalid_request'],
    [401, 502, 'upstream_unreachable'],
    [403, 502, 'upstream_unreachable'],
    [404, 502, 'upstream_unreachable'],
    [413, 413, 'payload_too_large'],
    [429, 502, 'upstream_unreachable'],
    [500, 502, 'upstream_unreachable'],
    [503, 503, 'too_many_compiles'],
  ] as const) {
    test(`answers ${status} when the service answers ${upstream}`, async () => {
      const body = JSON.stringify({ error: 'its own words', code: 'x' })
      await using service = await startScriptedService([{ status: upstream, headers: { 'Retry-After': '3' }, body }])
      const response = await send(createPlatexClient({ serviceUrl: service.url }), { source: '' })
      assert.deepEqual(
        [response.status, (await readJson(response)).code, response.headers.get('retry-after')],
        [status, code, status === 503 ? '3' : null],
      )
    })
  }

  test('answers 502 if the service sends an invalid response', async () => {
    await using service = await startScriptedService([{ status: 200, body: 'hello' }])
    const response = await send(createPlatexClient({ serviceUrl: service.url }), { source: '' })
    assert.equal(response.status, 502)
  })

  test('answers 502 upstream_unreachable if nothing listens', async () => {
    const response = await send(createPlatexClient({ serviceUrl: await unusedAddress() }), { source: '' })
    const body = { error: 'The compile service cannot be reached.', code: 'upstream_unreachable' }
    assert.deepEqual([response.status, await readJson(response)], [502, body])
  })

  for (const [error, code] of [
    [new PlatexError('m', { code: 'NO_ENGINE' }), 'no_engine'],
    [new PlatexError('m', { code: 'NO_SERVICE' }), 'no_service'],
    [new PlatexError('m', { code: 'SANDBOX_UNAVAILABLE' }), 'sandbox_unavailable'],
    [new Error('/secret/path'), 'internal'],
  ] as const) {
    test(`answers 500 ${code} without the message of the error`, async () => {
      const response = await send(clientGiving(error), { source: '' })
      const body = await readJson(response)
      assert.deepEqual([response.status, body.code], [500, code])
      assert.doesNotMatch(body.error, /secret/)
    })
  }

  test('passes the cause of 500 and 502 to onError, even if it throws, and of no other response', async () => {
    const seen: unknown[] = []
    const onError = (error: unknown) => {
      seen.push(error)
      throw new Error('the log is full')
    }
    const broken = new Error('/secret/path')
    const unreachable = new RemoteCompileError('m', { code: 'NETWORK', status: null })
    const busy = new RemoteCompileError('m', { code: 'BUSY', status: 503 })
    const statuses: number[] = []
    for (const outcome of [broken, unreachable, busy, FAILURE, SUCCESS])
      statuses.push((await send(clientGiving(outcome), { source: '' }, { onError })).status)
    statuses.push((await send(clientGiving(SUCCESS), 'x', { onError })).status)
    assert.deepEqual(
      [statuses, seen],
      [
        [500, 502, 503, 422, 200, 400],
        [broken, unreachable],
      ],
    )
  })

  test('prints the cause to the console without onError', async (t) => {
    const print = t.mock.method(console, 'error', () => undefined)
    const error = new Error('m')
    const request = new Request('http://host/any', { method: 'POST', body: '{"source":""}' })
    await createRequestHandler(clientGiving(error))(request)
    assert.deepEqual(
      print.mock.calls.map((call) => call.arguments),
      [['Compile request failed:', error]],
    )
  })

  test('answers 500, not 400, if its own options are invalid', async () => {
    const response = await send(createPlatexClient({ serviceUrl: 'nonsense' }), { source: '' })
    assert.deepEqual([response.status, (await readJson(response)).code], [500, 'internal'])
  })

  test('cancels the compile when the client disconnects', async () => {
    await using service = await startScriptedService(['hang'])
    const abort = new AbortController()
    const handle = createRequestHandler(createPlatexClient({ serviceUrl: service.url }))
    const request = new Request('http://host/any', { method: 'POST', body: '{"source":""}', signal: abort.signal })
    const answering = handle(request)
    await eventually(() => service.seen.length)
    abort.abort()
    assert.equal((await answering).status, 499)
    await service.callerGone
  })

  test('answers 503 when the signal of its options fires', async () => {
    const response = await send(
      createPlatexClient({ serviceUrl: 'http://127.0.0.1:1' }),
      { source: '' },
      { signal: AbortSignal.abort() },
    )
    assert.deepEqual([response.status, (await readJson(response)).code], [503, 'aborted'])
  })
})
