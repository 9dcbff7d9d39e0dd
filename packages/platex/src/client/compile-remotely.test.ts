import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { startScriptedService, unusedAddress } from '../../test/support/scripted-service.ts'
import type { ScriptedAnswer } from '../../test/support/scripted-service.ts'
import type { CompileRequest } from '../options/compile-request.ts'
import { compileRemotely } from './compile-remotely.ts'
import { eventually } from '../../test/support/eventually.ts'

const REQUEST: CompileRequest = {
  source: 'Hello',
  main: null,
  engine: 'pdflatex',
  passes: 'auto',
  bibliography: 'bibtex',
  files: new Map(),
  timeoutMs: 30_000,
  outputs: [],
  session: null,
}

const RESULT = { pdf: 'JVBERg==', errors: [], warnings: [], logs: [] }
const OK: ScriptedAnswer = { status: 200, body: JSON.stringify(RESULT) }
const failing = (status: number, headers: Record<string, string> = {}): ScriptedAnswer => ({
  status,
  headers,
  body: JSON.stringify({ error: `sentence of ${status}`, code: 'slug' }),
})

describe('compileRemotely', () => {
  test('sends the whole request as JSON with the bearer key', async () => {
    await using service = await startScriptedService([OK])
    const files = new Map([['a b.bib', new Uint8Array([1, 2, 255])]])
    await compileRemotely(
      { ...REQUEST, engine: 'xelatex', passes: 2, bibliography: 'none', files, timeoutMs: 500_000 },
      { serviceUrl: service.url, apiKey: 'secret' },
    )
    const [request] = service.seen
    assert.deepEqual(
      {
        method: request?.method,
        url: request?.url,
        type: request?.headers['content-type'],
        key: request?.headers.authorization,
      },
      { method: 'POST', url: '/compile', type: 'application/json', key: 'Bearer secret' },
    )
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      source: 'Hello',
      engine: 'xelatex',
      passes: 2,
      bibliography: 'none',
      files: { 'a b.bib': 'AQL/' },
      timeout: 120_000,
    })
  })

  test('parses the result, including additions', async () => {
    const log = { passNumber: 1, engine: 'pdflatex', stdout: 'o', stderr: 'e', log: 'l', exitCode: 0, timedOut: false }
    const body = {
      pdf: 'JVBERg==',
      errors: [
        {
          type: 'error',
          file: 'main.tex',
          line: 3,
          message: 'm',
          context: 'c',
          source: 'biber',
          code: 'missing-package',
          column: 12,
          cause: 0,
          summary: 'The package "siunitx" is not installed.',
          remedy: 'Install texlive-science.',
          package: { provides: 'siunitx.sty', debian: 'texlive-science', texlive: 'siunitx', command: null },
        },
      ],
      warnings: [{ type: 'warning', code: 'other', file: null, line: null, message: 'w' }],
      logs: [{ ...log, reason: 'first pass', durationMs: 12 }],
      pages: 4,
      stats: { passes: 1, durationMs: 15 },
    }
    await using service = await startScriptedService([{ status: 200, body: JSON.stringify(body) }])
    const result = await compileRemotely(REQUEST, { serviceUrl: service.url })
    assert.deepEqual(result, { ...body, pdf: new TextEncoder().encode('%PDF') })
  })

  test('normalizes responses of newer and older services', async () => {
    const body = {
      pdf: null,
      errors: [{ message: 'm', source: 'from the future' }],
      warnings: [{ message: 'w', code: 'from the future', line: '3' }],
      extra: true,
    }
    await using service = await startScriptedService([{ status: 200, body: JSON.stringify(body) }])
    const result = await compileRemotely(REQUEST, { serviceUrl: service.url })
    assert.deepEqual(result, {
      pdf: null,
      errors: [{ type: 'error', file: null, line: null, message: 'm', context: null, source: 'latex' }],
      warnings: [{ type: 'warning', code: 'other', file: null, line: null, message: 'w' }],
      logs: [],
    })
  })

  for (const [serviceUrl, path] of [
    ['/', '/compile'],
    ['/tex', '/tex/compile'],
    ['/tex//', '/tex/compile'],
    ['/tex?tenant=7#x', '/tex/compile?tenant=7'],
  ] as const) {
    test(`joins a service URL that ends in ${serviceUrl} to ${path}`, async () => {
      await using service = await startScriptedService([OK])
      await compileRemotely(REQUEST, { serviceUrl: service.url + serviceUrl })
      assert.equal(service.seen[0]?.url, path)
    })
  }

  test('lets headers of the caller override the defaults, in any case', async () => {
    await using service = await startScriptedService([OK])
    const headers = { AUTHORIZATION: 'Basic mine', 'x-tenant': '7' }
    await compileRemotely(REQUEST, { serviceUrl: service.url, apiKey: 'secret', headers })
    const seen = service.seen[0]?.headers
    assert.deepEqual([seen?.authorization, seen?.['x-tenant']], ['Basic mine', '7'])
  })

  test('names an invalid header, without its value', async () => {
    const attempt = compileRemotely(REQUEST, { serviceUrl: 'http://127.0.0.1:1', apiKey: 'sec\nret' })
    await assert.rejects(attempt, { name: 'CompileInputError', message: 'apiKey cannot be sent as a header' })
  })

  for (const serviceUrl of ['ftp://host', 'not a url', 'http://', 'http://alice:pw@host', 'file:///etc/passwd']) {
    test(`refuses the service URL ${serviceUrl}`, async () => {
      await assert.rejects(compileRemotely(REQUEST, { serviceUrl }), { code: 'INVALID_INPUT', path: 'serviceUrl' })
    })
  }

  for (const [status, code, retryable] of [
    [400, 'REJECTED', false],
    [401, 'UNAUTHORIZED', false],
    [403, 'UNAUTHORIZED', false],
    [404, 'REJECTED', false],
    [413, 'REJECTED', false],
    [429, 'REJECTED', false],
    [500, 'SERVICE_ERROR', true],
    [502, 'SERVICE_ERROR', true],
    [503, 'BUSY', true],
  ] as const) {
    test(`rejects with ${code} for HTTP ${status}`, async () => {
      await using service = await startScriptedService([failing(status)])
      await assert.rejects(compileRemotely(REQUEST, { serviceUrl: service.url }), {
        name: 'RemoteCompileError',
        message: `sentence of ${status}`,
        status,
        code,
        retryable,
        bodyExcerpt: `{"error":"sentence of ${status}","code":"slug"}`,
        retryAfterMs: null,
      })
      assert.equal(service.seen.length, 1)
    })
  }

  for (const body of [
    '',
    'garbage',
    '<html>',
    'null',
    '[]',
    '{}',
    '{"pdf":7,"errors":[],"warnings":[],"logs":[]}',
    '{"pdf":"@","errors":[],"warnings":[],"logs":[]}',
    '{"pdf":null,"errors":{},"warnings":[],"logs":[]}',
    '{"pdf":null,"errors":[null],"warnings":[],"logs":[]}',
    '{"pdf":null,"errors":[{}],"warnings":[],"logs":[]}',
    '{"pdf":null,"errors":[],"warnings":["w"],"logs":[]}',
    '{"pdf":null,"errors":[],"warnings":[],"logs":[{"engine":"rm"}]}',
  ]) {
    test(`rejects with BAD_RESPONSE for a 200 with the body ${body}`, async () => {
      await using service = await startScriptedService([{ status: 200, body }])
      await assert.rejects(compileRemotely(REQUEST, { serviceUrl: service.url }), {
        name: 'RemoteCompileError',
        code: 'BAD_RESPONSE',
        status: 200,
        retryable: true,
        bodyExcerpt: body,
      })
    })
  }

  test('rejects with NETWORK if nothing listens', async () => {
    const serviceUrl = await unusedAddress()
    await assert.rejects(compileRemotely(REQUEST, { serviceUrl }), {
      name: 'RemoteCompileError',
      code: 'NETWORK',
      status: null,
      retryable: true,
      message: new RegExp(`^cannot reach ${serviceUrl}/compile: connect ECONNREFUSED`),
    })
  })

  test('rejects with NETWORK and recommends http:// if the service does not use TLS', async () => {
    await using service = await startScriptedService([OK])
    const serviceUrl = service.url.replace('http:', 'https:')
    await assert.rejects(compileRemotely(REQUEST, { serviceUrl }), {
      code: 'NETWORK',
      message: `cannot reach ${serviceUrl}/compile: the server does not use TLS; try http://`,
    })
  })

  test('rejects with NETWORK when the connection breaks', async () => {
    await using service = await startScriptedService(['reset'])
    await assert.rejects(compileRemotely(REQUEST, { serviceUrl: service.url }), { code: 'NETWORK', status: null })
  })

  test('retries after a broken connection, a 5xx and an invalid response, then returns the result', async () => {
    await using service = await startScriptedService(['reset', failing(500), { status: 200, body: 'garbage' }, OK])
    const result = await compileRemotely(REQUEST, { serviceUrl: service.url, retry: 3 })
    assert.deepEqual([result.pdf?.length, service.seen.length], [4, 4])
  })

  test('fails after exactly the requested number of retries', async () => {
    await using service = await startScriptedService([failing(503, { 'Retry-After': '0' })])
    await assert.rejects(compileRemotely(REQUEST, { serviceUrl: service.url, retry: 2 }), {
      code: 'BUSY',
      retryAfterMs: 0,
    })
    assert.equal(service.seen.length, 3)
  })

  test('never retries a 4xx', async () => {
    await using service = await startScriptedService([failing(400), OK])
    await assert.rejects(compileRemotely(REQUEST, { serviceUrl: service.url, retry: 5 }), { status: 400 })
    assert.equal(service.seen.length, 1)
  })

  for (const retry of [-1, 1.5, Number.NaN, Infinity]) {
    test(`refuses retry ${retry}`, async () => {
      const attempt = compileRemotely(REQUEST, { serviceUrl: 'http://127.0.0.1:1', retry })
      await assert.rejects(attempt, { name: 'CompileInputError', path: 'retry' })
    })
  }

  test('rejects with the reason of its signal, and disconnects from the service', async () => {
    await using service = await startScriptedService(['hang'])
    const abort = new AbortController()
    const attempt = compileRemotely(REQUEST, { serviceUrl: service.url, signal: abort.signal, retry: 5 })
    await eventually(() => service.seen.length)
    abort.abort(new Error('changed my mind'))
    await assert.rejects(attempt, { message: 'changed my mind' })
    await service.callerGone
    assert.equal(service.seen.length, 1)
  })

  test('ends the wait between attempts when its signal aborts', async () => {
    await using service = await startScriptedService([failing(503, { 'Retry-After': '9' })])
    const abort = new AbortController()
    const attempt = compileRemotely(REQUEST, { serviceUrl: service.url, signal: abort.signal, retry: 5 })
    await eventually(() => service.seen.length)
    setTimeout(() => abort.abort(), 50)
    await assert.rejects(attempt, { name: 'AbortError' })
    assert.equal(service.seen.length, 1)
  })

  test('rejects on abort even if the custom fetch never settles', async () => {
    const fetch = () => new Promise<Response>(() => {})
    const abort = new AbortController()
    const attempt = compileRemotely(REQUEST, { serviceUrl: 'http://service', fetch, signal: abort.signal })
    abort.abort()
    await assert.rejects(attempt, { name: 'AbortError' })
  })

  test('rejects with TIMEOUT five seconds after the timeout of the compile', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const fetch = () => new Promise<Response>(() => {})
    const attempt = compileRemotely({ ...REQUEST, timeoutMs: 1000 }, { serviceUrl: 'http://service/x', fetch })
    const outcome = assert.rejects(attempt, {
      code: 'TIMEOUT',
      status: null,
      retryable: true,
      message: 'http://service/x/compile: no answer within 6000 ms',
    })
    context.mock.timers.tick(6000)
    await outcome
  })

  test('waits for the maximum of a timer with a longer timeout', async () => {
    const fetch = async () => {
      await sleep(20)
      return Response.json(RESULT)
    }
    const service = { serviceUrl: 'http://service', fetch }
    const { pdf } = await compileRemotely({ ...REQUEST, timeoutMs: 2_147_483_647 }, service)
    assert.notEqual(pdf, undefined)
  })

  test('calls a custom fetch as a plain function', async () => {
    const receivers: unknown[] = []
    async function fetch(this: unknown): Promise<Response> {
      receivers.push(this)
      return Response.json(RESULT)
    }
    await compileRemotely(REQUEST, { serviceUrl: 'http://service', fetch })
    assert.deepEqual(receivers, [undefined])
  })
})
