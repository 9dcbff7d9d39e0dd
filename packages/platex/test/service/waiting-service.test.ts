import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createApp } from '../../src/api/server.ts'
import { sharedSandbox } from '../../src/compile/shared-sandbox.ts'
import { keepReady } from '../support/compare-starts.ts'

const KEY = 'key-of-alice'
const app = createApp({ apiKey: KEY, waitingEngines: 2, log: () => {} })
const sandbox = await sharedSandbox('required', { maxWaiting: 2 })
after(() => sandbox.stopWaiting())

async function ask(path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  return app.fetch(new Request(`http://service.test${path}`, { headers, ...sent }))
}

test('POST /compile uses a waiting engine, and GET /metrics counts it', async () => {
  const source = String.raw`\documentclass{article}\begin{document}Hello \today\end{document}`
  await keepReady({ rootFile: 'main.tex', files: new Map(), engine: 'pdflatex' }, sandbox.latest())
  const first = await ask('/compile', { source })
  const { errors } = (await first.json()) as { errors: unknown[] }
  const metrics = await (await ask('/metrics')).text()
  const counts = metrics.match(/^(?:# TYPE )?platex_waiting_engine_(?:hits|misses)\w* \w+$/gm)
  assert.deepEqual(
    [errors, counts],
    [
      [],
      [
        '# TYPE platex_waiting_engine_hits_total counter',
        'platex_waiting_engine_hits_total 1',
        '# TYPE platex_waiting_engine_misses_total counter',
        'platex_waiting_engine_misses_total 0',
      ],
    ],
  )
})

test('drain() stops the waiting engines', async () => {
  const draining = createApp({ apiKey: KEY, waitingEngines: 1, log: () => {} })
  const shared = await sharedSandbox('required', { maxWaiting: 1 })
  await keepReady({ rootFile: 'main.tex', files: new Map(), engine: 'pdflatex' }, shared.latest())
  const before = shared.waitingStatus().programs
  await draining.drain()
  assert.deepEqual([before, shared.waitingStatus().programs], [['pdflatex'], []])
})
