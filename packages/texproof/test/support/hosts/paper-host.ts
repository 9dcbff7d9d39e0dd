import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'

import { getRequestListener } from '@hono/node-server'
import { pino } from 'pino'

import type { Config } from '../../../src/config/read-config.ts'
import { openDemo } from '../../../src/operations/demo/open-demo.ts'
import type { Deps } from '../../../src/operations/deps.ts'
import type { Repository, Scope, User, Visibility } from '../../../src/domain/types.ts'
import { openGitStore } from '../../../src/git/open-git-store.ts'
import { openMail } from '../../../src/mail/open-mail.ts'
import { openEmailQueue } from '../../../src/mail/email-queue.ts'
import { sendAccountNotices } from '../../../src/mail/send-account-notices.ts'
import { addUser } from '../../../src/accounts/users/add-user.ts'
import { createRepository } from '../../../src/operations/repository/create-repository.ts'
import { createToken } from '../../../src/accounts/tokens/create-token.ts'
import { withRequestAddress } from '../../../src/base/http/request-address.ts'
import { openParsers } from '../../../src/base/open-parsers.ts'
import { openPapers } from '../../../src/papers/open-papers.ts'
import { createSmartHttpListener, isSmartHttpTarget } from '../../../src/smart-http/listener.ts'
import { openStore } from '../../../src/store/store.ts'
import { openRooms } from '../../../src/live/open-rooms.ts'
import { createLiveConnections, isLiveRequest } from '../../../src/main/live-connections.ts'
import { createWebApp } from '../../../src/web/app.ts'
import { createWorkerListener, isWorkerTarget } from '../../../src/worker-api/listener.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { testConfig } from './test-config.ts'
import { runProgram, type ProgramOutcome } from '../programs/run-program.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

/** A running host of papers on loopback: git over HTTP and real TeX on a fresh data directory. */
export interface PaperHost {
  readonly origin: string
  readonly deps: Deps
  /** Log output so far, one JSON object per line. */
  readonly logged: () => string
  addUser(login: string): Promise<{ readonly user: User; readonly token: string }>
  addToken(user: User, scopes: readonly Scope[], expiresAt?: number | null): Promise<string>
  addRepository(owner: User, name: string, visibility?: Visibility): Promise<Repository>
  /** Git URL that contains a token. */
  gitUrl(path: string, token?: string): string
  /** Creates a working copy with these files committed on `main` and the remote `origin`. */
  makeCheckout(remote: string, files: Files): Promise<Checkout>
  /** Waits until no build of the repository is queued or running. */
  whenBuilt(repositoryId: number): Promise<void>
  /** Stops and starts again on the same data directory; `origin` stays. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Contents by path. */
type Files = Readonly<Record<string, string | Uint8Array>>

/** A working copy of a user. */
export interface Checkout {
  readonly dir: string
  git(...args: readonly string[]): Promise<ProgramOutcome>
  /** Writes files and commits them. */
  commit(files: Files, message?: string): Promise<string>
}

/** Opens a host; limits and settings that depend on its port can be given. */
export async function openPaperHost(
  settings: Partial<Config> | ((port: number) => Partial<Config>) = {},
): Promise<PaperHost> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-papers-'))
  const lines: string[] = []
  const log = pino(
    { level: 'info' },
    new Writable({ write: (chunk: Buffer, _encoding, done) => done(void lines.push(String(chunk))) }),
  )
  const server = createServer({ shouldUpgradeCallback: isLiveRequest })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const origin = `http://127.0.0.1:${port}`
  const dataDir = join(workDir, 'data')
  const config: Config = {
    ...testConfig,
    dataDir,
    databaseUrl: await createTestDatabase(dataDir),
    baseUrl: origin,
    backup: { everyMs: null, keep: 7, dir: join(workDir, 'backups'), isIncremental: false },
    ...(typeof settings === 'function' ? settings(port) : settings),
  }

  let deps = await openDeps(config, log).catch((error: unknown) => {
    // A server that listens would keep the failed test file running.
    server.close()
    throw error
  })
  let listen = createListener(deps)
  server.on('request', (request, response) => listen.answer(request, response))
  server.on('upgrade', (request, socket, head) => listen.connections.upgrade(request, socket, head))
  const closeDeps = async (): Promise<void> => {
    await listen.connections.close()
    await deps.demo.close()
    await deps.rooms.close()
    await deps.mail.close()
    await deps.papers.close()
    await deps.parsers.close()
    await deps.git.close()
    await deps.store.close()
  }
  const addToken = async (user: User, scopes: readonly Scope[], expiresAt: number | null = null): Promise<string> =>
    (await createToken(deps.store, { userId: user.id, name: 'test', scopes, expiresAt })).text

  return {
    origin,
    get deps() {
      return deps
    },
    logged: () => lines.join(''),
    addToken,
    async addUser(login) {
      const outcome = await addUser(deps.store, { login })
      if (outcome.kind !== 'added') throw new Error(outcome.reason)
      return { user: outcome.user, token: await addToken(outcome.user, ['repo:write']) }
    },
    async addRepository(owner, name, visibility = 'public') {
      const details = {
        owner,
        name,
        visibility,
        description: null,
        firstCommit: null,
        authorEmail: 'noreply@localhost',
        projectUrl: origin,
      }
      const outcome = await createRepository(deps, details)
      if (outcome.kind !== 'created') throw new Error(outcome.kind)
      return outcome.repository
    },
    gitUrl: (path, token) =>
      token === undefined ? `${origin}/${path}` : `${origin.replace('://', `://git:${token}@`)}/${path}`,
    makeCheckout: async (remote, files) => makeCheckout(await mkdtemp(join(workDir, 'checkout-')), remote, files),
    async whenBuilt(repositoryId) {
      await eventually(() => deps.store.builds.list(repositoryId, { limit: 100, offset: 0 }), {
        // A build that hangs is stopped by its own limit. Many builds take long on a busy machine.
        within: 500_000,
        until: (builds) => builds.every(({ state }) => state !== 'queued' && state !== 'running'),
      })
    },
    async restart() {
      await closeDeps()
      deps = await openDeps(config, log)
      listen = createListener(deps)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await closeDeps()
      await rm(workDir, { recursive: true, force: true })
    },
  }
}

async function openDeps(config: Config, log: Deps['log']): Promise<Deps> {
  const store = await openStore({ dataDir: config.dataDir, databaseUrl: config.databaseUrl })
  const git = await openGitStore({ root: join(config.dataDir, 'repositories'), log })
  const parsers = openParsers()
  const papers = await openPapers({ config, log, store, git, parsers })
  const mail = openMail(config.smtp, { log, queue: openEmailQueue(store.queuedEmails, config) })
  sendAccountNotices({ config, log, store, mail })
  const demo = openDemo({ git, log, papers, store })
  const rooms = openRooms({ store, log })
  return { config, log, store, git, parsers, papers, rooms, mail, demo }
}

function createListener(deps: Deps) {
  const smartHttp = createSmartHttpListener(deps)
  const worker = createWorkerListener(deps)
  const pages = createWebApp(deps)
  const web = getRequestListener(pages.fetch, { overrideGlobalObjects: false })
  const answer = withRequestAddress(deps.config, (request, response) => {
    if (isWorkerTarget(request.url ?? '')) worker(request, response)
    else if (isSmartHttpTarget(request.url ?? '')) smartHttp(request, response)
    else void web(request, response)
  })
  return { answer, connections: createLiveConnections(pages) }
}

/**
 * One program for several commands of git: starting a program copies the page tables of this process, which takes longer
 * than most commands.
 */
const INITIALIZE = 'git init --quiet --initial-branch=main; git remote add origin "$1"'
const COMMIT = 'git add --all; git commit --quiet --allow-empty --message "$1"; git rev-parse HEAD'

async function makeCheckout(dir: string, remote: string, files: Files): Promise<Checkout> {
  const env = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    HOME: '/nonexistent',
    GIT_AUTHOR_NAME: 'Alice',
    GIT_AUTHOR_EMAIL: 'alice@example.org',
    GIT_COMMITTER_NAME: 'Alice',
    GIT_COMMITTER_EMAIL: 'alice@example.org',
  }
  const git = (...args: readonly string[]): Promise<ProgramOutcome> => runProgram('git', args, { cwd: dir, env })
  const runScript = (script: string, argument: string): Promise<ProgramOutcome> =>
    runProgram('sh', ['-c', script, 'sh', argument], { cwd: dir, env })
  const commit = async (changed: Files, message = 'Write'): Promise<string> => {
    for (const [path, text] of Object.entries(changed)) {
      await mkdir(dirname(join(dir, path)), { recursive: true })
      await writeFile(join(dir, path), text)
    }
    return (await runScript(COMMIT, message)).stdout.trim()
  }
  await runScript(INITIALIZE, remote)
  await commit(files)
  return { dir, git, commit }
}
