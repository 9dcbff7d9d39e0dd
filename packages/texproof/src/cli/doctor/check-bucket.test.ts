import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { checkBucket } from './check-bucket.ts'

test('checkBucket reports a bucket that does not respond, and stops waiting for it', async (context) => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  context.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bucket = {
    endpoint,
    bucket: 'papers',
    prefix: '',
    region: 'auto',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  }
  const [finding] = await checkBucket({ bucket, dataDir: '/nowhere' }, { limitMs: 50 })
  assert.deepEqual([finding?.state, finding?.message], ['broken', `${endpoint}/papers/: no answer within 0.05 s`])
})
