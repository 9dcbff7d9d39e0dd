import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'

import { closeServer } from '../../src/cli/serve/close-server.ts'
import { runProgram } from '../support/programs/run-program.ts'

const CLIENTS = 8

test('closeServer() answers the clients that have connected while the server was busy', async () => {
  const server = createServer((_request, response) => response.end('answered'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  const names = Array.from({ length: CLIENTS }, (_, index) => index + 1)
  const clients = runProgram('bash', ['-c', `for n in ${names.join(' ')}; do curl -s ${url} & done; wait`])
  // While this thread waits, the kernel completes their connections, and nobody accepts them.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await closeServer(server, { drain: () => Promise.resolve(), drainMs: 10_000 })
  assert.deepEqual((await clients).stdout, 'answered'.repeat(CLIENTS))
})

test('closeServer() refuses clients that connect afterwards', async () => {
  const server = createServer((_request, response) => response.end('answered'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await closeServer(server, { drain: () => Promise.resolve(), drainMs: 10_000 })
  const code = await new Promise<unknown>((resolve) => {
    request({ port, host: '127.0.0.1' })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      .on('response', resolve)
      .end()
  })
  assert.equal(code, 'ECONNREFUSED')
})
