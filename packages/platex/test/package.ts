/**
 * Tests the package as users get it: packed, installed into an empty folder, type-checked, run on every supported
 * Node.js release line, and with every command of its README. Slow, and requires a registry, curl and jq, so it is not
 * part of `npm test`: `npm run test:package`.
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { solidPng } from './hostile/solid-png.ts'
import { eventually } from './support/eventually.ts'

const run = promisify(execFile)

const PACKAGE_DIR = fileURLToPath(new URL('..', import.meta.url))
const TSC = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))
const NODE_VERSIONS = ['22.23.3', '24.21.0', '26.10.0']

/** Imports every entry point and compiles with each. Prints the results as JSON. */
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
import { compile, createPlatexClient, type CompileOptions, type CompileResult, type LatexError, type WarningCode } from '@texproof/platex'
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
const errors: LatexError[] = result.errors
errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
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
  let packedFile: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platex-package-'))
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: PACKAGE_DIR })
    const [packed]: { filename: string }[] = JSON.parse(stdout)
    assert.ok(packed)
    packedFile = join(folder, packed.filename)
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
    await writeFile(join(folder, 'consumer.mjs'), CONSUMER_SCRIPT)
    await writeFile(join(folder, 'consumer.ts'), CONSUMER_TYPES)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONSUMER_TSCONFIG))
    await install(packedFile, '@types/node@24.19.2', '@hono/node-server@2.1.8')
  })

  after(() => rm(folder, { recursive: true, force: true }))

  function install(...packages: readonly string[]) {
    return run('npm', ['install', '--no-audit', '--no-fund', '--force', ...packages], { cwd: folder })
  }

  test('type-checks in a project that uses it, including its declarations', async () => {
    await run(process.execPath, [TSC, '-p', folder])
  })

  test('has a README whose code blocks work as they are, with the service that one of them starts', async () => {
    const blocks = await readBlocks()
    const env = await runShellBlocks(blocks.get('sh') ?? [])
    const scripts = blocks.get('ts') ?? []
    const files = scripts.map((_, index) => join(folder, `readme-${index + 1}.ts`))
    for (const [index, code] of scripts.entries()) await writeFile(files[index] ?? '', code)
    await writeProjects()
    const service = files[scripts.findIndex((code) => code.includes('serve({'))] ?? ''
    const server = spawn(process.execPath, [service], { cwd: folder, env, stdio: 'inherit' })
    const exited = once(server, 'exit')
    try {
      await whenHealthy('http://localhost:3000/health')
      const outputs: string[] = []
      for (const file of files.filter((path) => path !== service)) {
        outputs.push((await run(process.execPath, [file], { cwd: folder, env })).stdout)
      }
      assert.match(outputs.join(''), /^true\n\d+ \[\]\n$/)
      const commands = (blocks.get('console') ?? []).join('').replace(/^\$ /gm, '')
      await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env })
      const made = ['invoice.pdf', 'hi.pdf', 'thesis.pdf', 'book.pdf']
      const starts = await Promise.all(
        made.map(async (name) => (await readFile(join(folder, name), 'latin1')).slice(0, 5)),
      )
      assert.deepEqual(starts, ['%PDF-', '%PDF-', '%PDF-', '%PDF-'])
    } finally {
      server.kill()
      await exited
    }
  })

  test('has a README with a valid diagnostic and all error codes', async () => {
    const [example = ''] = (await readBlocks()).get('json') ?? []
    const table = /^## Exceptions\n([^]*?)^## /m.exec(await readReadme())?.[1] ?? ''
    const codes = [...table.matchAll(/^\| `([A-Z_]+)` /gm)].map(([, code = '']) => code)
    const lines = [
      `import type { LatexError } from '@texproof/platex'`,
      `import type { PlatexErrorCode } from '@texproof/platex/errors'`,
      `export const example: LatexError = ${example}`,
      `export const codes: Record<PlatexErrorCode, true> = { ${codes.map((code) => `${code}: true`).join(', ')} }`,
    ]
    await writeFile(join(folder, 'readme.ts'), lines.join('\n'))
    await writeFile(
      join(folder, 'tsconfig.readme.json'),
      JSON.stringify({ extends: './tsconfig.json', files: ['readme.ts'] }),
    )
    await run(process.execPath, [TSC, '-p', join(folder, 'tsconfig.readme.json')])
  })

  function readReadme(): Promise<string> {
    return readFile(join(folder, 'node_modules/@texproof/platex/README.md'), 'utf8')
  }

  /** The code blocks of the README by language. */
  async function readBlocks(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = [...(await readReadme()).matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    const languages = Map.groupBy(found, ([, language = '']) => language)
    return new Map([...languages].map(([language, blocks]) => [language, blocks.map(([, , code = '']) => code)]))
  }

  /** Runs the blocks in order and returns the resulting environment. The packed file replaces the registry. */
  async function runShellBlocks(blocks: readonly string[]): Promise<NodeJS.ProcessEnv> {
    const script = blocks.join('').replace('install @texproof/platex\n', `install ${packedFile}\n`)
    const env = { ...process.env, COMPILE_SERVICE_URL: '', COMPILE_API_KEY: '' }
    const { stdout } = await run('sh', ['-euc', `{ ${script} } >&2\nenv -0`], { cwd: folder, env })
    const lines = stdout.split('\0').filter((line) => line !== '')
    return Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
  }

  /** The projects that the commands of the README send. */
  async function writeProjects(): Promise<void> {
    const document = (body: string) =>
      `\\documentclass{article}\\usepackage{graphicx}\\begin{document}${body}\\end{document}\n`
    await mkdir(join(folder, 'thesis'))
    await writeFile(join(folder, 'thesis/book.tex'), document('Thesis'))
    await writeFile(join(folder, 'book.tex'), document('\\includegraphics{figures/a.png}'))
    await mkdir(join(folder, 'figures'))
    await writeFile(join(folder, 'figures/a.png'), solidPng(8, 8))
  }

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
