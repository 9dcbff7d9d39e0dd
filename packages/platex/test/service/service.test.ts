import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { createApp, createCompileRoute } from '../../src/api/server.ts'
import type { CompileServiceConfig } from '../../src/api/server.ts'
import { readJson } from '../support/read-json.ts'
import {
  CITING,
  ENDLESS,
  FATAL,
  HELLO,
  REFERENCES,
  WITH_ERROR,
  bytesOf,
  isBase64Pdf,
  isPdf,
} from '../support/documents.ts'
import { eventually } from '../support/eventually.ts'

const quiet = { log: () => {} }

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function post(body: unknown, config: CompileServiceConfig = {}, headers: Record<string, string> = {}) {
  const app = createApp({ ...quiet, ...config })
  return app.request('/compile', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  })
}

describe('POST /compile', () => {
  test('answers 200 with the PDF in base64, diagnostics, logs and additional fields', async () => {
    const response = await post({ source: HELLO })
    const body = await readJson(response)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body).sort(), ['errors', 'logs', 'pages', 'pdf', 'stats', 'warnings'])
    assert.ok(isBase64Pdf(body.pdf))
    assert.deepEqual([body.errors, body.warnings, body.pages, body.stats.passes], [[], [], 1, 1])
  })

  test('names the package that provides a missing file', async (t) => {
    // From a package that no profile of the set-up installs.
    const source = String.raw`\documentclass{article}\usepackage{noweb}\begin{document}x\end{document}`
    const [error] = (await readJson(await post({ source }))).errors
    if (error === undefined) return t.skip('noweb is installed here')
    assert.deepEqual([error.package?.provides, error.package?.debian], ['noweb.sty', 'noweb'])
    assert.match(error.remedy ?? '', /^Install \w+ on the machine that compiles/)
  })

  test('answers 200 with a PDF and errors', async () => {
    const body = await readJson(await post({ source: WITH_ERROR }))
    assert.ok(isBase64Pdf(body.pdf))
    assert.deepEqual([body.errors.length, body.errors[0]?.file, body.errors[0]?.line], [1, 'main.tex', 3])
  })

  test('answers 200 with pdf null and errors if LaTeX fails fatally', async () => {
    const response = await post({ source: FATAL })
    const body = await readJson(response)
    assert.deepEqual(
      [response.status, body.pdf, body.errors[0]?.file, body.errors[0]?.line],
      [200, null, 'main.tex', 2],
    )
  })

  test('answers 200 with pdf null for an empty source, and says that it is empty', async () => {
    const response = await post({ source: '' })
    const body = await readJson(response)
    assert.deepEqual(
      [response.status, body.pdf, body.errors.map(({ code, summary }) => ({ code, summary }))],
      [200, null, [{ code: 'no-pages', summary: 'The document is empty: it has no \\documentclass and no pages.' }]],
    )
  })

  test('answers 200 with pdf null and a timed-out pass after the timeout', async () => {
    const response = await post({ source: ENDLESS, timeout: 1500 })
    const body = await readJson(response)
    assert.deepEqual(
      [response.status, body.pdf, body.logs.at(-1)?.timedOut, body.logs.at(-1)?.exitCode],
      [200, null, true, -1],
    )
    assert.match(body.errors[0]?.message ?? '', /timed out after 1500 ms/)
  })

  test('accepts null in every field, and ignores unknown fields', async () => {
    const body = await readJson(
      await post({
        source: CITING,
        engine: 'xelatex',
        passes: '3',
        bibliography: null,
        files: { 'refs.bib': base64(REFERENCES) },
        timeout: 90_000.7,
        futureField: { a: [1] },
      }),
    )
    assert.ok(isBase64Pdf(body.pdf))
    assert.deepEqual(
      body.logs.map((log) => log.engine),
      ['xelatex', 'bibtex', 'xelatex', 'xelatex'],
    )
  })

  test('ignores an unknown field of any depth', async () => {
    const response = await post('{"source":"","meta":{"a":{"b":{"c":{}}}}}')
    assert.equal(response.status, 200)
  })

  const malformed: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['no JSON', 'source=x', 'invalid_json', /not valid JSON/],
    ['an empty body', '', 'invalid_json', /not valid JSON/],
    ['a document', String.raw`\documentclass{article}${'{}'.repeat(20_000)}`, 'invalid_json', /not valid JSON/],
    [
      'a zip archive',
      new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]),
      'invalid_json',
      /is a zip archive\. Send a tar archive/,
    ],
    ['brackets without an end', '[[[[[', 'invalid_json', /not valid JSON/],
    ['JSON cut short', '{"source": "x"', 'invalid_json', /not valid JSON/],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'invalid_json', /UTF-8/],
    ['null', 'null', 'invalid_request', /JSON object/],
    ['an array', [], 'invalid_request', /JSON object/],
    ['a string', '"x"', 'invalid_request', /JSON object/],
    ['no source', {}, 'invalid_request', /source is missing/],
    ['source null', { source: null }, 'invalid_request', /source is missing/],
    ['source a number', { source: 7 }, 'invalid_request', /source must be a string/],
    [
      'an unknown engine',
      { source: '', engine: 'latex' },
      'invalid_request',
      /engine must be one of: pdflatex, xelatex, lualatex$/,
    ],
    ['engine tectonic', { source: '', engine: 'tectonic' }, 'invalid_request', /engine must be one of/],
    ['engine __proto__', { source: '', engine: '__proto__' }, 'invalid_request', /engine must be one of/],
    ['passes 0', { source: '', passes: 0 }, 'invalid_request', /passes must be one of: auto, 1, 2, 3/],
    ['passes 4', { source: '', passes: 4 }, 'invalid_request', /passes must be one of/],
    ['passes true', { source: '', passes: true }, 'invalid_request', /passes must be one of/],
    ['an unknown bibliography', { source: '', bibliography: 'bib' }, 'invalid_request', /bibliography must be one of/],
    ['timeout 0', { source: '', timeout: 0 }, 'invalid_request', /timeout must be/],
    ['a negative timeout', { source: '', timeout: -1 }, 'invalid_request', /timeout must be/],
    ['timeout as a string', { source: '', timeout: '1000' }, 'invalid_request', /timeout must be/],
    ['an infinite timeout', '{"source":"","timeout":1e999}', 'invalid_request', /timeout must be/],
    ['files an array', { source: '', files: ['a'] }, 'invalid_request', /files must be an object/],
    ['files a string', { source: '', files: 'a' }, 'invalid_request', /files must be an object/],
    ['a file that is no string', { source: '', files: { a: 1 } }, 'invalid_request', /files\["a"\] must be a string/],
    ['a file that is null', { source: '', files: { a: null } }, 'invalid_request', /files\["a"\] must be a string/],
    ['broken base64', { source: '', files: { a: '@@@@' } }, 'invalid_request', /files\["a"\] is not valid base64/],
    ['a data URL', { source: '', files: { a: 'data:;base64,QQ==' } }, 'invalid_request', /not valid base64/],
    ['a file name that climbs', { source: '', files: { '../a': '' } }, 'invalid_request', /file name "\.\.\/a"/],
    [
      'main.tex as a file',
      { source: '', files: { 'main.tex': '' } },
      'invalid_request',
      /main\.tex. is reserved for the field source/,
    ],
    [
      'too many keys',
      JSON.stringify({ source: '', x: Array.from({ length: 20_000 }, () => 1) }),
      'invalid_request',
      /^The JSON has more than 10250 keys and values\. A request may have at most 50 files\.$/,
    ],
  ]
  for (const [name, body, code, message] of malformed) {
    test(`answers 400 ${code} for ${name}`, async () => {
      const response = await post(body)
      const answer = await readJson(response)
      assert.deepEqual([response.status, answer.code], [400, code])
      assert.match(answer.error, message)
    })
  }

  test('names the invalid field in details', async () => {
    const body = await readJson(await post({ source: '', passes: 9 }))
    const message = 'passes must be one of: auto, 1, 2, 3'
    assert.deepEqual(body, { error: message, code: 'invalid_request', details: [{ path: 'passes', message }] })
  })

  test('uses the last of two equal JSON keys', async () => {
    const response = await post('{"source":7,"source":""}')
    assert.equal(response.status, 200)
  })

  test('reads JSON with the content type of a form, or without one', async () => {
    const source = JSON.stringify({ source: '' })
    const asForm = await post(source, {}, { 'Content-Type': 'application/x-www-form-urlencoded' })
    assert.equal(asForm.status, 200)
  })

  describe('limits', () => {
    const limits = { maxSourceBytes: 10, maxFilesCount: 2, maxTotalFilesBytes: 6 }
    const legal: readonly (readonly [string, object])[] = [
      ['source of exactly maxSourceBytes', { source: 'é'.repeat(5) }],
      ['exactly maxFilesCount files', { source: '', files: { a: '', b: '' } }],
      ['files of exactly maxTotalFilesBytes', { source: '', files: { a: base64('123'), b: base64('456') } }],
      ['blanks in base64 that count for nothing', { source: '', files: { a: `${base64('123456')}${' '.repeat(99)}` } }],
    ]
    for (const [name, body] of legal) {
      test(`answers 200 for ${name}`, async () => assert.equal((await post(body, { limits })).status, 200))
    }

    const over: readonly (readonly [object, string])[] = [
      [{ source: 'é'.repeat(5) + 'x' }, 'source exceeds maxSourceBytes: 11 > 10'],
      [{ source: '', files: { a: '', b: '', c: '' } }, 'files exceeds maxFilesCount: 3 > 2'],
      [{ source: '', files: { a: base64('123'), b: base64('4567') } }, 'files exceeds maxTotalFilesBytes: 7 > 6'],
    ]
    test('names the limit and the number of hundreds of files', async () => {
      const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.tex`, '']))
      const message = 'files exceeds maxFilesCount: 300 > 50'
      assert.deepEqual(await readJson(await post({ source: '', files })), {
        error: message,
        code: 'invalid_request',
        details: [{ path: 'files', message }],
      })
    })

    test('are checked after the fields', async () => {
      const { error } = await readJson(await post({ source: 'x'.repeat(11), files: { '../x': '' } }, { limits }))
      assert.match(error, /^file name "\.\.\/x"/)
    })

    for (const [body, error] of over) {
      test(`answers 400: ${error}`, async () => {
        const response = await post(body, { limits })
        const answer = await readJson(response)
        assert.deepEqual([response.status, answer.error, answer.code], [400, error, 'invalid_request'])
      })
    }
  })

  describe('request body', () => {
    const body = JSON.stringify({ source: '' })

    test('answers 200 at exactly maxRequestBodyBytes and 413 for one byte more', async () => {
      assert.equal((await post(body, { maxRequestBodyBytes: body.length })).status, 200)
      const refused = await post(body, { maxRequestBodyBytes: body.length - 1 })
      assert.deepEqual([refused.status, refused.headers.get('connection')], [413, 'close'])
      assert.deepEqual(await readJson(refused), {
        error: `The request body is larger than ${body.length - 1} bytes.`,
        code: 'payload_too_large',
      })
    })

    test('accepts a gzip body', async () => {
      const response = await post(gzipSync(JSON.stringify({ source: HELLO })), {}, { 'Content-Encoding': 'gzip' })
      assert.equal(typeof (await readJson(response)).pdf, 'string')
    })

    test('answers 413 for a small gzip body that inflates beyond the limit', async () => {
      const bomb = gzipSync(new Uint8Array(5_000_000))
      const response = await post(bomb, { maxRequestBodyBytes: 100_000 }, { 'Content-Encoding': 'gzip' })
      assert.equal(response.status, 413)
    })

    for (const [name, bytes] of [
      ['is no gzip', bytesOf('{"source":""}')],
      ['is cut short', gzipSync('{"source":""}').subarray(0, 20)],
    ] as const) {
      test(`answers 400 for a gzip body that ${name}`, async () => {
        const response = await post(new Uint8Array(bytes), {}, { 'Content-Encoding': 'gzip' })
        assert.deepEqual([response.status, (await readJson(response)).code], [400, 'invalid_request'])
      })
    }

    test('answers 415 for another encoding', async () => {
      const response = await post(body, {}, { 'Content-Encoding': 'br' })
      assert.deepEqual(
        [response.status, response.headers.get('accept-encoding'), (await readJson(response)).code],
        [415, 'gzip, identity', 'unsupported_media_type'],
      )
    })
  })

  describe('API key', () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Basic secret', 'secret', 'Bearer secret2']) {
      test(`answers 401 for Authorization ${JSON.stringify(authorization)}`, async () => {
        const response = await post('not even JSON', { apiKey: 'secret' }, authorization ? { authorization } : {})
        assert.deepEqual(
          [response.status, response.headers.get('www-authenticate'), (await readJson(response)).code],
          [401, 'Bearer realm="compile"', 'unauthorized'],
        )
      })
    }

    for (const authorization of ['Bearer secret', 'bearer secret', 'BEARER   secret ']) {
      test(`takes Authorization ${JSON.stringify(authorization)}`, async () => {
        assert.equal((await post({ source: '' }, { apiKey: 'secret' }, { authorization })).status, 200)
      })
    }

    test('is not required if it is empty, which is logged', async () => {
      const events: unknown[] = []
      const response = await post({ source: '' }, { apiKey: '', log: (event) => events.push(event) })
      assert.equal(response.status, 200)
      assert.deepEqual(events[0], { kind: 'warning', message: 'the API key is empty, so POST /compile requires none' })
    })

    test('is compared without the white space around it, which a request cannot contain', async () => {
      const config = { apiKey: 'secret\n' }
      const statuses = await Promise.all(
        ['Bearer secret', 'Bearer wrong'].map(async (authorization) => {
          const response = await post({ source: '' }, config, { authorization })
          return response.status
        }),
      )
      assert.deepEqual(statuses, [200, 401])
    })

    describe('of the environment', () => {
      afterEach(() => {
        delete process.env['COMPILE_API_KEY']
      })

      test('is required if the configured one is empty, which is logged', async () => {
        process.env['COMPILE_API_KEY'] = 'secret'
        const events: unknown[] = []
        const response = await post({ source: '' }, { apiKey: '', log: (event) => events.push(event) })
        const message = 'the configured API key is empty, so POST /compile requires COMPILE_API_KEY'
        assert.deepEqual([response.status, events[0]], [401, { kind: 'warning', message }])
      })

      test('is not required if it is empty, which is logged', async () => {
        process.env['COMPILE_API_KEY'] = ''
        const events: unknown[] = []
        const response = await post({ source: '' }, { log: (event) => events.push(event) })
        const message = 'the API key is empty, so POST /compile requires none'
        assert.deepEqual([response.status, events[0]], [200, { kind: 'warning', message }])
      })
    })
  })

  describe('response format', () => {
    test('is the PDF itself for Accept: application/pdf', async () => {
      const response = await post({ source: HELLO }, {}, { Accept: 'application/pdf, */*;q=0.1' })
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/pdf'])
      assert.ok(isPdf(new Uint8Array(await response.arrayBuffer())))
    })

    test('is 422 with the complete JSON for Accept: application/pdf without a PDF', async () => {
      const response = await post({ source: FATAL }, {}, { Accept: 'application/pdf' })
      const body = await readJson(response)
      assert.deepEqual([response.status, body.pdf, body.errors.length > 0], [422, null, true])
    })

    for (const accept of ['*/*', 'application/json, application/pdf', 'application/pdf;q=0', 'text/html']) {
      test(`is JSON for Accept: ${accept}`, async () => {
        const response = await post({ source: '' }, {}, { Accept: accept })
        assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      })
    }

    test('is compressed if the client accepts gzip', async () => {
      const response = await post({ source: HELLO }, {}, { 'Accept-Encoding': 'br, gzip;q=0.5' })
      assert.deepEqual(
        [response.headers.get('content-encoding'), response.headers.get('vary')],
        ['gzip', 'Accept, Accept-Encoding'],
      )
      const inflated = new Response(response.body?.pipeThrough(new DecompressionStream('gzip')))
      assert.ok(isBase64Pdf((await readJson(inflated)).pdf))
    })

    test('is not compressed if the client refuses gzip', async () => {
      const response = await post({ source: HELLO }, {}, { 'Accept-Encoding': 'gzip;q=0, br' })
      assert.equal(response.headers.get('content-encoding'), null)
    })
  })

  describe('at capacity', () => {
    test('answers 503 with Retry-After at once, and compiles again when the slot is free', async () => {
      const app = createApp({ ...quiet, maxConcurrentCompiles: 1 })
      const send = (source: string, timeout: number) =>
        app.request('/compile', { method: 'POST', body: JSON.stringify({ source, timeout }) })
      const first = send(ENDLESS, 2000)
      await whenRunning(app)
      const refused = await send(HELLO, 30_000)
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1'])
      assert.deepEqual(await readJson(refused), {
        error: 'All compile slots are in use. Try again later.',
        code: 'too_many_compiles',
      })
      assert.equal((await first).status, 200)
      assert.equal((await send(HELLO, 30_000)).status, 200)
    })

    for (const maxConcurrentCompiles of [0, -1, 1.5, Number.NaN]) {
      test(`createApp refuses maxConcurrentCompiles ${maxConcurrentCompiles}`, () => {
        assert.throws(() => createApp({ maxConcurrentCompiles }), {
          name: 'CompileInputError',
          path: 'maxConcurrentCompiles',
        })
      })
    }
  })

  test('drain rejects new compiles, waits for the running one, and sets /health to 503', async () => {
    const app = createApp(quiet)
    const running = app.request('/compile', {
      method: 'POST',
      body: JSON.stringify({ source: ENDLESS, timeout: 1500 }),
    })
    await whenRunning(app)
    const drained = app.drain()
    const refused = await app.request('/compile', { method: 'POST', body: '{}' })
    assert.deepEqual(
      [refused.status, refused.headers.get('retry-after'), (await readJson(refused)).code],
      [503, '5', 'shutting_down'],
    )
    const health = await app.request('/health')
    assert.deepEqual([health.status, await readJson(health)], [503, { status: 'draining' }])
    await drained
    assert.equal((await running).status, 200)
  })

  test('drain cancels compiles after its timeout', async () => {
    const app = createApp(quiet)
    const running = app.request('/compile', { method: 'POST', body: JSON.stringify({ source: ENDLESS }) })
    await whenRunning(app)
    await app.drain({ timeoutMs: 0 })
    const response = await running
    assert.deepEqual([response.status, (await readJson(response)).code], [503, 'shutting_down'])
  })
})

describe('the other paths', () => {
  const app = createApp({ ...quiet, apiKey: 'secret' })

  test('GET /health answers {status: ok} without a key', async () => {
    const response = await app.request('/health')
    assert.deepEqual([response.status, await readJson(response)], [200, { status: 'ok' }])
  })

  test('HEAD /health answers without a body', async () => {
    const response = await app.request('/health', { method: 'HEAD' })
    assert.deepEqual([response.status, await response.text()], [200, ''])
  })

  test('GET /ready compiles once and lists the programs', async () => {
    const response = await app.request('/ready')
    const body = await readJson(response)
    assert.deepEqual([response.status, body.status, body.biberWorks], [200, 'ready', true])
    assert.ok(body.programs.includes('pdflatex'))
    assert.match(body.version, /^pdfTeX, Version [\d.-]+ \([^()]*\)$/)
  })

  test('GET /ready is 503 with the reason while its host is not ready', async () => {
    let reason: string | null = 'the database is not available'
    const other = createApp({ ...quiet, findReadinessProblem: async () => reason })
    const unready = await other.request('/ready')
    reason = null
    const ready = await other.request('/ready')
    assert.deepEqual(
      [unready.status, await readJson(unready), ready.status],
      [503, { status: 'not-ready', reason: 'the database is not available' }, 200],
    )
  })

  test('GET /ready requires no TeX on a host that leaves compiles to other machines', async () => {
    const other = createApp({ ...quiet, requiresTex: false })
    const response = await other.request('/ready')
    assert.deepEqual([response.status, await readJson(response)], [200, { status: 'ready' }])
  })

  test('GET /metrics can have a key of its own', async () => {
    const other = createApp({ ...quiet, apiKey: 'secret', metricsKey: 'scraper' })
    const ask = async (key: string): Promise<number> =>
      (await other.request('/metrics', { headers: { Authorization: `Bearer ${key}` } })).status
    assert.deepEqual([await ask('secret'), await ask('scraper')], [401, 200])
  })

  test('GET /metrics requires the key, and counts compiles and errors', async () => {
    assert.equal((await app.request('/metrics')).status, 401)
    const headers = { Authorization: 'Bearer secret' }
    await app.request('/compile', { method: 'POST', headers, body: JSON.stringify({ source: HELLO }) })
    await app.request('/compile', { method: 'POST', headers, body: 'x' })
    const text = await (await app.request('/metrics', { headers })).text()
    assert.match(text, /^platex_compiles_total\{engine="pdflatex",end="pdf"\} 1$/m)
    assert.match(text, /^platex_faults_total\{code="invalid_json"\} 1$/m)
    assert.match(text, /^platex_compile_passes_bucket\{le="1"\} 1$/m)
    assert.match(text, /^platex_compiles_running 0$/m)
  })

  for (const [method, path, allow] of [
    ['GET', '/compile', 'POST'],
    ['PUT', '/compile', 'POST'],
    ['OPTIONS', '/compile', 'POST'],
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/ready', 'GET, HEAD'],
  ] as const) {
    test(`${method} ${path} answers 405 and allows ${allow}`, async () => {
      const response = await app.request(path, { method })
      assert.deepEqual(
        [response.status, response.headers.get('allow'), (await readJson(response)).code],
        [405, allow, 'method_not_allowed'],
      )
    })
  }

  for (const path of ['/', '/compile/', '/nothing', '/health/x', '/%00', '/..;/compile']) {
    test(`GET ${path} answers 404 in JSON`, async () => {
      const response = await app.request(path)
      assert.deepEqual([response.status, (await readJson(response)).code], [404, 'not_found'])
    })
  }

  test('every response has the request id of the client, or a new one', async () => {
    const echoed = await app.request('/health', { headers: { 'X-Request-Id': 'build-7.3' } })
    const replaced = await app.request('/nothing', { headers: { 'X-Request-Id': 'two words' } })
    assert.equal(echoed.headers.get('x-request-id'), 'build-7.3')
    assert.match(replaced.headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/)
  })

  test('no response allows other origins', async () => {
    const response = await app.request('/health', { headers: { Origin: 'https://elsewhere.example' } })
    assert.equal(response.headers.get('access-control-allow-origin'), null)
  })
})

describe('createApp reads the environment', () => {
  afterEach(() => {
    delete process.env['COMPILE_API_KEY']
    delete process.env['COMPILE_MAX_CONCURRENT']
    delete process.env['COMPILE_SERVICE_URL']
  })

  test('for the key, once, and never for a service URL', async () => {
    process.env['COMPILE_API_KEY'] = 'from-environment'
    process.env['COMPILE_SERVICE_URL'] = 'http://127.0.0.1:1'
    const app = createApp(quiet)
    delete process.env['COMPILE_API_KEY']
    const send = (headers: Record<string, string>) =>
      app.request('/compile', { method: 'POST', headers, body: '{"source":""}' })
    assert.equal((await send({})).status, 401)
    assert.equal((await send({ Authorization: 'Bearer from-environment' })).status, 200)
  })

  test('for the number of slots, and rejects invalid values', async () => {
    process.env['COMPILE_MAX_CONCURRENT'] = '3'
    const text = await (await createApp(quiet).request('/metrics')).text()
    assert.match(text, /^platex_compile_slots 3$/m)
    process.env['COMPILE_MAX_CONCURRENT'] = 'many'
    assert.throws(() => createApp(quiet), { path: 'maxConcurrentCompiles' })
  })
})

test('createCompileRoute adds only POST /compile to another app', async () => {
  const route = createCompileRoute({ ...quiet, apiKey: 'secret' })
  const statuses = await Promise.all([
    route.request('/compile', { method: 'POST', headers: { Authorization: 'Bearer secret' }, body: '{"source":""}' }),
    route.request('/compile', { method: 'POST', body: '{"source":""}' }),
    route.request('/compile'),
    route.request('/health'),
  ])
  assert.deepEqual(
    statuses.map((response) => response.status),
    [200, 401, 404, 404],
  )
})

test('the log has every response and compile, but no documents', async () => {
  const events: object[] = []
  const secret = 'a very secret sentence'
  const app = createApp({ log: (event) => events.push(event), apiKey: 'the-key' })
  await app.request('/compile', {
    method: 'POST',
    headers: { Authorization: 'Bearer the-key', 'X-Request-Id': 'r1' },
    body: JSON.stringify({ source: `${HELLO}% ${secret}` }),
  })
  assert.deepEqual(
    events.map((event) => Object.keys(event)),
    [
      ['kind', 'requestId', 'engine', 'end', 'passes', 'durationMs'],
      ['kind', 'requestId', 'method', 'path', 'status', 'durationMs'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(events), /secret|the-key/)
})

/** Resolves when a compile holds a slot, according to `/metrics`. */
async function whenRunning(app: ReturnType<typeof createApp>): Promise<void> {
  const readMetrics = async (): Promise<string> => (await app.request('/metrics')).text()
  await eventually(readMetrics, { until: (text) => /^platex_compiles_running [1-9]/m.test(text) })
}
