import type { RequestListener } from 'node:http'
import { join } from 'node:path'

import type { CompileApp, ServiceEvent } from '@texproof/platex/server'
import { startSpawner } from '@texproof/platex/spawner'
import type { Logger } from 'pino'

import { makeSetUpCode } from '../../accounts/join/set-up.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { openRooms } from '../../live/open-rooms.ts'
import { createHostCompileApp, createHostListener } from '../../main/app.ts'
import { createLiveConnections } from '../../main/live-connections.ts'
import type { LiveConnections } from '../../main/live-connections.ts'
import type { Config } from '../../config/read-config.ts'
import type { Deps } from '../../operations/deps.ts'
import { openDemo } from '../../operations/demo/open-demo.ts'
import { checkGit } from '../../git/admin/check-git.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import { openMail } from '../../mail/open-mail.ts'
import { openEmailQueue } from '../../mail/email-queue.ts'
import { sendAccountNotices } from '../../mail/send-account-notices.ts'
import { openPapers } from '../../papers/open-papers.ts'
import { openStore, type Store } from '../../store/store.ts'
import { createWebApp } from '../../web/app.ts'
import { warmUp, warmUpPages } from '../../web/warm-up.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { useSealingKey } from '../config/use-sealing-key.ts'
import { scheduleBackups } from './scheduled-backups.ts'
import { startHousekeeping } from './housekeeping.ts'

/** Resources of a running host. */
export interface Host {
  readonly listener: RequestListener
  readonly connections: LiveConnections
  readonly compileApp: CompileApp
  readonly gitVersion: string
  /** Code that creates the first administrator; null if there is an account. */
  readonly setUpCode: string | null
  /** Refuses new compiles and live connections, waits for running compiles and closes the connections. */
  drain(timeoutMs: number): Promise<void>
  /** Stops builds (they resume at the next start), then closes git and the database. */
  close(): Promise<void>
}

/**
 * Opens the parts of a host in order of dependency; closes those already opened if one fails.
 *
 * @throws CliError with the remedy if git or the sandbox is missing.
 */
export async function openHost(config: Config, log: Logger): Promise<Host> {
  const opened: { close(): Promise<void> }[] = []
  let isClosed = false
  const close = async (): Promise<void> => {
    isClosed = true
    for (const part of opened.toReversed()) await part.close()
    log.flush()
  }
  const keep = <Part extends { close(): Promise<void> }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  try {
    // First, while this process is small.
    keep(startSpawner((error) => log.error({ err: error }, 'spawner')))
    const root = join(config.dataDir, 'repositories')
    const gitVersion = await requireGit(root)
    const store = keep(await openStore({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, isServer: true }))
    await useSealingKey(config, store.settings)
    const git = keep(await openGitStore({ root, log }))
    const parsers = keep(openParsers())
    const papers = keep(await openPapersConfined({ config, log, store, git, parsers }))
    keep(startHousekeeping({ git, log, store }))
    keep(scheduleBackups({ config, log, store }))
    const mail = keep(openMail(config.smtp, { log, queue: openEmailQueue(store.queuedEmails, config) }))
    sendAccountNotices({ config, log, store, mail })
    const demo = keep(openDemo({ git, log, papers, store }))
    const compileApp = createHostCompileApp(
      config,
      (event) => logCompile(log, event),
      () => measureBuilds(store),
    )
    const rooms = keep(openRooms({ store, log }))
    const deps = { config, log, store, git, parsers, papers, rooms, mail, demo }
    const pages = createWebApp(deps)
    const listener = createHostListener(deps, { compileApp, pages })
    const connections = createLiveConnections(pages)
    const setUpCode = await makeSetUpCode(store)
    Promise.all([warmUp(parsers), warmUpPages(deps)]).catch((error: unknown) => {
      if (!isClosed) log.error({ err: error }, 'warm up')
    })
    const drain = async (timeoutMs: number): Promise<void> => {
      papers.stopRemoteSlots()
      await Promise.all([connections.close(), compileApp.drain({ timeoutMs })])
    }
    return { listener, connections, compileApp, gitVersion, setUpCode, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A worker asks for a job every 25 seconds. */
const WORKER_SEEN_WITHIN_MS = 90_000

/** Values for `GET /metrics`. */
async function measureBuilds(store: Store): Promise<Record<string, readonly [string, number]>> {
  const [{ queuedCount, runningCount }, workers] = await Promise.all([
    store.admin.describeQueue(),
    store.workerKeys.listWorkers({ since: Date.now() - WORKER_SEEN_WITHIN_MS }),
  ])
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0)
  return {
    texproof_builds_queued: ['Builds that wait.', queuedCount],
    texproof_builds_running: ['Builds that run, here and on workers.', runningCount],
    texproof_workers: ['Workers that are connected.', workers.length],
    texproof_worker_slots: ['Builds that the connected workers run at once.', slots],
  }
}

async function requireGit(root: string): Promise<string> {
  const { version, problem } = await checkGit({ root })
  if (problem === null) return version ?? '?'
  throw new CliError(problem.problem, { exitCode: exitCodes.failed, remedy: problem.remedy })
}

async function openPapersConfined(deps: Omit<Deps, 'papers' | 'rooms' | 'mail' | 'demo'>): Promise<Deps['papers']> {
  try {
    return await openPapers(deps)
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
