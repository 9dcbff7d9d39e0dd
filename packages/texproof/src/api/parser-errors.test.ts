import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../test/support/api-host.ts'
import type { ApiHost } from '../../test/support/api-host.ts'
import { errorOf } from '../../test/support/expected.ts'
import { answerParserErrors } from './parser-errors.ts'

let host: ApiHost
before(async () => (host = await openApiHost()))
after(() => host.close())

/** Sends bytes as they are and reads until the server closes or falls silent with a whole answer. */
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
  ['a method nobody knows', 'FROB /api/v3/user HTTP/1.1\r\nHost: x\r\n\r\n', 404, 'Not Found'],
  [
    'an upgrade',
    `GET /api/v3/x HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n`,
    404,
    'Not Found',
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

test('a broken request behind one that is being answered does not write into that answer', async (context) => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Length': '1000' })
    response.write('begun')
  })
  answerParserErrors(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'))
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    if (text.endsWith('begun')) socket.write('broken\r\n\r\n')
  })
  socket.once('close', () => resolve(text))
  socket.once('error', reject)
  assert.match(await promise, /\r\n\r\nbegun$/)
})
