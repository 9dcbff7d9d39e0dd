import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { startScriptedService, unusedAddress } from '../../test/support/scripted-service.ts'
import { checkHealth } from './check-health.ts'

describe('checkHealth', () => {
  test('is true for 200 with status ok, and keeps the key at home', async () => {
    await using service = await startScriptedService([{ status: 200, body: '{"status":"ok"}' }])
    assert.equal(await checkHealth(service.url, { apiKey: 'secret', headers: { 'x-tenant': '7' } }), true)
    const [request] = service.seen
    assert.deepEqual(
      [request?.method, request?.url, request?.headers.authorization, request?.headers['x-tenant']],
      ['GET', '/health', undefined, '7'],
    )
  })

  for (const [status, body] of [
    [200, '{"status":"draining"}'],
    [200, 'ok'],
    [200, 'null'],
    [503, '{"status":"ok"}'],
    [404, '{}'],
  ] as const) {
    test(`is false for ${status} with ${body}`, async () => {
      await using service = await startScriptedService([{ status, body }])
      assert.equal(await checkHealth(service.url, {}), false)
    })
  }

  test('is false when nothing listens, the address is none or a header cannot be sent', async () => {
    assert.equal(await checkHealth(await unusedAddress(), {}), false)
    assert.equal(await checkHealth('nonsense', {}), false)
    assert.equal(await checkHealth('http://127.0.0.1:1', { headers: { 'bad name': 'x' } }), false)
  })

  test('is false when the service does not respond within timeout', async () => {
    await using service = await startScriptedService(['hang'])
    assert.equal(await checkHealth(service.url, { timeout: 50 }), false)
  })
})
