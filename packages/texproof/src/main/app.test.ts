import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { limitBodyTime } from './app.ts'

test('limitBodyTime disconnects clients with slow bodies, and no others', async (t) => {
  const server = createServer((request, response) => {
    limitBodyTime(request, response, 300)
    request.on('error', () => {}).resume()
    // Responds late, because work on a complete body may take long.
    request.once('end', () => setTimeout(() => response.end('done'), 600))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  const slow = connect(port, '127.0.0.1')
  slow.on('error', () => {}).resume()
  slow.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n')
  const ended = new AbortController()
  slow.once('close', () => ended.abort())
  const trickle = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      slow.write('x')
      await delay(50)
    }
  }
  const [, sent, asked] = await Promise.all([
    trickle(),
    fetch(origin, { method: 'POST', body: 'whole' }).then((answer) => answer.text()),
    fetch(origin).then((answer) => answer.text()),
  ])
  assert.deepEqual([sent, asked], ['done', 'done'])
})
