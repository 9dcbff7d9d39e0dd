import assert from 'node:assert/strict'
import { test } from 'node:test'

import { startHost } from '../support/hosts/start-host.ts'
import { sendRequest } from '../support/send-request.ts'

test('GET /metrics answers loopback clients, and no forwarded request', async (t) => {
  const host = await startHost()
  t.after(() => host.stop())
  const ask = async (headers: Record<string, string>): Promise<readonly [number, boolean]> => {
    const answer = await fetch(`${host.url}/metrics?a`, { headers })
    return [answer.status, (await answer.text()).includes('platex_compile')]
  }
  assert.deepEqual(await Promise.all([ask({}), ask({ 'x-forwarded-for': '192.0.2.1' }), ask({ via: '1.1 proxy' })]), [
    [200, true],
    [404, false],
    [404, false],
  ])
})

test('GET /metrics without a key is refused under a foreign name, which a page may have bound to this machine', async (t) => {
  const host = await startHost()
  t.after(() => host.stop())
  const names = ['localhost:3000', '[::1]:3000', 'papers.localhost', 'evil.example', 'x:y']
  const responses = await Promise.all(
    names.map((name) => sendRequest(host.url, { target: '/metrics', headers: { host: name } })),
  )
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 404, 400],
  )
})

test('GET /metrics counts builds and workers', async (t) => {
  const host = await startHost()
  t.after(() => host.stop())
  const text = await (await fetch(`${host.url}/metrics`)).text()
  assert.deepEqual(
    text.split('\n').filter((line) => line.startsWith('texproof_')),
    ['texproof_builds_queued 0', 'texproof_builds_running 0', 'texproof_workers 0', 'texproof_worker_slots 0'],
  )
})

test('GET /metrics with a key configured requires it from every address', async (t) => {
  const host = await startHost({ env: { TEXPROOF_METRICS_TOKEN: 'scraper', COMPILE_API_KEY: 'secret' } })
  t.after(() => host.stop())
  const ask = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '192.0.2.1' }
    return (await fetch(`${host.url}/metrics`, { headers })).status
  }
  assert.deepEqual([await ask('scraper'), await ask('secret'), await ask('')], [200, 401, 401])
})

test('GET /metrics is 404 when metrics are off', async (t) => {
  const host = await startHost({ env: { TEXPROOF_METRICS_ENABLED: 'false', TEXPROOF_METRICS_TOKEN: 'scraper' } })
  t.after(() => host.stop())
  const headers = { authorization: 'Bearer scraper' }
  assert.equal((await fetch(`${host.url}/metrics`, { headers })).status, 404)
})
