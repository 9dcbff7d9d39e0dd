import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULTS } from '../../base/defaults.ts'
import { RequestFault } from '../wire/request-fault.ts'
import { faultOf, parseAnyBody, presentAnyResult } from './large-bodies.ts'

const { limits } = DEFAULTS
const LARGE = 2 * 1024 * 1024

function bodyOf(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value))
}

test('parseAnyBody parses a large body like a small one', async () => {
  const bytes = new Uint8Array(LARGE).fill(7)
  const body = await parseAnyBody(
    bodyOf({ source: 'é', files: { 'a.bin': Buffer.from(bytes).toString('base64') } }),
    limits,
  )
  assert.deepEqual(body, {
    source: 'é',
    main: null,
    engine: null,
    passes: null,
    bibliography: null,
    timeoutMs: null,
    outputs: [],
    session: null,
    files: new Map([['a.bin', bytes]]),
  })
})

test('parseAnyBody rejects a large body with the same fault as a small one', async () => {
  const body = bodyOf({ source: 'x'.repeat(LARGE), files: { '../a': '' } })
  await assert.rejects(parseAnyBody(body, limits), (error: unknown) => {
    assert.ok(error instanceof RequestFault)
    assert.deepEqual([error.status, error.code, error.details?.[0]?.path], [400, 'invalid_request', 'files["../a"]'])
    return true
  })
})

test('presentAnyResult writes the same JSON for a large result', async () => {
  const result = { pdf: new Uint8Array(LARGE).fill(7), errors: [], warnings: [], logs: [] }
  const json = await presentAnyResult(result)
  const pdf = Buffer.from(result.pdf).toString('base64')
  assert.equal(Buffer.from(json).toString(), JSON.stringify({ ...result, pdf }))
})

for (const [end, subject, expected] of [
  ['timed-out', 'body', [503, 'too_many_compiles', { 'Retry-After': '1' }]],
  ['busy', 'body', [503, 'too_many_compiles', { 'Retry-After': '1' }]],
  ['out-of-memory', 'body', [413, 'payload_too_large', {}]],
  ['timed-out', 'result', [500, 'internal', {}]],
  ['out-of-memory', 'result', [500, 'internal', {}]],
] as const) {
  test(`A ${subject} whose task ends as ${end} is answered with ${expected[0]}`, () => {
    const { status, code, headers } = faultOf(end, subject)
    assert.deepEqual([status, code, headers], expected)
  })
}
