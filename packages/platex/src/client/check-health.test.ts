import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { startScriptedService, unusedAddress } from '../../test/support/scripted-service.ts'
import { checkHealth } from './check-health.ts'

describe('checkHealth', () => {
  test('is true for 200 with status ok, and does not send the key', async () => {
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

  test('is false if nothing listens, or the URL or a header is invalid', async () => {
    assert.equal(await checkHealth(await unusedAddress(), {}), false)
    assert.equal(await checkHealth('nonsense', {}), false)
    assert.equal(await checkHealth('http://127.0.0.1:1', { headers: { 'bad name': 'x' } }), false)
  })

  test('is false if the service does not respond within the timeout', async () => {
    await using service = await startScriptedService(['hang'])
    assert.equal(await checkHealth(service.url, { timeout: 50 }), false)
  })
})
