import { randomUUID } from 'node:crypto'
import { access, constants } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

import { openProjectCompiler, type ProjectCompiler } from '@texproof/platex/project'
import { startSpawner } from '@texproof/platex/spawner'

import { makeFolders } from '../../base/make-folders.ts'
import { readVersion } from '../../base/read-version.ts'
import { parseBaseUrl, parseCount, parseSize } from '../../config/parse-values.ts'
import { settings } from '../../config/settings.ts'
import { parseWorkerKey } from '../../domain/token.ts'
import type { WorkerReport } from '../../domain/build/worker-protocol.ts'
import { openBlobCache } from '../../worker/blob-cache.ts'
import { runWorker } from '../../worker/run-worker.ts'
import { connectServer, ServerRefused } from '../../worker/server-connection.ts'
import { CliError } from '../cli-error.ts'
import { createLogger } from '../create-logger.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { readSecret } from '../read-secret.ts'
import { say } from '../say.ts'
import { waitForSignal } from '../wait-for-signal.ts'

export interface WorkerCommandOptions {
  readonly server: string
  readonly keyFile: string
  readonly slots: string
  readonly cache: string
  readonly cacheBytes: string
  readonly name?: string
  readonly logLevel: string
  readonly unsafeNoSandbox?: true
}

/** Runs a worker until a signal stops it, or until the server refuses it. */
export async function runWorkerCommand(options: WorkerCommandOptions): Promise<ExitCode> {
  const slots = parse('--slots', options.slots, parseCount(options.slots), 'a whole number from 1')
  const maxBytes = parse(
    '--cache-bytes',
    options.cacheBytes,
    parseSize(options.cacheBytes),
    'a size, e.g. 500m or 2g (powers of 1024)',
  )
  const level = parse(
    '--log-level',
    options.logLevel,
    settings.log.level.parse(options.logLevel),
    settings.log.level.expects,
  )
  const server = parse(
    '--server',
    options.server,
    parseBaseUrl(options.server),
    'the base URL of the server, e.g. https://papers.example.org',
  )
  const key = parseWorkerKey((await readSecret(options.keyFile)).trim())
  if (key === null)
    throw new CliError(`${options.keyFile} contains no worker key`, {
      exitCode: exitCodes.usage,
      remedy: 'Create one on the server: texproof worker-key create',
    })
  const cacheDir = await createCacheDir(options.cache)
  const log = createLogger({ level, format: process.stderr.isTTY ? 'pretty' : 'json' })
  // First, while this process is small.
  const spawner = startSpawner((error) => log.error({ err: error }, 'spawner'))
  const compiler = await openCompiler(join(cacheDir, 'tex'), options)
  const stop = new AbortController()
  const stopping = waitForSignal().then((signal) => {
    say(`Stopping (${signal}): returning builds to the queue. Send the signal again to force.`)
    stop.abort(new Error(`the worker was stopped with ${signal}`))
  })
  try {
    const id = randomUUID()
    const name = (options.name ?? hostname()).replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100) || 'worker'
    let tex: Pick<WorkerReport, 'texRelease' | 'packageCount'> = { texRelease: null, packageCount: 0 }
    // Runs in the background: it takes seconds, and the first build does not need it.
    const whenDescribed = compiler.inventory().then(
      ({ release, packageCount, classCount }) =>
        (tex = { texRelease: release, packageCount: packageCount + classCount }),
      (error: unknown) => log.warn({ err: error }, 'list the TeX installation'),
    )
    const describe = () => ({ id, name, version: readVersion(), ...tex })
    const blobs = await openBlobCache(join(cacheDir, 'sources'), { maxBytes, log })
    const connection = connectServer({ server, key, workerId: id, log })
    log.info({ server, slots, cache: cacheDir }, 'worker started')
    await runWorker({ connection, compiler, blobs, log, slots, describe, whenDescribed }, stop.signal)
    await stopping
    return exitCodes.good
  } catch (error) {
    if (!(error instanceof ServerRefused)) throw error
    throw new CliError(error.message, {
      exitCode: exitCodes.failed,
      remedy: 'Check --server, and that the key was not revoked: texproof worker-key list',
    })
  } finally {
    await compiler.close()
    await spawner.close()
    log.flush()
  }
}

async function createCacheDir(path: string): Promise<string> {
  const cacheDir = resolve(path)
  try {
    await makeFolders(cacheDir, 0o700)
    await access(cacheDir, constants.W_OK | constants.X_OK)
    return cacheDir
  } catch (error) {
    throw new CliError(`cannot write to the cache: ${error instanceof Error ? error.message : String(error)}`, {
      exitCode: exitCodes.usage,
      remedy: 'Choose another directory with --cache DIR.',
    })
  }
}

function parse<Value>(option: string, text: string, value: Value | null, expects: string): Value {
  if (value !== null) return value
  throw new CliError(`invalid value "${text}" for ${option}`, {
    exitCode: exitCodes.usage,
    remedy: `Expected: ${expects}.`,
  })
}

async function openCompiler(cacheDir: string, { unsafeNoSandbox }: WorkerCommandOptions): Promise<ProjectCompiler> {
  try {
    return await openProjectCompiler({ sandbox: unsafeNoSandbox ? 'none' : 'required', cacheDir, waitingEngines: 2 })
  } catch (error) {
    const isUnavailable = error instanceof Error && error.name === 'SandboxUnavailableError' && 'remedy' in error
    if (!isUnavailable) throw error
    throw new CliError(`no sandbox available: ${error.message}`, {
      exitCode: exitCodes.failed,
      remedy: `${String(error.remedy)} Or, if you trust everyone who can push: --unsafe-no-sandbox`,
    })
  }
}
