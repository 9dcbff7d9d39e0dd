/**
 * Throughput of builds with 1 to 16 workers, where each compile takes a fixed time: shows what the queue, the transfer of files
 * and the recording of results cost. Host, database, git, HTTP and the loop of the workers are real; only TeX is replaced by a
 * pause, because the machine does not have the cores for sixteen.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { ProjectCompiler } from '@texproof/platex/project'
import { pino } from 'pino'

import { hashToken, makeWorkerKey } from '../packages/texproof/src/domain/token.ts'
import { openBlobCache } from '../packages/texproof/src/worker/blob-cache.ts'
import { runWorker } from '../packages/texproof/src/worker/run-worker.ts'
import { connectServer } from '../packages/texproof/src/worker/server-connection.ts'
import { openPaperHost, type PaperHost } from '../packages/texproof/test/support/hosts/paper-host.ts'
import { testConfig } from '../packages/texproof/test/support/hosts/test-config.ts'

const COMPILE_MS = 2_000
const ROUNDS = 4
const COUNTS = [1, 2, 4, 8, 16]
const GOAL = 0.9

/** Part of the linear throughput. */
interface Point {
  readonly workers: number
  readonly builds: number
  readonly elapsedMs: number
  readonly buildsPerSecond: number
  readonly ofLinear: number
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-bench-workers-'))
  const host = await openPaperHost({ build: { ...testConfig.build, isLocal: false } })
  const points: Point[] = []
  try {
    const key = makeWorkerKey(randomInt)
    await host.deps.store.workerKeys.add({ name: 'bench', hash: hashToken(key) })
    const alice = await host.addUser('alice')
    for (const workers of COUNTS) {
      const repository = await host.addRepository(alice.user, `papers-${workers}`)
      const remote = host.gitUrl(`alice/papers-${workers}.git`, alice.token)
      const builds = ROUNDS * workers
      await pushBranches(host, remote, builds)
      points.push(await measure(host, { key, workDir, workers, builds, repositoryId: repository.id }))
      console.log(describe(points.at(-1)))
    }
  } finally {
    await host.close()
    await rm(workDir, { recursive: true })
  }
  const result = { processor: cpus()[0]?.model, cores: availableParallelism(), load: loadavg()[0], COMPILE_MS, points }
  await writeFile(join(import.meta.dirname, 'results/workers.json'), `${JSON.stringify(result, null, 2)}\n`)
  console.log(points.every(({ ofLinear }) => ofLinear >= GOAL) ? `at least ${GOAL} everywhere` : `goal missed: ${GOAL}`)
}

/** Every branch has its own tree, so no result is reused. The builds wait, because there is no worker. */
async function pushBranches(host: PaperHost, remote: string, count: number): Promise<void> {
  const checkout = await host.makeCheckout(remote, { 'figure.txt': 'x'.repeat(100_000) })
  const names: string[] = []
  for (let n = 1; n <= count; n += 1) {
    await checkout.commit({ 'main.tex': `\\documentclass{article}\\begin{document}${n}\\end{document}\n` })
    await checkout.git('branch', `paper-${n}`)
    names.push(`paper-${n}`)
  }
  const pushed = await checkout.git('push', '--quiet', 'origin', ...names)
  if (pushed.exitCode !== 0) throw new Error(pushed.stderr)
}

async function measure(
  { origin, deps }: PaperHost,
  options: {
    readonly key: string
    readonly workDir: string
    readonly workers: number
    readonly builds: number
    readonly repositoryId: number
  },
): Promise<Point> {
  const { key, workDir, workers, builds, repositoryId } = options
  const stop = new AbortController()
  const log = pino({ level: 'silent' })
  const started = performance.now()
  const loops = Array.from({ length: workers }, async () => {
    const id = randomUUID()
    const blobs = await openBlobCache(join(workDir, id), { maxBytes: 1e9, log })
    const about = { id, name: id, texRelease: null, packageCount: 0, version: '0' }
    const connection = connectServer({ server: origin, key, workerId: id, log })
    const whenDescribed = Promise.resolve()
    await runWorker(
      { connection, compiler: PAUSING, blobs, log, slots: 1, describe: () => about, whenDescribed },
      stop.signal,
    )
  })
  for (;;) {
    const all = await deps.store.builds.list(repositoryId, { limit: 1_000, offset: 0 })
    const failed = all.find(({ state }) => state === 'failed')
    if (failed !== undefined) throw new Error(`build ${failed.number} failed`)
    if (all.filter(({ state }) => state === 'succeeded').length === builds) break
    await pause(20)
  }
  const elapsedMs = performance.now() - started
  stop.abort()
  await Promise.all(loops)
  const buildsPerSecond = (1_000 * builds) / elapsedMs
  return { workers, builds, elapsedMs, buildsPerSecond, ofLinear: (ROUNDS * COMPILE_MS) / elapsedMs }
}

/** Takes the fixed time and makes a PDF of its own for each document. */
const PAUSING: Pick<ProjectCompiler, 'compile'> = {
  async compile({ files, rootFile, signal }) {
    await pause(COMPILE_MS, null, signal === undefined ? {} : { signal })
    const source = Buffer.from(files.get(rootFile) ?? []).toString('hex')
    const pdf = new Uint8Array(Buffer.from(`%PDF-1.4\n% ${source}\n${'%'.repeat(100_000)}\n%%EOF\n`))
    return {
      result: { pdf, errors: [], warnings: [], logs: [], pages: 1 },
      synctex: null,
      inputs: [],
      aux: new Map([['main.aux', new Uint8Array(10_000)]]),
    }
  },
}

function describe(point: Point | undefined): string {
  if (point === undefined) return ''
  const { workers, builds, buildsPerSecond, ofLinear } = point
  return `${workers} workers: ${builds} builds, ${buildsPerSecond.toFixed(2)} per second, ${ofLinear.toFixed(2)} of linear`
}
