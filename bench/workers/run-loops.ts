/**
 * `run-loops.ts SERVER KEY WORKERS BUILDS`: the loops of workers whose compiles take a fixed time. Prints the milliseconds
 * until the server has confirmed as many builds.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { ProjectCompiler } from '@texproof/platex/project'
import { pino } from 'pino'

import { openBlobCache } from '../../packages/texproof/src/worker/blob-cache.ts'
import { runWorker } from '../../packages/texproof/src/worker/run-worker.ts'
import { connectServer } from '../../packages/texproof/src/worker/server-connection.ts'

export const COMPILE_MS = 2_000

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

if (import.meta.main) {
  const [server = '', key = '', workers = '', builds = ''] = process.argv.slice(2)
  console.log(await runLoops({ server, key, workers: Number(workers), builds: Number(builds) }))
}

async function runLoops(options: {
  readonly server: string
  readonly key: string
  readonly workers: number
  readonly builds: number
}): Promise<number> {
  const { server, key, workers, builds } = options
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-bench-workers-'))
  const log = pino({ level: 'error' }, pino.destination(2))
  const stop = new AbortController()
  const startedAt = performance.now()
  let confirmed = 0
  let elapsedMs = Number.NaN

  async function runLoop(): Promise<void> {
    const id = randomUUID()
    const blobs = await openBlobCache(join(workDir, id), { maxBytes: 1e9, log })
    const about = { id, name: id, texRelease: null, packageCount: 0, version: '0' }
    const connection = connectServer({ server, key, workerId: id, log })
    const counting: typeof connection = {
      ...connection,
      async sendResult(...sent) {
        await connection.sendResult(...sent)
        confirmed += 1
        if (confirmed < builds) return
        elapsedMs = performance.now() - startedAt
        stop.abort()
      },
    }
    await runWorker(
      {
        connection: counting,
        compiler: PAUSING,
        blobs,
        log,
        slots: 1,
        describe: () => about,
        whenDescribed: Promise.resolve(),
      },
      stop.signal,
    )
  }

  try {
    await Promise.all(Array.from({ length: workers }, runLoop))
  } finally {
    await rm(workDir, { recursive: true })
  }
  return elapsedMs
}
