import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { startScriptedService } from '../../test/support/scripted-service.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileRequest, LocalCompileOptions, LocalCompiler } from '../options/compile-request.ts'
import { createClient } from './create-client.ts'

const RESULT: CompileResult = { pdf: null, errors: [], warnings: [], logs: [] }
const ANSWER = { status: 200, body: JSON.stringify(RESULT) }

function recordingCompiler(): { compile: LocalCompiler; calls: [CompileRequest, LocalCompileOptions][] } {
  const calls: [CompileRequest, LocalCompileOptions][] = []
  const compile: LocalCompiler = async (request, options) => {
    calls.push([request, options])
    return RESULT
  }
  return { compile, calls }
}

afterEach(() => {
  delete process.env['COMPILE_SERVICE_URL']
  delete process.env['COMPILE_API_KEY']
})

describe('createClient', () => {
  test('compiles locally with all defaults if no service is set', async () => {
    const { compile, calls } = recordingCompiler()
    await createClient({}, compile).compile('x')
    assert.deepEqual(calls, [
      [
        {
          source: 'x',
          main: null,
          engine: 'pdflatex',
          passes: 'auto',
          bibliography: 'bibtex',
          files: new Map(),
          timeoutMs: 30_000,
          outputs: [],
          session: null,
        },
        { sandbox: 'auto', signal: undefined, onProgress: undefined },
      ],
    ])
  })

  test('uses the service and the key of the environment', async () => {
    await using service = await startScriptedService([ANSWER])
    process.env['COMPILE_SERVICE_URL'] = service.url
    process.env['COMPILE_API_KEY'] = 'from-environment'
    const { compile, calls } = recordingCompiler()
    await createClient({}, compile).compile('x')
    assert.deepEqual([calls, service.seen[0]?.headers.authorization], [[], 'Bearer from-environment'])
  })

  test('prefers options of the call to defaults, and defaults to the environment', async () => {
    await using service = await startScriptedService([ANSWER])
    process.env['COMPILE_SERVICE_URL'] = 'http://127.0.0.1:1'
    process.env['COMPILE_API_KEY'] = 'from-environment'
    const client = createClient({ serviceUrl: service.url, apiKey: 'from-config' }, null)
    await client.compile('x')
    await client.compile('x', { apiKey: 'from-call' })
    assert.deepEqual(
      service.seen.map((request) => request.headers.authorization),
      ['Bearer from-config', 'Bearer from-call'],
    )
  })

  test('treats an empty COMPILE_SERVICE_URL as unset, and an empty serviceUrl as local', async () => {
    const { compile, calls } = recordingCompiler()
    process.env['COMPILE_SERVICE_URL'] = ''
    await createClient({}, compile).compile('x')
    process.env['COMPILE_SERVICE_URL'] = 'http://127.0.0.1:1'
    await createClient({}, compile).compile('x', { serviceUrl: '' })
    assert.equal(calls.length, 2)
  })

  test('rejects with NO_SERVICE without a service and a local compiler', async () => {
    await assert.rejects(createClient({}, null).compile('x'), {
      name: 'PlatexError',
      code: 'NO_SERVICE',
      retryable: false,
    })
  })

  test('leaves limits to the service unless the caller sets them', async () => {
    await using service = await startScriptedService([ANSWER])
    const { compile } = createClient({ serviceUrl: service.url }, null)
    const files = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, new Uint8Array()]))
    await compile('x', { files })
    await assert.rejects(compile('x', { files, limits: { maxFilesCount: 50 } }), {
      name: 'CompileInputError',
      code: 'LIMIT',
      message: 'files exceeds maxFilesCount: 51 > 50',
    })
    assert.equal(service.seen.length, 1)
  })

  test('rejects engine tectonic for remote compiles', async () => {
    const compiling = createClient({ serviceUrl: 'http://127.0.0.1:1' }, null).compile('x', { engine: 'tectonic' })
    await assert.rejects(compiling, { name: 'CompileInputError', path: 'engine' })
  })

  const wrongCalls: readonly (readonly [name: string, value: unknown])[] = [
    ['sandbox', 'Required'],
    ['signal', {}],
    ['onProgress', 5],
    ['fetch', 'fetch'],
    ['retry', '2'],
    ['retry', -1],
    ['headers', 'x-tenant: 7'],
    ['headers', ['x-tenant', '7']],
    // Its entries are not properties: they would not be sent.
    ['headers', new Headers({ 'x-tenant': '7' })],
  ]
  for (const [name, value] of wrongCalls) {
    test(`rejects ${name} ${JSON.stringify(value)}, naming it`, async () => {
      const { compile, calls } = recordingCompiler()
      const compiling = createClient({}, compile).compile('x', { [name]: value })
      await assert.rejects(compiling, { name: 'CompileInputError', code: 'INVALID_INPUT', path: name })
      assert.deepEqual(calls, [])
    })
  }

  test('rejects a header whose value is not a string, without the value', async () => {
    const headers: Record<string, string> = JSON.parse('{"x-tenant":7}')
    await assert.rejects(createClient({}, recordingCompiler().compile).compile('x', { headers }), {
      name: 'CompileInputError',
      message: 'headers["x-tenant"] must be a string',
    })
  })

  test('rejects wrong headers and limits that would be merged with the limits of the call', async () => {
    for (const name of ['headers', 'limits']) {
      const { compile } = createClient({ [name]: 'all' }, recordingCompiler().compile)
      await assert.rejects(compile('x', { [name]: {} }), { name: 'CompileInputError', path: name })
    }
  })

  test('rejects values other than strings and bytes instead of throwing', async () => {
    const { compile } = createClient({}, recordingCompiler().compile)
    const wrong: { source: string; files: Record<string, Uint8Array> } = JSON.parse('{"source":7,"files":{"a":7}}')
    await assert.rejects(compile(wrong.source), { path: 'source' })
    await assert.rejects(compile('x', { files: wrong.files }), { path: 'files["a"]' })
  })

  test('rejects with the reason of a signal that has already fired', async () => {
    const { compile, calls } = recordingCompiler()
    const signal = AbortSignal.abort()
    await assert.rejects(createClient({}, compile).compile('x', { signal }), { name: 'AbortError' })
    assert.deepEqual(calls, [])
  })

  test('health is true without a request if there is no service', async () => {
    const { health } = createClient({ fetch: () => assert.fail('asked') }, null)
    assert.equal(await health(), true)
  })
})
