import type { RequestListener } from 'node:http'
import { join } from 'node:path'

import type { CompileApp, ServiceEvent } from '@texproof/platex/server'
import type { startSpawner } from '@texproof/platex/spawner'
import type { Logger } from 'pino'

import { makeSetUpCode } from '../../accounts/join/set-up.ts'
import type { Parsers } from '../../base/open-parsers.ts'
import { openRooms } from '../../live/open-rooms.ts'
import type { LiveConnections } from '../../main/live-connections.ts'
import type { Config } from '../../config/read-config.ts'
import { openDemo } from '../../operations/demo/open-demo.ts'
import { checkGit } from '../../git/admin/check-git.ts'
import { openGitStore, type OtherServers } from '../../git/open-git-store.ts'
import { openMail } from '../../mail/open-mail.ts'
import { openEmailQueue } from '../../mail/email-queue.ts'
import { sendAccountNotices } from '../../mail/send-account-notices.ts'
import { openHostCompiler, type HostCompiler } from '../../papers/host-compiler.ts'
import { openPapers } from '../../papers/open-papers.ts'
import { WORKER_LOST_AFTER_MS } from '../../store/builds/worker-keys.ts'
import { findStoreBusy } from '../../store/sqlite/store-errors.ts'
import { openStore, type Store } from '../../store/store.ts'
import { findStorageProblem } from '../../operations/repository/find-storage-problem.ts'
import { openMirrors } from '../../operations/import/open-mirrors.ts'
import { openWebhooks } from '../../webhooks/open-webhooks.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { useSealingKey } from '../config/use-sealing-key.ts'
import { scheduleBackups } from './scheduled-backups.ts'
import { startHousekeeping } from './housekeeping.ts'
import { readSandboxRecord } from './sandbox-record.ts'

/** Resources of a running host. */
export interface Host {
  readonly listener: RequestListener
  readonly connections: LiveConnections
  readonly compileApp: CompileApp
  readonly gitVersion: string
  /**
   * Resolves when the sandbox of builds has been examined; builds wait for it.
   *
   * @throws CliError with the remedy if the sandbox is missing; close the host.
   */
  readonly confined: Promise<void>
  /** Whether an earlier start has examined it since the machine was booted. Then it is examined again by `openSandbox`. */
  readonly wasConfined: boolean
  /** Opens the sandbox, unless it has been opened at the start. */
  openSandbox(): void
  /** Code that creates the first administrator; null if there is one. */
  readonly setUpCode: string | null
  /** Renders pages for the first time, which would slow down the first request. */
  warmUp(): Promise<void>
  /** Refuses new compiles and live connections, waits for running compiles and closes the connections. */
  drain(timeoutMs: number): Promise<void>
  /** Stops builds (they resume at the next start), then closes git and the database. */
  close(): Promise<void>
}

/** Resources that are opened before the modules of a host are loaded. */
interface OpenedFirst {
  readonly log: Logger
  readonly parsers: Parsers
  readonly spawner: ReturnType<typeof startSpawner>
}

/**
 * Opens the parts of a host in order of dependency; closes those already opened if one fails.
 *
 * @throws CliError with the remedy if git is missing.
 */
export async function openHost(config: Config, { log, parsers, spawner }: OpenedFirst): Promise<Host> {
  const opened: { close(): Promise<void> }[] = [spawner, parsers]
  let isClosed = false
  const sandboxTurn = Promise.withResolvers<void>()
  const close = async (): Promise<void> => {
    isClosed = true
    sandboxTurn.resolve()
    for (const part of opened.toReversed()) {
      try {
        await part.close()
      } catch (error) {
        // A part that stays open keeps the process running, so the others are closed as well.
        log.error({ err: error }, 'close a part of the host')
      }
    }
    log.flush()
  }
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  try {
    const root = join(config.dataDir, 'repositories')
    // Git and the sandbox are checked while the modules that answer requests are loaded.
    const record = readSandboxRecord(config)
    const compiler = openHostCompiler(config, { isServer: true, after: record.isValid ? sandboxTurn.promise : null })
    const loading = loadPages()
    const gitVersion = await requireGit(config.dataDir)
    const { dataDir, databaseUrl } = config
    const onCheckpointsFail = ({ message, cause }: Error): void => {
      log.error({ component: 'database', err: cause }, message)
    }
    const store = keep(await openStore({ dataDir, databaseUrl, isServer: true, onCheckpointsFail }))
    await useSealingKey(config, store)
    const git = keep(await openGitStore({ root, log, others: otherServers(store) }))
    const papers = keep(await openPapers({ config, log, store, git, parsers }, { compiler }))
    keep(startHousekeeping({ config, git, log, papers, store }, { isAlone: papers.isAlone }))
    keep(scheduleBackups({ config, log, store }))
    const mail = keep(openMail(config.smtp, { log, queue: openEmailQueue(store.queuedEmails, config) }))
    sendAccountNotices({ config, log, store, mail })
    keep(openWebhooks({ config, log, store, git }))
    keep(openMirrors({ config, log, store, git, papers }))
    const demo = keep(openDemo({ git, log, papers, store }))
    const { createHostCompileApp, createHostListener, createLiveConnections, createWebApp, warmUpPages } = await loading
    const compileApp = createHostCompileApp(config, (event) => logCompile(log, event), {
      gauges: () => measureBuilds(store).catch(withoutDatabase),
      findReadinessProblem: () => findStorageProblem(store, config),
    })
    const rooms = keep(openRooms({ store, log }))
    const deps = { config, log, store, git, parsers, papers, rooms, mail, demo }
    const pages = createWebApp(deps)
    const listener = createHostListener(deps, { compileApp, pages })
    const connections = createLiveConnections(pages)
    const setUpCode = await makeSetUpCode(store)
    const warmUp = async (): Promise<void> => {
      try {
        const statuses = await warmUpPages(deps)
        // Others are regular: a page of a disabled repository, or one that requires to sign in.
        if (!isClosed && statuses.some((status) => status >= 500)) log.error({ statuses }, 'warm up')
      } catch (error) {
        if (!isClosed) log.error({ err: error }, 'warm up')
      }
    }
    const drain = async (timeoutMs: number): Promise<void> => {
      papers.stopRemoteSlots()
      await Promise.all([connections.close(), compileApp.drain({ timeoutMs })])
    }
    const confined = requireSandbox(compiler)
    // The command awaits it, unless a signal ends it before. Without a record, the next start waits for the test.
    confined.then(record.store, record.remove).catch(() => {})
    const sandbox = { confined, wasConfined: record.isValid, openSandbox: sandboxTurn.resolve }
    return { listener, connections, compileApp, gitVersion, ...sandbox, setUpCode, warmUp, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The other servers of a PostgreSQL database share the repositories. */
function otherServers(store: Store): OtherServers | null {
  const { instances, runExclusively } = store
  if (instances === null) return null
  return {
    isWriting: instances.isWrittenElsewhere,
    maintainAlone: (repositoryId, run) => runExclusively({ maintenanceOf: repositoryId }, run),
    readGeneration: instances.readGeneration,
  }
}

/** Values for `GET /metrics`. */
async function measureBuilds(store: Store): Promise<Record<string, readonly [string, number]>> {
  const [{ queuedCount, runningCount }, workers] = await Promise.all([
    store.admin.describeQueue(),
    store.workerKeys.listWorkers({ since: Date.now() - WORKER_LOST_AFTER_MS }),
  ])
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
  return {
    texproof_builds_queued: ['Queued builds.', queuedCount],
    texproof_builds_running: ['Running builds, on this machine and on workers.', runningCount],
    texproof_workers: ['Connected workers.', workers.length],
    texproof_worker_slots: ['Slots of the connected workers.', slots],
  }
}

/** While the database is not available, `GET /metrics` has only the values of this process. */
function withoutDatabase(error: unknown): Record<string, never> {
  if (findStoreBusy(error) === null) throw error
  return {}
}

/** The modules that answer requests. */
async function loadPages() {
  const [app, live, web, warm] = await Promise.all([
    import('../../main/app.ts'),
    import('../../main/live-connections.ts'),
    import('../../web/app.ts'),
    import('../../web/warm-up.ts'),
  ])
  return { ...app, ...live, ...web, ...warm }
}

async function requireGit(dataDir: string): Promise<string> {
  const { version, problem } = await checkGit({ dataDir })
  if (problem === null) return version ?? '?'
  throw new CliError(problem.problem, { exitCode: exitCodes.failed, remedy: problem.remedy })
}

async function requireSandbox(compiler: HostCompiler): Promise<void> {
  try {
    await compiler.opened
  } catch (error) {
    if (!isSandboxUnavailable(error)) throw error
    throw new CliError(`no sandbox available: ${error.reason}`, {
      exitCode: exitCodes.failed,
      remedy: `${error.remedy} Or, if you trust everyone who can push: --unsafe-no-sandbox`,
    })
  }
}

function isSandboxUnavailable(error: unknown): error is Error & { reason: string; remedy: string } {
  return error instanceof Error && error.name === 'SandboxUnavailableError'
}

function logCompile(log: Logger, event: ServiceEvent): void {
  if (event.kind === 'warning') {
    log.warn({ component: 'compile' }, event.message)
    return
  }
  const line = { component: 'compile', request_id: event.requestId }
  if (event.kind === 'failed') {
    log.error({ ...line, err: event.error }, 'compile failed')
    return
  }
  const duration = { duration_ms: Math.round(event.durationMs) }
  if (event.kind === 'compiled') {
    const { end, engine, passes } = event
    log.info({ ...line, engine, end, passes, ...duration }, 'compiled')
    return
  }
  const { method, path, status } = event
  // Load balancers poll these: only failures are logged.
  const isProbe = path === '/health' || path === '/ready'
  const level = isProbe && status === 200 ? 'debug' : 'info'
  log[level]({ ...line, method, path, status, ...duration }, 'answered')
}
