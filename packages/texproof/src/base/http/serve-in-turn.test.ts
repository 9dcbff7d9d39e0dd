import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import { serveInTurn } from './serve-in-turn.ts'

const GET = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** A connection to a server, and the number of requests that its parser has read. */
async function open(context: TestContext, listener: RequestListener): Promise<{ socket: Socket; read: () => number }> {
  const server = createServer(serveInTurn(listener))
  let count = 0
  server.on('request', () => (count += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return { socket, read: () => count }
}

async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'close')
  return text
}

test('serveInTurn() begins a request of a connection when the response to the one before is sent', async (context) => {
  const events: string[] = []
  const { socket } = await open(context, (request, response) => {
    events.push(`begin ${request.url}`)
    request.resume()
    setTimeout(() => {
      events.push(`end ${request.url}`)
      response.end('.')
    }, 10)
  })
  socket.write(GET('/1') + GET('/2') + LAST)
  const text = await readAll(socket)
  assert.deepEqual(
    [events, text.match(/HTTP\/1.1 200/g)?.length],
    [['begin /1', 'end /1', 'begin /2', 'end /2', 'begin /last', 'end /last'], 3],
  )
})

test('serveInTurn() reads the body of a request that has waited', async (context) => {
  const bodies: string[] = []
  const { socket } = await open(context, (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      bodies.push(body)
      setTimeout(() => response.end(), 10)
    })
  })
  const post = (body: string): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const long = 'b'.repeat(300_000)
  socket.write(post('a') + post(long) + LAST)
  await readAll(socket)
  assert.deepEqual(bodies, ['a', long, ''])
})

test('serveInTurn() serves other connections while requests of one wait', async (context) => {
  const held: ServerResponse[] = []
  const { socket } = await open(context, (request, response) => {
    if (request.url === '/last') response.end()
    else held.push(response)
  })
  socket.write(GET('/1').repeat(100))
  const { remotePort = 0 } = socket
  const other = connect(remotePort, '127.0.0.1')
  other.write(LAST)
  assert.match(await readAll(other), /^HTTP\/1.1 200/)
  assert.equal(held.length, 1)
})

test('serveInTurn() reads no further requests of a connection while some wait', async (context) => {
  const { socket, read } = await open(context, () => {})
  socket.on('error', () => {}) // The server closes the connection.
  socket.write(GET('/').repeat(20_000))
  await delay(300)
  assert.ok(read() < 10_000, `${read()} requests were read`)
})

test('serveInTurn() drops the requests that wait when the server ends their connection', async (context) => {
  const paths: string[] = []
  const { socket } = await open(context, (request, response) => {
    paths.push(request.url ?? '')
    setTimeout(() => response.destroy(), 10)
  })
  socket.write(GET('/1') + GET('/2'))
  await readAll(socket)
  await delay(20)
  assert.deepEqual(paths, ['/1'])
})
