import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { article } from '../documents.ts'
import type { HttpCase, HttpTarget } from '../hostile-case.ts'
import { exchangeRaw } from '../exchange-raw.ts'

const GOOD_BODY = JSON.stringify({ source: article('x') })
const MIB = 1024 * 1024
const pack = promisify(gzip)

/** Sends a request and compares the status. The key is sent unless `headers` overrides it. */
async function expectStatus(
  target: HttpTarget,
  statuses: readonly number[],
  request: {
    readonly body?: string | Uint8Array<ArrayBuffer>
    readonly headers?: Record<string, string>
    readonly method?: string
    readonly path?: string
  },
): Promise<readonly string[]> {
  const { body, headers = {}, method = 'POST', path = '/compile' } = request
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  const leaks = /\n\s+at |node:internal|\.ts:\d/.test(text) ? [`a stack trace in ${text.slice(0, 200)}`] : []
  return statuses.includes(response.status)
    ? leaks
    : [`status ${response.status}, not ${statuses.join(' or ')}`, ...leaks]
}

const refusedBodies: readonly (readonly [name: string, body: string])[] = [
  ['empty', ''],
  ['not-json', 'source=x'],
  ['truncated', '{"source": "x'],
  ['null', 'null'],
  ['array', '[]'],
  ['number', '42'],
  ['string', '"source"'],
  ['no-source', '{}'],
  ['source-number', '{"source": 1}'],
  ['source-object', '{"source": {"a": 1}}'],
  ['engine-unknown', '{"source": "x", "engine": "sh"}'],
  ['engine-array', '{"source": "x", "engine": ["pdflatex"]}'],
  ['engine-option', '{"source": "x", "engine": "pdflatex -shell-escape"}'],
  ['passes-many', '{"source": "x", "passes": 1000000}'],
  ['timeout-negative', '{"source": "x", "timeout": -1}'],
  ['timeout-text', '{"source": "x", "timeout": "for ever"}'],
  ['files-array', '{"source": "x", "files": ["a"]}'],
  ['files-number', '{"source": "x", "files": {"a.tex": 1}}'],
  ['files-not-base64', '{"source": "x", "files": {"a.tex": "@@@@"}}'],
  ['deep', `{"source": "x", "files": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['many-keys', `{"source": "x", ${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ['bibliography-unknown', '{"source": "x", "bibliography": "../biber"}'],
]

const keys: readonly (readonly [name: string, authorization: string])[] = [
  ['none', ''],
  ['wrong', 'Bearer wrong'],
  ['basic', 'Basic dXNlcjprZXk='],
  ['bare', 'hostile-suite-key'],
  ['long', `Bearer ${'x'.repeat(8000)}`],
]

/** Attacks of a client on the service below the level of documents. */
export const HTTP_CASES: readonly HttpCase[] = [
  ...refusedBodies.map(([name, body]): HttpCase => {
    return { name: `http-body-${name}`, exchange: (target) => expectStatus(target, [400], { body }), isQuick: true }
  }),
  ...keys.map(([name, authorization]): HttpCase => {
    return {
      name: `http-key-${name}`,
      exchange: (target) => expectStatus(target, [401], { body: GOOD_BODY, headers: { authorization } }),
      isQuick: true,
    }
  }),
  {
    name: 'http-key-in-query',
    exchange: (target) =>
      expectStatus(target, [401], {
        body: GOOD_BODY,
        headers: { authorization: '' },
        path: `/compile?key=${target.apiKey}`,
      }),
  },
  { name: 'http-method', exchange: (target) => expectStatus(target, [405], { method: 'DELETE' }), isQuick: true },
  {
    name: 'http-path-traversal',
    exchange: (target) => expectStatus(target, [404], { method: 'GET', path: '/..%2f..%2fetc/passwd' }),
    isQuick: true,
  },
  {
    name: 'http-body-too-large',
    exchange: (target) => expectStatus(target, [413], { body: new Uint8Array(46 * MIB) }),
  },
  {
    name: 'http-gzip-bomb',
    // Compressed in another thread, because this one also watches /health.
    exchange: async (target) =>
      expectStatus(target, [413], {
        body: new Uint8Array(await pack(Buffer.alloc(200 * MIB, 0x20))),
        headers: { 'content-encoding': 'gzip' },
      }),
  },
  {
    name: 'http-endless-body',
    exchange: async ({ port, apiKey }) => {
      const head = `POST /compile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n`
      const chunk = `100000\r\n${' '.repeat(MIB)}\r\n`
      const answer = await exchangeRaw(port, [head, ...Array.from({ length: 300 }, () => chunk)])
      return answer === '' || answer.startsWith('HTTP/1.1 413') ? [] : [`answered ${answer.slice(0, 80)}`]
    },
  },
  ...[
    ['length-and-chunked', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['two-lengths', 'Content-Length: 4\r\nContent-Length: 8\r\n'],
    ['negative-length', 'Content-Length: -1\r\n'],
    ['folded-header', 'X-Folded: a\r\n b\r\nContent-Length: x\r\n'],
    ['header-flood', `${Array.from({ length: 5000 }, (_, index) => `X-${index}: ${'x'.repeat(50)}`).join('\r\n')}\r\n`],
  ].map(([name, headers]): HttpCase => {
    return {
      name: `http-raw-${name}`,
      exchange: async ({ port }) => {
        const answer = await exchangeRaw(port, [`POST /compile HTTP/1.1\r\nHost: x\r\n${headers}\r\n0\r\n\r\n`])
        return answer === '' || /^HTTP\/1\.1 4\d\d/.test(answer) ? [] : [`answered ${answer.slice(0, 80)}`]
      },
      isQuick: true,
    }
  }),
  {
    name: 'http-client-leaves',
    exchange: async (target) => {
      const controller = new AbortController()
      const leaving = fetch(`${target.url}/compile`, {
        method: 'POST',
        headers: { authorization: `Bearer ${target.apiKey}` },
        body: JSON.stringify({ source: article(String.raw`\def\x{\x}\x`), timeout: 60_000 }),
        signal: controller.signal,
      }).then(
        () => ['an answer came'],
        () => [],
      )
      setTimeout(() => controller.abort(), 700)
      return leaving
    },
    isQuick: true,
  },
  {
    name: 'http-overload',
    exchange: async (target) => {
      const body = JSON.stringify({ source: article(String.raw`\def\x{\x}\x`), timeout: 2000 })
      const answers = await Promise.all(Array.from({ length: 40 }, () => expectStatus(target, [200, 503], { body })))
      return answers.flat()
    },
  },
  {
    name: 'http-half-open',
    exchange: async (target) => {
      const half = 'POST /compile HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{'
      const waiting = Array.from({ length: 200 }, () => exchangeRaw(target.port, [half], { timeoutMs: 2000 }))
      const good = await expectStatus(target, [200], { body: GOOD_BODY })
      await Promise.all(waiting)
      return good
    },
  },
]
