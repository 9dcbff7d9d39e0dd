/** Unusual HTTP requests, sent as raw bytes to the real command. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'

import { sendRequest } from '../support/send-request.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'

describe('the host', () => {
  let host: RunningHost
  let token: string
  before(async () => {
    host = await startHost({ env: { TEXPROOF_LOG_FORMAT: 'json' } })
    token = await host.makeToken('alice')
  })
  after(() => host.stop('SIGKILL'))

  /** Sends bytes and returns everything received until the host closes the connection. */
  function sendBytes(bytes: string): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = connect(host.port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('error', () => {}) // A reset ends the exchange like a close.
    socket.once('close', () => resolve(text))
    return promise
  }

  /** The status lines of a large and a small request while others are unfinished, and of the large one after these have ended. */
  async function answersBeside(
    unfinished: { readonly count: number; readonly bytes: string },
    { large, small }: { readonly large: string; readonly small: string },
  ): Promise<readonly (readonly string[])[]> {
    const sockets = Array.from({ length: unfinished.count }, () => connect(host.port, '127.0.0.1'))
    for (const socket of sockets) socket.write(unfinished.bytes)
    await setTimeout(500)
    const answers = await Promise.all([sendBytes(large), sendBytes(small)])
    for (const socket of sockets) socket.destroy()
    await setTimeout(500)
    return [...answers, await sendBytes(large)].map((text) => statusLines(text))
  }

  /** Sends everything, with pauses, before it reads anything. */
  async function sendInParts(parts: readonly Buffer[], pauseMs: number): Promise<string> {
    const socket = connect(host.port, '127.0.0.1')
    const closed = once(socket, 'close')
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.pause()
    for (const [index, part] of parts.entries()) {
      if (index > 0) await setTimeout(pauseMs)
      await new Promise<void>((resolve, reject) => {
        socket.write(part, (error) => (error ? reject(error) : resolve()))
      })
    }
    socket.resume()
    await closed
    return text
  }

  const statusLines = (text: string): readonly string[] => text.match(/HTTP\/1\.1 \d{3}/g) ?? []
  const authorization = (): string => `Authorization: token ${token}\r\n`

  it('answers a request whose length counts characters before it rejects the rest', async () => {
    const body = JSON.stringify({ name: 'tides', description: 'é' })
    const head = `POST /api/v3/user/repos HTTP/1.1\r\nHost: localhost\r\n${authorization()}Content-Length: ${Buffer.byteLength(body)}`
    const text = await sendBytes(`${head}\r\n\r\n${body}}\r\n\r\n`)
    assert.deepEqual(statusLines(text), ['HTTP/1.1 201', 'HTTP/1.1 400'])
  })

  for (const [title, bytes, status] of [
    ['a broken request line', 'GET\r\n\r\n', 400],
    ['too large a header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ] as const) {
    it(`logs ${title} under the request id of its answer`, async () => {
      const text = await sendBytes(bytes)
      const requestId = /X-Service-Request-Id: (\S+)/.exec(text)?.[1] ?? ''
      const line = JSON.parse(await host.said(new RegExp(`^.*${requestId}.*$`, 'm'))) as { status: number }
      assert.deepEqual([statusLines(text), line.status], [[`HTTP/1.1 ${status}`], status])
    })
  }

  for (const target of ['/', '/alice/tides/info/refs?service=git-upload-pack', '/health', '/api/v3/users/alice']) {
    it(`answers ${target} with two Host headers or an unknown version with 400`, async () => {
      const answers = await Promise.all([
        sendBytes(`GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`),
        sendBytes(`GET ${target} HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n`),
      ])
      assert.deepEqual(answers.flatMap(statusLines), ['HTTP/1.1 400', 'HTTP/1.1 400'])
    })
  }

  it('answers pages and /health for HTTP/1.0 without a Host, and with an empty one', async () => {
    const answers = await Promise.all(
      ['/', '/robots.txt', '/health', '/ready', '/api/v3/users/alice'].flatMap((target) => [
        sendBytes(`GET ${target} HTTP/1.0\r\n\r\n`),
        sendBytes(`GET ${target} HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`),
      ]),
    )
    assert.deepEqual(answers.flatMap(statusLines), Array(10).fill('HTTP/1.1 200'))
  })

  for (const value of ['a b', 'a/b', '[::1', '[:::]', 'alice@a', 'a:99999', 'a:', 'caf\u00e9', '%61']) {
    it(`answers the Host "${value}" with 400 and a message, and logs it`, async () => {
      for (const target of ['/', '/health', '/api/v3/users/alice']) {
        const text = await sendBytes(`GET ${target} HTTP/1.1\r\nHost: ${value}\r\nConnection: close\r\n\r\n`)
        const requestId = /X-Service-Request-Id: (\S+)/.exec(text)?.[1] ?? '-'
        const line = JSON.parse(await host.said(new RegExp(`^.*${requestId}.*$`, 'm'))) as { status: number }
        const { message } = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as { message: string }
        assert.deepEqual(
          [target, statusLines(text), message, line.status],
          [target, ['HTTP/1.1 400'], 'Bad Request', 400],
        )
      }
    })
  }

  it('answers every other form of Host', async () => {
    const values = [
      'A.example',
      'a_b',
      '127.0.0.1',
      '127.0.0.1:80',
      '[::1]',
      '[::1]:3000',
      'a~b',
      'xn--caf-dma.example:443',
    ]
    const answers = await Promise.all(
      values.map((value) => sendBytes(`GET /health HTTP/1.1\r\nHost: ${value}\r\nConnection: close\r\n\r\n`)),
    )
    assert.deepEqual(
      answers.flatMap(statusLines),
      values.map(() => 'HTTP/1.1 200'),
    )
  })

  it('answers a path with a backslash with the page for an unknown address', async () => {
    const text = await sendBytes('GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    assert.deepEqual([statusLines(text), text.includes('</html>')], [['HTTP/1.1 404'], true])
  })

  it('answers OPTIONS * like an unknown path', async () => {
    const text = await sendBytes('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    assert.deepEqual([statusLines(text), text.includes('"Not Found"')], [['HTTP/1.1 404'], true])
  })

  it('answers unknown paths with 404 for every method', async () => {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']
    const targets = ['/no/such/page/here', '/api', '/api/', '/api/v4/user', '/alice/tides.git/info/lfs/objects/batch']
    const asked = targets.flatMap((target) => methods.map((method) => ({ target, method })))
    const answers = await Promise.all(asked.map((request) => sendRequest(host.url, request)))
    assert.deepEqual(
      asked.filter((_, index) => answers[index]?.status !== 404),
      [],
    )
  })

  it('answers unknown paths below /api and of Git LFS as JSON', async () => {
    const api = await sendRequest(host.url, { target: '/api/v4/user', method: 'POST' })
    const lfs = await sendRequest(host.url, { target: '/alice/tides.git/info/lfs/objects/batch', method: 'POST' })
    assert.deepEqual(
      [api.headers['content-type'], api.body, lfs.headers['content-type'], Object.keys(lfs.body as object)],
      [
        'application/json; charset=utf-8',
        { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
        'application/vnd.git-lfs+json',
        ['message', 'request_id'],
      ],
    )
  })

  it('answers the absolute form of a target like its origin form', async () => {
    const asked = [
      { target: '/api/v3/user' },
      { target: '/alice/none.git/info/refs?service=git-upload-pack' },
      { target: '/alice/none.git/info/lfs/locks' },
      { target: '/health' },
      { target: '/compile', method: 'POST', body: '{' },
      { target: '/compile', method: 'POST', body: '{', headers: { 'x-forwarded-for': '192.0.2.7' } },
      { target: '/nobody/nothing' },
      { target: '/?page=2' },
    ]
    const answer = async (prefix: string): Promise<readonly unknown[]> => {
      const answers = await Promise.all(
        asked.map((request) => sendRequest(host.url, { ...request, target: prefix + request.target })),
      )
      return answers.map(({ status, headers }) => [status, headers['content-type']])
    }
    const [origin, absolute] = await Promise.all([answer(''), answer(`http://127.0.0.1:${host.port}`)])
    assert.deepEqual(absolute, origin)
  })

  it('answers the absolute form without a path like the root', async () => {
    const answer = await sendRequest(host.url, { target: `http://127.0.0.1:${host.port}` })
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/html; charset=UTF-8'])
  })

  it('sends 100 Continue only when the body will be read', async () => {
    const head = (path: string, headers: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
    const push = `Authorization: Basic ${btoa(`x:${token}`)}\r\nContent-Type: application/x-git-receive-pack-request\r\n`
    const answers = await Promise.all([
      sendBytes(head('/api/v3/user/repos', '', 10)),
      sendBytes(head('/api/v3/user/repos', authorization(), 2_000_000)),
      sendBytes(head('/compile', '', 2_000_000_000)),
      sendBytes(head('/alice/tides.git/git-receive-pack', '', 10)),
      sendBytes(head('/alice/tides.git/git-receive-pack', push, 2_000_000_000)),
      sendBytes(head('/login', '', 10)),
    ])
    assert.deepEqual(
      answers.map((text) => statusLines(text)),
      [['HTTP/1.1 401'], ['HTTP/1.1 413'], ['HTTP/1.1 413'], ['HTTP/1.1 401'], ['HTTP/1.1 413'], ['HTTP/1.1 403']],
    )
  })

  for (const [target, headers, status] of [
    ['/api/v3/user/repos', authorization, 413],
    ['/compile', () => 'Content-Encoding: br\r\n', 415],
    ['/compile', () => 'X-Forwarded-For: 192.0.2.7\r\n', 403],
    ['/import', () => '', 403],
    ['/alice/tides.git/git-receive-pack', () => '', 401],
    ['/alice/tides.git/info/lfs/objects/batch', () => '', 404],
  ] as const)
    for (const { title, pauseMs } of [
      { title: 'sends a large body', pauseMs: 0 },
      { title: 'sends a large body with a pause', pauseMs: 2_500 },
    ])
      it(`sends ${status} of ${target} to a client that ${title} before it reads anything`, async () => {
        const half = Buffer.alloc(8 * 1_048_576)
        const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\n${headers()}Connection: close\r\n`
        const first = Buffer.concat([Buffer.from(`${head}Content-Length: ${2 * half.length}\r\n\r\n`), half])
        assert.deepEqual(statusLines(await sendInParts([first, half], pauseMs)), [`HTTP/1.1 ${status}`])
      })

  it('answers a client that sends a large form in chunks before it reads anything', async () => {
    const chunk = Buffer.concat([Buffer.from('800000\r\n'), Buffer.alloc(0x80_00_00), Buffer.from('\r\n')])
    const head =
      `POST /import HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\nOrigin: ${host.url}\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    const text = await sendInParts([Buffer.from(head), chunk, chunk, Buffer.from('0\r\n\r\n')], 800)
    assert.deepEqual(statusLines(text), ['HTTP/1.1 403'])
  })

  it('refuses large forms of a network that is still sending four of the largest, but no small ones', async () => {
    const send = (length: number, body: string): string =>
      `POST /login HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\nOrigin: ${host.url}\r\nConnection: close\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length}\r\n\r\n${body}`
    const answers = await answersBeside(
      { count: 4, bytes: send(2 * 1_048_576, 'a') },
      { large: send(100_000, 'a'.repeat(100_000)), small: send(1, 'a') },
    )
    assert.deepEqual(answers, [['HTTP/1.1 429'], ['HTTP/1.1 403'], ['HTTP/1.1 403']])
  })

  it('refuses large bodies of a caller that is still sending eight of them, but no small ones', async () => {
    const send = (length: number, body: string): string =>
      `POST /api/v3/user/repos HTTP/1.1\r\nHost: localhost\r\n${authorization()}Connection: close\r\n` +
      `Content-Length: ${length}\r\n\r\n${body}`
    const answers = await answersBeside(
      { count: 8, bytes: send(1_048_576, '['.repeat(100_000)) },
      { large: send(100_000, '['.repeat(100_000)), small: send(1, '[') },
    )
    assert.deepEqual(answers, [['HTTP/1.1 503'], ['HTTP/1.1 400'], ['HTTP/1.1 400']])
  })

  it('answers HEAD of the REST API before it has received the announced body', async () => {
    const socket = connect(host.port, '127.0.0.1')
    const head = `HEAD /api/v3/user HTTP/1.1\r\nHost: localhost\r\n${authorization()}Connection: close\r\n`
    socket.write(`${head}Content-Length: 4\r\n\r\n`)
    let text = ''
    for await (const chunk of socket) {
      if (text === '') socket.write('body')
      text += String(chunk)
    }
    assert.deepEqual(statusLines(text), ['HTTP/1.1 404'])
  })

  it('reads an expected body after 100 Continue', async () => {
    const body = JSON.stringify({ name: 'waves' })
    const socket = connect(host.port, '127.0.0.1')
    const head = `POST /api/v3/user/repos HTTP/1.1\r\nHost: localhost\r\n${authorization()}Expect: 100-continue\r\n`
    socket.write(`${head}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
    let text = ''
    for await (const chunk of socket) {
      if (text === '') socket.write(body)
      text += String(chunk)
    }
    assert.deepEqual(statusLines(text), ['HTTP/1.1 100', 'HTTP/1.1 201'])
  })

  it('never redirects to another host', async () => {
    const targets = [
      '/%5cevil.example/x.git',
      '/%2Fevil.example/x.git',
      '/%5C%5Cevil.example/x.git',
      '//evil.example/x.git',
    ]
    const answers = await Promise.all(targets.map((target) => sendRequest(host.url, { target })))
    const hosts = answers.map(({ headers }) => new URL(headers.location ?? '/', host.url).origin)
    assert.deepEqual(
      hosts,
      targets.map(() => host.url),
    )
  })

  it('sends nothing compressed to a client without gzip', async () => {
    const { text } = await sendRequest(host.url, { target: '/' })
    const assets = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
    const headers = { 'accept-encoding': 'gzip;q=0, identity' }
    const answers = await Promise.all(
      ['/', '/docs/compile', ...assets].map((target) => sendRequest(host.url, { target, headers })),
    )
    assert.deepEqual(
      answers.filter((answer) => answer.headers['content-encoding'] !== undefined),
      [],
    )
  })

  it('rejects sign-in at another host name than the configured one, and names that', async () => {
    const answer = await sendRequest(host.url, { target: '/login', headers: { host: 'evil.example' } })
    const local = await sendRequest(host.url, { target: '/login', headers: { host: `localhost:${host.port}` } })
    assert.deepEqual([answer.status, answer.text.includes(host.url), local.status], [403, true, 200])
  })

  it('rejects compiles through a proxy, which everyone could request', async () => {
    const [direct, forwarded] = await Promise.all(
      [{}, { 'x-forwarded-for': '192.0.2.7' }].map((headers) =>
        sendRequest(host.url, { target: '/compile', method: 'POST', headers, body: '{"source":""}' }),
      ),
    )
    const { code } = JSON.parse(forwarded?.text ?? '') as { readonly code: string }
    assert.deepEqual([direct?.status, forwarded?.status, code], [200, 403, 'key_required'])
  })

  it('rejects compiles from pages of other sites', async () => {
    const compile = (headers: Record<string, string>): Promise<number> =>
      sendRequest(host.url, { target: '/compile', method: 'POST', headers, body: '{"source":""}' }).then(
        ({ status }) => status,
      )
    const statuses = await Promise.all([
      compile({ origin: 'https://evil.example', 'content-type': 'text/plain' }),
      compile({ 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }),
      compile({ origin: host.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }),
    ])
    assert.deepEqual(statuses, [403, 403, 403])
  })
})
