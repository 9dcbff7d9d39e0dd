import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, request as forward, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, afterEach, before, test, type TestContext } from 'node:test'

import { openParsers } from '../../src/base/open-parsers.ts'
import { hashToken, makeWorkerKey } from '../../src/domain/token.ts'
import { workerIdHeader, type WorkerReport } from '../../src/domain/build/worker-protocol.ts'
import type { Build } from '../../src/domain/build.ts'
import type { Repository } from '../../src/domain/types.ts'
import type { SeenWorker } from '../../src/store/builds/worker-keys.ts'
import { createWorkerListener } from '../../src/worker-api/listener.ts'
import { packBundle } from '../../src/worker/bundle.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { startWorker, type RunningWorker } from '../support/hosts/start-worker.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import type { ProgramOutcome } from '../support/programs/run-program.ts'
import { testConfig } from '../support/hosts/test-config.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const LEASE_MS = 5_000
const HELLO = '\\documentclass{article}\\begin{document}\\tableofcontents\\section{One}\\input{intro}\\end{document}\n'
/** Takes a moment, in which a test acts. */
const SLOW =
  '\\documentclass{article}\\newcount\\n\\begin{document}\\loop\\advance\\n by 1 \\ifnum\\n<3000000 \\repeat Slow\\end{document}\n'
const REPORT: WorkerReport = {
  id: 'test-worker-1',
  name: 'test',
  slots: 1,
  running: 0,
  texRelease: null,
  packageCount: 0,
  version: '1',
}

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let key: string
const workers: RunningWorker[] = []
const pushes: Promise<ProgramOutcome>[] = []

before(async () => {
  host = await openPaperHost({ build: { ...testConfig.build, isLocal: false, leaseMs: LEASE_MS } })
  alice = await host.addUser('alice')
  key = makeWorkerKey(randomInt)
  await host.deps.store.workerKeys.add({ name: 'rack', hash: hashToken(key) })
})
afterEach(async () => {
  const outcomes = await Promise.all(pushes.splice(0))
  assert.deepEqual(
    outcomes.filter(({ exitCode }) => exitCode !== 0),
    [],
  )
  for (const worker of workers.splice(0)) await worker.stop('SIGKILL')
})
after(() => host.close())

function start(...args: readonly string[]): RunningWorker {
  const worker = startWorker({ server: host.origin, key, args })
  workers.push(worker)
  return worker
}

async function addPaper(name: string, files: Readonly<Record<string, string>>) {
  const repository = await host.addRepository(alice.user, name)
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, alice.token), files)
  return { repository, checkout }
}

async function push(repository: Repository, checkout: Checkout): Promise<Build> {
  const head = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  // It waits for the build, so the test goes on meanwhile.
  pushes.push(checkout.git('push', '--quiet', 'origin', 'main'))
  const ofBranch = { ref: 'refs/heads/main', document: null }
  const newest = (): Promise<Build | null> => host.deps.store.builds.findNewest(repository.id, ofBranch)
  const build = await eventually(newest, { until: (found) => found?.commitId === head })
  assert.ok(build)
  return build
}

const find = async (build: Build): Promise<Build> => (await host.deps.store.builds.find(build.id)) ?? build

function whenOver(build: Build): Promise<Build> {
  return eventually(() => find(build), { until: ({ state }) => state !== 'queued' && state !== 'running' })
}

async function countCached({ cacheDir }: RunningWorker): Promise<number> {
  const entries = await readdir(join(cacheDir, 'sources'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

function ask(path: string, init: RequestInit & { readonly key?: string } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${init.key ?? key}`, [workerIdHeader]: REPORT.id }
  return fetch(`${host.origin}/api/workers/${path}`, { method: 'POST', ...init, headers })
}

test('a worker refuses an address of the server that is not an HTTP URL', async () => {
  const args = ['worker', '--server', 'localhost:3000', '--key-file', 'missing.key']
  assert.deepEqual(await runTexproof(args), {
    exitCode: 2,
    stdout: '',
    stderr:
      'texproof: invalid value "localhost:3000" for --server\n' +
      '          Expected: the base URL of the server, e.g. https://papers.example.org.\n',
  })
})

test('a worker refuses a directory for its cache that cannot be created', async (t) => {
  const keyFile = join(makeFolder(t), 'worker.key')
  await writeFile(keyFile, key)
  const args = ['worker', '--server', host.origin, '--key-file', keyFile, '--cache', '/dev/full/cache']
  const { exitCode, stderr } = await runTexproof(args)
  assert.deepEqual(
    [exitCode, stderr],
    [
      2,
      "texproof: cannot write to the cache: EEXIST: file already exists, mkdir '/dev/full'\n          Choose another directory with --cache DIR.\n",
    ],
  )
})

test('a push does not wait for its build while no worker is connected', async () => {
  const { repository, checkout } = await addPaper('waiting', { 'main.tex': HELLO, 'intro.tex': 'Hello' })
  const { stderr } = await checkout.git('push', 'origin', 'main')
  const [build] = await host.deps.store.builds.list(repository.id, { limit: 1, offset: 0 })
  assert.match(stderr, /No worker is connected\. The build will start when a worker connects\./)
  assert.equal(build?.state, 'queued')
  // The next test has a worker.
  await host.deps.store.builds.cancel([build.id])
})

test('a worker builds a push, and fetches only the files that the next one changes', async () => {
  const worker = start()
  const { repository, checkout } = await addPaper('tides', { 'main.tex': HELLO, 'intro.tex': 'High.\n' })
  const first = await whenOver(await push(repository, checkout))
  const cachedFirst = await countCached(worker)
  await checkout.commit({ 'intro.tex': 'Low.\n' })
  const second = await whenOver(await push(repository, checkout))
  const options = { ownerId: alice.user.id, length: 100_000 }
  const tails = await host.deps.papers.findPassTails(second.id, options)
  const synctex = await host.deps.papers.findSynctex(second, options)
  assert.deepEqual(
    {
      states: [first.state, second.state],
      cached: [cachedFirst, await countCached(worker)],
      passes: [first.passes.length > second.passes.length, tails?.length === second.passes.length],
      hasSynctex: synctex !== null,
      isPdfStored: second.pdfId !== null && (await host.deps.papers.findPdfFile(second.pdfId)) !== null,
    },
    {
      states: ['succeeded', 'succeeded'],
      cached: [2, 3],
      // The auxiliary files of the first build save a pass.
      passes: [true, true],
      hasSynctex: true,
      isPdfStored: true,
    },
  )
})

test('a worker whose cache cannot be written builds without it', async () => {
  const worker = start()
  await worker.said(/worker started/)
  const place = join(worker.cacheDir, 'sources')
  await rm(place, { recursive: true })
  await writeFile(place, 'No folder.')
  const { repository, checkout } = await addPaper('uncached', { 'main.tex': HELLO, 'intro.tex': 'High.\n' })
  const { state } = await whenOver(await push(repository, checkout))
  const warnings = worker.output().match(/sources cannot be cached/g)?.length
  assert.deepEqual([state, warnings], ['succeeded', 1])
})

test('the host knows its workers with their load and TeX release', async () => {
  start('--name', 'rack7', '--slots', '2')
  const list = () => host.deps.store.workerKeys.listWorkers({ since: Date.now() - 60_000 })
  const isKnown = ({ name, texRelease }: SeenWorker): boolean => name === 'rack7' && texRelease !== null
  const worker = (await eventually(list, { until: (all) => all.some(isKnown) })).find(isKnown)
  assert.deepEqual(
    [worker?.slots, worker?.running, worker?.keyName, worker?.texRelease?.startsWith('TeX Live')],
    [2, 0, 'rack', true],
  )
})

test('a build whose worker is killed finishes on another', async () => {
  const first = start()
  const { repository, checkout } = await addPaper('killed', { 'main.tex': SLOW })
  const build = await push(repository, checkout)
  await first.said(/build started/)
  first.send('SIGSTOP')
  await first.stop('SIGKILL')
  const second = start()
  const over = await whenOver(build)
  assert.deepEqual(
    [over.state, await host.deps.store.buildLeases.countLost(build.id), /"attempt":2/.test(second.output())],
    ['succeeded', 1, true],
  )
})

test('a worker that is stopped gives its build back at once', async () => {
  const first = start()
  const { repository, checkout } = await addPaper('stopped', { 'main.tex': SLOW })
  const build = await push(repository, checkout)
  await first.said(/build started/)
  const exitCode = await first.stop('SIGTERM')
  const state = (await find(build)).state
  start()
  const over = await whenOver(build)
  assert.deepEqual(
    [exitCode, state, over.state, await host.deps.store.buildLeases.countLost(build.id)],
    [0, 'queued', 'succeeded', 0],
  )
})

test('a newer push cancels the build on its worker', async () => {
  const worker = start()
  const { repository, checkout } = await addPaper('newer', { 'main.tex': SLOW })
  const build = await push(repository, checkout)
  await worker.said(/build started/)
  // It compiles no further, and does not learn of the newer push until it continues.
  worker.send('SIGSTOP')
  await checkout.commit({ 'main.tex': HELLO, 'intro.tex': 'New.\n' })
  const newer = await push(repository, checkout)
  await eventually(() => find(build), { until: ({ state }) => state === 'cancelled' })
  worker.send('SIGCONT')
  await worker.said(/build was cancelled or taken over/)
  assert.deepEqual([(await find(build)).state, (await whenOver(newer)).state], ['cancelled', 'succeeded'])
})

test('a build on a worker survives a restart of the server', async () => {
  const worker = start()
  const { repository, checkout } = await addPaper('restart', { 'main.tex': SLOW })
  const build = await push(repository, checkout)
  await worker.said(/build started/)
  await host.restart()
  const over = await whenOver(build)
  assert.deepEqual([over.state, await host.deps.store.buildLeases.countLost(build.id)], ['succeeded', 0])
})

test('requests without a valid key or lease are refused', async () => {
  const { repository, checkout } = await addPaper('refused', { 'main.tex': HELLO, 'intro.tex': '.\n' })
  const build = await push(repository, checkout)
  const taken = await ask('jobs', { body: JSON.stringify(REPORT) })
  const job: unknown = await taken.json()
  const at = (attempt: number): string => `builds/${build.id}/${attempt}`
  const answers = [
    await ask('jobs', { key: makeWorkerKey(randomInt), body: JSON.stringify(REPORT) }),
    await ask('jobs', { body: '{}' }),
    await ask(`${at(2)}/lease`, { body: JSON.stringify({ progress: null, report: REPORT }) }),
    await ask(`${at(2)}/files`, { body: '[]' }),
    await ask(`${at(1)}/result`, { method: 'PUT', body: 'no bundle' }),
    await ask('nothing'),
    await ask(`${at(1)}/return`, { body: JSON.stringify({ fault: null }) }),
    await ask(`${at(1)}/return`, { body: JSON.stringify({ fault: null }) }),
  ]
  await host.deps.papers.stopBuild(build.id)
  assert.deepEqual(
    [
      taken.status,
      typeof job === 'object' && job !== null && 'buildId' in job && job.buildId,
      answers.map(({ status }) => status),
    ],
    [200, build.id, [401, 400, 409, 409, 400, 404, 204, 409]],
  )
})

/** Returns the origin. */
async function listen(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a build whose result is refused fails with a message, and its worker continues', async (context) => {
  let refusals = 3
  const proxy = await listen(context, (request, response) => {
    if (request.method === 'PUT' && refusals > 0) {
      refusals -= 1
      request.resume().on('end', () => response.writeHead(413).end('the body is too large'))
      return
    }
    const { method, headers } = request
    const onward = forward(host.origin + request.url, { method, headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    request.pipe(onward.on('error', () => response.destroy()))
    response.on('close', () => onward.destroy())
  })
  const worker = startWorker({ server: proxy, key })
  workers.push(worker)
  const { repository, checkout } = await addPaper('large', { 'main.tex': HELLO, 'intro.tex': 'Large.\n' })
  const first = await whenOver(await push(repository, checkout))
  await checkout.commit({ 'intro.tex': 'Small.\n' })
  const second = await whenOver(await push(repository, checkout))
  assert.deepEqual(
    [first.state, first.errors.map(({ message }) => message), second.state],
    [
      'failed',
      [
        'The build was started 3 times without a result. ' +
          'The last worker reported: the server answered 413: the body is too large',
      ],
      'succeeded',
    ],
  )
})

test('a worker keeps a result that the server is too busy to read', async (context) => {
  const parsers = openParsers({ maxQueued: 0 })
  context.after(() => parsers.close())
  const origin = await listen(context, createWorkerListener({ ...host.deps, parsers }))
  const response = await fetch(`${origin}/api/workers/builds/1/1/result`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, [workerIdHeader]: REPORT.id },
    body: packBundle(new Map([['result.json', new Uint8Array(Buffer.from('{}'))]])),
  })
  assert.deepEqual([response.status, await response.json()], [503, { message: 'The server is busy.' }])
})

test('a worker whose key was revoked ends with a message', async () => {
  const revoked = makeWorkerKey(randomInt)
  const worker = startWorker({ server: host.origin, key: revoked })
  workers.push(worker)
  await worker.said(/the server answered 401/)
  assert.equal(await worker.stop(), 1)
})
