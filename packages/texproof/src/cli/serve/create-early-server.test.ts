import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'

import { pino } from 'pino'

import { createEarlyServer } from './create-early-server.ts'

test('createEarlyServer() uses half of the open files for connections, and closes those beyond', async (context) => {
  const early = createEarlyServer(pino({ level: 'silent' }), { openFiles: 5, trustedProxies: [] })
  early.server.listen(0, '127.0.0.1')
  await once(early.server, 'listening')
  context.after(() => early.fail())
  const { port } = early.server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const kept = [await open(), await open()]
  const dropped = await open()
  await once(dropped, 'close')
  assert.deepEqual(
    kept.map(({ readyState }) => readyState),
    ['open', 'open'],
  )
  for (const socket of kept) socket.destroy()
})

/** The answer of an open host to a request. */
async function request(context: TestContext): Promise<Response> {
  const early = createEarlyServer(pino({ level: 'silent' }), { openFiles: Infinity, trustedProxies: [] })
  early.server.listen(0, '127.0.0.1')
  await once(early.server, 'listening')
  context.after(() => early.fail())
  early.open({
    listener: (_request, response) => response.end('served'),
    connections: { upgrade: () => {}, close: async () => {} },
  })
  return fetch(`http://127.0.0.1:${(early.server.address() as AddressInfo).port}/`)
}

test('createEarlyServer() accepts connections if the limit of open files is unknown', async (context) => {
  const response = await request(context)
  assert.equal(await response.text(), 'served')
})

test('createEarlyServer() keeps idle connections longer than load balancers do', async (context) => {
  const response = await request(context)
  assert.equal(response.headers.get('keep-alive'), 'timeout=65')
})
