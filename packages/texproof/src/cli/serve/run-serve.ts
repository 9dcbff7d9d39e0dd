import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'

import { startSpawner } from '@texproof/platex/spawner'

import { deferContinue } from '../../api/defer-continue.ts'
import { answerParserErrors } from '../../api/parser-errors.ts'
import { deriveBaseUrl, readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { createDataDir } from '../data-dir.ts'
import { say } from '../say.ts'
import { isLiveRequest } from '../../main/live-connections.ts'
import type { LiveConnections } from '../../main/live-connections.ts'
import type { DataDirLock } from '../../store/sqlite/data-dir-lock.ts'
import { closeServer } from './close-server.ts'
import { createLogger } from '../create-logger.ts'
import { lockDataDirForServer } from './lock-data-dir.ts'
import { listen } from './listen.ts'
import { printStartupBanner, printTex } from './print-startup-banner.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { warmUpThread } from '../../web/warm-up-threads.ts'
import { waitForSignal } from '../wait-for-signal.ts'

export interface ServeOptions {
  readonly data?: string
  readonly listen?: string
  readonly baseUrl?: string
  readonly unsafeNoSandbox?: true
}

/** A push may transfer a gigabyte over a slow connection. */
const requestTimeoutMs = 3_600_000
/** Work that makes later requests faster must not delay the first ones, which often follow a start at once. */
const restMs = 500
const shutdownMs = 30_000
/** The remaining time is for canceled work: builds, git processes, which are killed after five seconds, the database. */
const drainMs = 22_000
/** A database or a file system that does not answer must not keep the process running beyond `shutdownMs`. */
const giveUpMs = shutdownMs - 1_000
/** Connections without traffic are closed. The longest silence of this server is a compile of two minutes. */
const silenceMs = 180_000

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
  await createDataDir(wanted)

  // The port first: if it is in use, nothing else has changed. Requests wait until the host is open.
  let answer: RequestListener | null = null
  const opening = Promise.withResolvers<undefined>()
  opening.promise.catch(() => {}) // Awaited by early requests only; the start itself reports the error.
  const limits = { requestTimeout: requestTimeoutMs, requireHostHeader: false, shouldUpgradeCallback: isLiveRequest }
  const server = createServer(limits, (request, response) => {
    if (answer !== null) answer(request, response)
    // The start failed; the command reports why.
    else opening.promise.then(() => answer?.(request, response)).catch(() => response.destroy())
  })
  let connections: LiveConnections | null = null
  server.on('upgrade', (request, socket, head) => {
    // During the start, browsers connect again.
    if (connections === null) socket.destroy()
    else connections.upgrade(request, socket, head)
  })
  const log = createLogger(wanted.log)
  answerParserErrors(server, { log })
  deferContinue(server)
  server.setTimeout(silenceMs)
  const config = withPort(wanted, await listen(server, wanted.listen))
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
    answer = host.listener
    connections = host.connections
    opening.resolve(undefined)
    // Pages are answered meanwhile.
    await host.confined.catch(async (error: unknown) => {
      await host.close()
      throw error
    })
    printStartupBanner(config, host)
    if (host.setUpCode !== null) {
      say('Create the first administrator (single-use link, valid for 30 minutes):')
      say(`  ${config.baseUrl}/setup?code=${host.setUpCode}`)
    }
    if (!config.build.isLocal) say('  ✓ all builds run on workers; this machine needs no TeX')
    const later = setTimeout(() => {
      void host.warmUp()
      if (!config.build.isLocal) return
      printTex(host.compileApp, config.dataDir).catch((error: unknown) => log.error({ err: error }, 'check TeX'))
    }, restMs)
    const signal = await end
    clearTimeout(later)
    say(
      `Shutting down (${signal}), up to ${shutdownMs / 1000} s. ${signal === 'SIGINT' ? 'Press Ctrl+C' : 'Send the signal'} again to force.`,
    )
    await closeServer(server, { drain: () => host.drain(drainMs), drainMs })
    await host.close()
    return exitCodes.good
  } catch (error) {
    opening.reject(error)
    server.close()
    server.closeAllConnections()
    throw error
  } finally {
    lock?.release()
  }
}

/** Ends the process as if it was killed, which leaves nothing that the next start does not complete. */
function giveUp(): never {
  say(
    'texproof: the shutdown took too long, for example because the database does not answer. The next start completes what remains.',
  )
  process.exit(exitCodes.failed)
}

/** Replaces port 0 by the assigned one, also in an address derived from it. */
function withPort(config: Config, port: number): Config {
  const listening = { host: config.listen.host, port }
  const isDerived = config.baseUrl === deriveBaseUrl(config.listen)
  return { ...config, listen: listening, baseUrl: isDerived ? deriveBaseUrl(listening) : config.baseUrl }
}
