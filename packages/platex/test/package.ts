/**
 * The package as strangers get it: packed, installed into an empty folder, type-checked by a consumer and run on every
 * Node line it promises. Slow and in need of a registry, so not part of the everyday tests: `npm run test:package`.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { eventually } from './support/eventually.ts'

const run = promisify(execFile)

const PACKAGE_DIR = fileURLToPath(new URL('..', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const NODE_VERSIONS = ['22.23.3', '24.21.0', '26.10.0']

/** Imports every entry, and compiles in each of the ways. Prints what it saw as JSON. */
const CONSUMER_SCRIPT = String.raw`
import * as main from '@texproof/platex'
import * as client from '@texproof/platex/client'
import * as server from '@texproof/platex/server'
import { PlatexError } from '@texproof/platex/errors'
import { tex } from '@texproof/platex/escape'

const source = tex${'`'}\documentclass{article}\begin{document}${'${'}'50%'}\end{document}${'`'}
const local = await main.compile(source, { serviceUrl: '' })
const app = server.createApp({ log: () => {} })
const served = await app.request('/compile', { method: 'POST', body: JSON.stringify({ source }) })
const handled = await main.handleCompileRequest(
  new Request('http://host/', { method: 'POST', body: JSON.stringify({ source }) }),
  { serviceUrl: '' },
)
const remote = client.createPlatexClient({ serviceUrl: 'http://host', fetch: (url, init) => app.request(url, init) })
const refused = await client.createPlatexClient().compile(source).catch((error) => error)
console.log(JSON.stringify({
  exports: [main, client, server].map((entry) => Object.keys(entry).sort()),
  pdfs: [local.pdf?.length > 500, (await served.json()).pdf?.length > 500, handled.headers.get('content-type'),
    (await remote.compile(source)).pdf?.length > 500],
  refused: [refused instanceof PlatexError, refused.code],
}))
`

const CONSUMER_TYPES = `
import { compile, createPlatexClient, type CompileOptions, type CompileResult, type WarningCode } from '@texproof/platex'
import { createRequestHandler } from '@texproof/platex/client'
import { createApp } from '@texproof/platex/server'
import { PlatexError } from '@texproof/platex/errors'

const options: CompileOptions = { engine: 'xelatex', passes: 2, files: { 'a.bib': new Uint8Array() } }
const result: CompileResult = await compile('x', options)
if (result.pdf) {
  const bytes: Uint8Array = result.pdf
  void bytes
} else {
  const nothing: null = result.pdf
  void nothing
}
const code: WarningCode | undefined = result.warnings[0]?.code
export const POST: (request: Request) => Promise<Response> = createRequestHandler(createPlatexClient({ retry: 1 }))
export const { fetch } = createApp({ apiKey: 'k', maxConcurrentCompiles: 1 })
try {
  await compile('x')
} catch (error) {
  if (error instanceof PlatexError && error.code === 'NO_ENGINE') void code
}
// @ts-expect-error there is no such engine
await compile('x', { engine: 'latex' })
`

const CONSUMER_TSCONFIG = {
  compilerOptions: { module: 'nodenext', target: 'es2024', strict: true, noEmit: true, types: ['node'] },
  files: ['consumer.ts'],
}

describe('the packed package', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platex-package-'))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE_DIR })
    const [packed]: { filename: string }[] = JSON.parse(stdout)
    assert.ok(packed)
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
    await writeFile(join(folder, 'consumer.mjs'), CONSUMER_SCRIPT)
    await writeFile(join(folder, 'consumer.ts'), CONSUMER_TYPES)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONSUMER_TSCONFIG))
    await install(join(folder, packed.filename), '@types/node@24.19.2', '@hono/node-server@2.1.8')
  })

  after(() => rm(folder, { recursive: true, force: true }))

  function install(...packages: readonly string[]) {
    return run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--force', ...packages], { cwd: folder })
  }

  test('type-checks in a consumer’s project, declarations of the package included', async () => {
    await run(process.execPath, [TSC, '-p', folder])
  })

  test('runs every TypeScript block of its README, word for word, with the service that one of them starts', async () => {
    const readme = await readFile(join(folder, 'node_modules/@texproof/platex/README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code = '']) => code)
    const env = { ...process.env, COMPILE_SERVICE_URL: '', COMPILE_API_KEY: '' }
    const files = blocks.map((_, index) => join(folder, `readme-${index + 1}.ts`))
    for (const [index, code] of blocks.entries()) await writeFile(files[index] ?? '', code)
    const service = files[blocks.findIndex((code) => code.includes('serve({'))] ?? ''
    const server = spawn(process.execPath, [service], { cwd: folder, env, stdio: 'inherit' })
    try {
      await whenHealthy('http://localhost:3000/health')
      const outputs: string[] = []
      for (const file of files.filter((path) => path !== service)) {
        outputs.push((await run(process.execPath, [file], { cwd: folder, env })).stdout)
      }
      assert.equal((await readFile(join(folder, 'invoice.pdf'), 'latin1')).slice(0, 5), '%PDF-')
      assert.match(outputs.join(''), /^true\n\d+ \[\]\n$/)
    } finally {
      server.kill()
      await once(server, 'exit')
    }
  })

  async function whenHealthy(url: string): Promise<void> {
    await eventually(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }

  for (const version of NODE_VERSIONS) {
    test(`compiles on Node ${version}`, async () => {
      const nodePackage = `node-linux-${process.arch}`
      await mkNode(nodePackage, version)
      const { stdout } = await run(
        join(folder, `node-${version}`, 'node_modules', nodePackage, 'bin/node'),
        ['consumer.mjs'],
        {
          cwd: folder,
        },
      )
      assert.deepEqual(JSON.parse(stdout), {
        exports: [
          ['compile', 'createPlatexClient', 'createRequestHandler', 'handleCompileRequest'],
          ['createPlatexClient', 'createRequestHandler', 'handleCompileRequest'],
          ['createApp', 'createCompileRoute'],
        ],
        pdfs: [true, true, 'application/pdf', true],
        refused: [true, 'NO_SERVICE'],
      })
    })
  }

  async function mkNode(nodePackage: string, version: string): Promise<void> {
    const prefix = join(folder, `node-${version}`)
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', prefix, `${nodePackage}@${version}`])
  }
})
