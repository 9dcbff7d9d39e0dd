import type { Logger } from 'pino'

import { startSpawner } from '@texproof/platex/spawner'

import { deriveBaseUrl, readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { createDataDir } from '../data-dir.ts'
import { say } from '../say.ts'
import type { DataDirLock } from '../../store/sqlite/data-dir-lock.ts'
import { closeServer } from './close-server.ts'
import { createEarlyServer, type EarlyServer } from './create-early-server.ts'
import { createLogger } from '../create-logger.ts'
import { lockDataDirForServer } from './lock-data-dir.ts'
import { listen } from './listen.ts'
import type { Host } from './open-host.ts'
import { requireOpenFiles } from './require-open-files.ts'
import { printSandbox, printStartupBanner, printTex } from './print-startup-banner.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { warmUpThread } from '../../web/warm-up-threads.ts'
import { waitForSignal } from '../wait-for-signal.ts'

export interface ServeOptions {
  readonly data?: string
  readonly listen?: string
  readonly baseUrl?: string
  readonly unsafeNoSandbox?: true
}

/** Work that makes later requests faster must not delay the first ones, which often follow a start at once. */
const restMs = 500
const shutdownMs = 30_000
/** The remaining time is for canceled work: builds, git processes, which are killed after five seconds, the database. */
const drainMs = 22_000
/** A database or a file system that does not answer must not keep the process running beyond `shutdownMs`. */
const giveUpMs = shutdownMs - 1_000

/** Runs the host until a signal stops it; resolves with the exit code after everything is closed. */
export async function runServe(options: ServeOptions): Promise<ExitCode> {
  const { config: wanted, notices } = readConfig({
    data: options.data,
    settings: {
      listen: options.listen,
      base_url: options.baseUrl,
      sandbox: options.unsafeNoSandbox ? 'none' : undefined,
    },
  })
  for (const notice of notices) say(`! ${notice}`)
  const openFiles = await requireOpenFiles()
  await createDataDir(wanted)

  // The port first: if it is in use, nothing else has changed.
  const log = createLogger(wanted.log)
  const early = createEarlyServer(log, { openFiles, trustedProxies: wanted.trustedProxies })
  const config = withPort(wanted, await listen(early.server, wanted.listen))
  const end = waitForSignal()
  void end.then(() => setTimeout(giveUp, giveUpMs).unref())
  let lock: DataDirLock | null = null
  try {
    lock = lockDataDirForServer(config)
    // Both run on another processor while this thread loads the modules of the host. Starting a process also takes
    // longer, the more memory this one has.
    const spawner = startSpawner((error) => log.error({ err: error }, 'spawner'))
    const parsers = openParsers()
    void warmUpThread(parsers)
    const { openHost } = await import('./open-host.ts')
    const host = await openHost(config, { log, parsers, spawner })
    early.open(host)
    try {
      await runUntilSignal(host, { config, early, end, log })
    } finally {
      await host.close()
    }
    return exitCodes.good
  } catch (error) {
    early.fail()
    throw error
  } finally {
    lock?.release()
  }
}

interface Running {
  readonly config: Config
  readonly early: EarlyServer
  readonly end: Promise<NodeJS.Signals>
  readonly log: Logger
}

/** @throws CliError with the remedy if the sandbox is missing. */
async function runUntilSignal(host: Host, { config, early, end, log }: Running): Promise<void> {
  // Pages are answered meanwhile.
  if (!host.wasConfined) await host.confined
  printStartupBanner(config, host)
  const confined = host.confined.then(() => printSandbox(config))
  if (!host.wasConfined) await confined
  if (host.setUpCode !== null) {
    say('Create the first administrator (single-use link, valid for 30 minutes):')
    say(`  ${config.baseUrl}/setup?code=${host.setUpCode}`)
  }
  if (!config.build.isLocal) say('  ✓ all builds run on workers; this machine needs no TeX')
  const later = setTimeout(() => {
    host.openSandbox()
    void host.warmUp()
    if (!config.build.isLocal) return
    printTex(host.compileApp, config.dataDir).catch((error: unknown) => log.error({ err: error }, 'check TeX'))
  }, restMs)
  try {
    const signal = await Promise.race([end, confined.then(() => end)])
    say(
      `Shutting down (${signal}), up to ${shutdownMs / 1000} s. ${signal === 'SIGINT' ? 'Press Ctrl+C' : 'Send the signal'} again to force.`,
    )
  } finally {
    clearTimeout(later)
    // Running requests may wait for it.
    host.openSandbox()
  }
  await closeServer(early.server, { drain: () => host.drain(drainMs), drainMs })
}

/** Ends the process as if it was killed, which leaves nothing that the next start does not complete. */
function giveUp(): never {
  say(
    'texproof: the shutdown took too long, for example because the database does not answer. The next start completes what remains.',
  )
  process.exit(exitCodes.failed)
}

/** Replaces port 0 with the assigned one, including in an address derived from it. */
function withPort(config: Config, port: number): Config {
  const listening = { host: config.listen.host, port }
  const isDerived = config.baseUrl === deriveBaseUrl(config.listen)
  return { ...config, listen: listening, baseUrl: isDerived ? deriveBaseUrl(listening) : config.baseUrl }
}
