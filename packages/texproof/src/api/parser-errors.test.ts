import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { TestContext } from 'node:test'

import { openApiHost } from '../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../test/support/hosts/api-host.ts'
import { errorOf } from '../../test/support/expected.ts'
import { answerParserErrors } from './parser-errors.ts'

let host: ApiHost
before(async () => (host = await openApiHost()))
after(() => host.close())

/** Sends raw bytes, and reads until the server closes or has sent a complete response. */
function sendBytes(bytes: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(new URL(host.origin).port), '127.0.0.1', () => socket.write(bytes))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.once('end', () => socket.end())
  socket.once('close', () => resolve(Buffer.concat(chunks).toString()))
  socket.once('error', reject)
  return promise
}

function parseAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
  )
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) as unknown }
}

const close = 'Connection: close\r\n'
const cases: readonly (readonly [title: string, bytes: string, status: number, message: string])[] = [
  ['a broken request line', 'GET\r\n\r\n', 400, 'Bad Request'],
  ['a blank in the target', 'GET /api/v3/us er HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  ['a header without a colon', 'GET /api/v3/user HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400, 'Bad Request'],
  [
    'both lengths',
    `POST /api/v3/user/repos HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'Bad Request',
  ],
  [
    'too large a header',
    `GET /api/v3/user HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
  ],
  [
    'an impossible expectation',
    `GET /api/v3/user HTTP/1.1\r\nHost: x\r\nExpect: the-moon\r\n${close}\r\n`,
    417,
    'Expectation Failed',
  ],
  ['a tunnel', 'CONNECT papers.example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'Not Found'],
  ['an unknown method', 'FROB /api/v3/user HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'Not Found'],
  ['a byte that is not ASCII in the path', 'GET /api/v3/users/\u00FF HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'Not Found'],
  ['a NUL in the path', 'GET /api/v3/users/\0 HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'Not Found'],
  ['no slash before the path', 'GET api/v3/user\u00FF HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  [
    'an upgrade',
    `GET /api/v3/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
    404,
    'Not Found',
  ],
  [
    'a byte that is not ASCII in the query',
    'GET /api/v3/users/x?\u00FF HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'Bad Request',
  ],
  ['no Host', `GET /api/v3/users/x HTTP/1.1\r\n${close}\r\n`, 400, 'Bad Request'],
]
for (const [title, bytes, status, message] of cases) {
  test(`a request with ${title} is answered ${status} with the three headers and the error body`, async () => {
    const answer = parseAnswer(await sendBytes(bytes))
    assert.deepEqual(
      {
        status: answer.status,
        body: answer.body,
        type: answer.headers['content-type'],
        media: answer.headers['x-service-media-type'],
        isLogged: host.logged().includes(`"request_id":"${answer.headers['x-service-request-id']}"`),
      },
      {
        status,
        body: errorOf(status, message),
        type: 'application/json; charset=utf-8',
        media: 'service.v3; format=json',
        isLogged: true,
      },
    )
  })
}

interface SlowServer {
  readonly port: number
  /** Ends the response to the first request. */
  readonly finish: () => void
}

/** A server that answers its request when `finish` is called; `begin` sends the head at once. */
async function startSlowServer(context: TestContext, { begin }: { readonly begin: boolean }): Promise<SlowServer> {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((request, response) => {
    request.resume()
    if (begin) {
      response.writeHead(200, { 'Content-Length': '11' })
      response.write('begun ')
    }
    asked.resolve(response)
  })
  answerParserErrors(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, finish: () => void asked.promise.then((response) => response.end('ended')) }
}

/** Sends a request followed by garbage, then lets the server finish; returns the status lines and the text. */
async function exchange(slow: SlowServer, bytes: string): Promise<string> {
  const socket = connect(slow.port, '127.0.0.1', () => socket.write(bytes))
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const closed = once(socket, 'close')
  slow.finish()
  await closed
  return text.replaceAll(/^(?!HTTP|\r?$|begun|ended|\{).*\r\n/gm, '').replaceAll('\r\n', '\n')
}

const refusal = `HTTP/1.1 400 Bad Request\n\n${JSON.stringify(errorOf(400, 'Bad Request'))}`

for (const [title, begin, answer] of [
  ['begun', true, 'HTTP/1.1 200 OK\n\nbegun ended'],
  ['not begun', false, 'HTTP/1.1 200 OK\n\nended'],
] as const) {
  test(`bytes after a request whose response has ${title} are refused after that response`, async (context) => {
    const slow = await startSlowServer(context, { begin })
    const text = await exchange(slow, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}}\r\n\r\n')
    assert.equal(text, answer + refusal)
  })
}

test('a request whose head is late is answered 408 and logged under its id', async (context) => {
  const logged: string[] = []
  const log = { info: (line: object) => void logged.push(JSON.stringify(line)) } as never
  const server = createServer({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 20 })
  answerParserErrors(server, { log })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost:'))
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'close')
  const { status, headers } = parseAnswer(text)
  const line = { request_id: headers['x-service-request-id'], status: 408, code: 'ERR_HTTP_REQUEST_TIMEOUT' }
  assert.deepEqual([status, logged], [408, [JSON.stringify(line)]])
})

test('an error within a body is the response to its request', async (context) => {
  const { port } = await startSlowServer(context, { begin: false })
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  assert.equal(await exchange({ port, finish: () => {} }, `${head}2\r\n{}\r\nzz\r\n`), refusal)
})

for (const [title, head] of [
  ['two Host headers', 'GET /api/v3/users/x HTTP/1.1\r\nHost: x\r\nhost: y'],
  ['HTTP/2.0 in its request line', 'GET /api/v3/users/x HTTP/2.0\r\nHost: x'],
  ['HTTP/0.9 in its request line', 'GET /api/v3/users/x HTTP/0.9\r\nHost: x'],
  ['HTTP/7.3 in its request line', 'GET /api/v3/users/x HTTP/7.3\r\nHost: x'],
] as const) {
  test(`a request with ${title} is answered 400`, async () => {
    const answer = parseAnswer(await sendBytes(`${head}\r\nConnection: close\r\n\r\n`))
    assert.deepEqual([answer.status, answer.body], [400, errorOf(400, 'Bad Request')])
  })
}
