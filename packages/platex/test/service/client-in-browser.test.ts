/**
 * The client entry point in a real browser: bundled like an application, run in Chromium against a real service.
 *
 * The page has the same origin as the service, which allows no other.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'

import { createApp } from '../../src/api/server.ts'
import { FATAL, HELLO } from '../support/documents.ts'

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function bundleClient(): Promise<{ readonly code: string; readonly imports: readonly string[] }> {
  const input = fileURLToPath(new URL('../../src/api/client.ts', import.meta.url))
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return { code: output[0].code, imports: [...output[0].imports, ...output[0].dynamicImports] }
}

test('the client entry point bundles into one small file without imports', async () => {
  const { code, imports } = await bundleClient()
  assert.deepEqual(imports, [])
  assert.doesNotMatch(code, /\bnode:|\brequire\(/)
  assert.ok(code.length < 32 * 1024, `${code.length} bytes`)
})

const noBrowser = CHROMIUM === undefined && 'Chromium is not installed'

describe('the client entry in Chromium', { skip: noBrowser }, () => {
  const service = createApp({ log: () => {}, apiKey: 'secret' })
  let server: ReturnType<typeof serve>
  let browser: Browser
  let page: Page

  before(async () => {
    const { code } = await bundleClient()
    const site = new Hono()
    site.get('/', (context) => context.html('<!doctype html><title>page</title>'))
    site.get('/client.js', (context) => context.body(code, 200, { 'Content-Type': 'text/javascript' }))
    site.route('/tex', service)
    server = serve({ fetch: site.fetch, port: 0, hostname: '127.0.0.1' })
    if (!server.listening) await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    browser = await chromium.launch({
      ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
      args: CHROMIUM_ARGUMENTS,
    })
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
  })

  after(async () => {
    await browser?.close()
    server?.close()
  })

  /**
   * Runs the body of an async function in the page, with the functions of the entry point and the two documents in
   * scope.
   */
  function inPage(body: string): Promise<unknown> {
    return page.evaluate(`(async () => {
      const { createPlatexClient, createRequestHandler, handleCompileRequest } = await import('/client.js')
      const HELLO = ${JSON.stringify(HELLO)}, FATAL = ${JSON.stringify(FATAL)}
      ${body}
    })()`)
  }

  test('compiles at a service with an absolute or relative URL', async () => {
    const seen = await inPage(`
      const heads = []
      for (const serviceUrl of [location.origin + '/tex', '/tex/']) {
        const { compile, health } = createPlatexClient({ serviceUrl, apiKey: 'secret' })
        const { pdf, errors } = await compile(HELLO, { files: { 'a.txt': new Uint8Array([1]) } })
        heads.push([String.fromCharCode(...pdf.slice(0, 5)), errors, await health()])
      }
      return heads`)
    assert.deepEqual(seen, [
      ['%PDF-', [], true],
      ['%PDF-', [], true],
    ])
  })

  test('returns LaTeX errors as values and throws rejections with codes', async () => {
    const seen = await inPage(`
      const { compile } = createPlatexClient({ serviceUrl: '/tex' })
      const failed = await compile(FATAL, { apiKey: 'secret' })
      const codeOf = (promise) => promise.then(() => null, (error) => error.code)
      return [
        failed.pdf, failed.errors[0].line,
        await codeOf(compile(HELLO)),
        await codeOf(compile(HELLO, { files: { '../x': new Uint8Array() } })),
        await codeOf(createPlatexClient().compile(HELLO)),
      ]`)
    assert.deepEqual(seen, [null, 2, 'UNAUTHORIZED', 'BAD_FILENAME', 'NO_SERVICE'])
  })

  test('rejects with AbortError when its signal aborts', async () => {
    const seen = await inPage(`
      const { compile } = createPlatexClient({ serviceUrl: '/tex', apiKey: 'secret' })
      const abort = new AbortController()
      const compiling = compile(HELLO, { signal: abort.signal })
      abort.abort()
      return compiling.then(() => null, (error) => error.name)`)
    assert.equal(seen, 'AbortError')
  })

  test('answers a Request like an edge function', async () => {
    const seen = await inPage(`
      const options = { serviceUrl: '/tex', apiKey: 'secret' }
      const request = (source) => new Request('/any', { method: 'POST', body: JSON.stringify({ source }) })
      const pdf = await handleCompileRequest(request(HELLO), options)
      const failed = await createRequestHandler(createPlatexClient(options), { responseFormat: 'json' })(request(FATAL))
      return [pdf.status, pdf.headers.get('content-type'), failed.status, (await failed.json()).pdf]`)
    assert.deepEqual(seen, [200, 'application/pdf', 200, null])
  })
})
