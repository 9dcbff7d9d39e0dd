import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { OutgoingHttpHeaders } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { pino } from 'pino'

import { createApiListener } from '../../../src/api/listener.ts'
import { openParsers } from '../../../src/base/open-parsers.ts'
import { answerParserErrors } from '../../../src/api/parser-errors.ts'
import type { Repository, Scope, User } from '../../../src/domain/types.ts'
import { openGitStore } from '../../../src/git/open-git-store.ts'
import type { GitStore } from '../../../src/git/types.ts'
import { addUser } from '../../../src/accounts/users/add-user.ts'
import { createRepository } from '../../../src/operations/repository/create-repository.ts'
import { createToken } from '../../../src/accounts/tokens/create-token.ts'
import { openStore } from '../../../src/store/store.ts'
import type { Store } from '../../../src/store/store.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { sendRequest } from '../send-request.ts'
import type { RawRequest, RawResponse } from '../send-request.ts'

/** Limits that tests do not reach. */
const ROOMY = { repositories: 100_000, storageBytes: 1e12, buildMinutes: 100_000, concurrentPushes: 16 }

/** A running API on a fresh store and fresh repositories. */
export interface ApiHost {
  readonly origin: string
  /** Base address in its responses. */
  readonly baseUrl: string
  readonly store: Store
  readonly git: GitStore
  readonly dataDir: string
  /** Log output so far, one JSON object per line. */
  readonly logged: () => string
  addUser(login: string): Promise<{ readonly user: User; readonly token: string }>
  addToken(user: User, scopes: readonly Scope[], expiresAt?: number | null): Promise<string>
  addRepository(owner: User, name: string, options?: RepositoryOptions): Promise<Repository>
  /** `target` is below `/api/v3`; the token is sent as `Authorization: token …`. */
  call(request: ApiCall): Promise<RawResponse>
  close(): Promise<void>
}

/** A request to the API. */
export interface ApiCall extends RawRequest {
  readonly token?: string
  readonly headers?: OutgoingHttpHeaders
}

/** How a test repository differs from an empty public one. */
export interface RepositoryOptions {
  readonly visibility?: 'public' | 'private'
  readonly description?: string
  readonly autoInit?: boolean
}

/** How a test host differs from one on plain HTTP whose base URL is its own origin. */
export interface ApiHostOptions {
  readonly baseUrl?: string
  readonly isSignInRequired?: boolean
  /** Key and certificate for `localhost`, PEM. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** Opens a host on loopback. */
export async function openApiHost(options: ApiHostOptions = {}): Promise<ApiHost> {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-api-'))
  const store = await openStore({ dataDir, databaseUrl: await createTestDatabase(dataDir) })
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const lines: string[] = []
  const log = pino(
    { level: 'info' },
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString())
        done()
      },
    }),
  )

  const parsers = openParsers()
  const { tls } = options
  const server =
    tls === undefined
      ? createServer({ requireHostHeader: false })
      : createTlsServer({ requireHostHeader: false, ...tls })
  answerParserErrors(server, { log })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const scheme = tls === undefined ? 'http://127.0.0.1' : 'https://localhost'
  const origin = `${scheme}:${typeof address === 'object' && address !== null ? address.port : 0}`
  const baseUrl = options.baseUrl ?? origin
  server.on(
    'request',
    createApiListener({
      store,
      git,
      log,
      parsers,
      config: { baseUrl, isSignInRequired: options.isSignInRequired ?? false, quotas: ROOMY },
    }),
  )

  async function addToken(user: User, scopes: readonly Scope[], expiresAt: number | null = null): Promise<string> {
    return (await createToken(store, { userId: user.id, name: 'test', scopes, expiresAt })).text
  }

  return {
    origin,
    baseUrl,
    store,
    git,
    dataDir,
    logged: () => lines.join(''),
    addToken,
    async addUser(login) {
      const outcome = await addUser(store, { login })
      if (outcome.kind !== 'added') throw new Error(outcome.reason)
      return { user: outcome.user, token: await addToken(outcome.user, ['repo:write']) }
    },
    async addRepository(owner, name, { visibility = 'public', description, autoInit = false } = {}) {
      const outcome = await createRepository(
        { store, git },
        {
          owner,
          name,
          description: description ?? null,
          visibility,
          firstCommit: autoInit ? { gitignore: null, license: null } : null,
          authorEmail: 'noreply@localhost',
          projectUrl: `${baseUrl}/${owner.login}/${name}`,
        },
      )
      if (outcome.kind !== 'created') throw new Error(outcome.kind)
      return outcome.repository
    },
    call({ token, target, headers, ...rest }) {
      const authorization = token === undefined ? {} : { Authorization: `token ${token}` }
      return sendRequest(origin, { ...rest, target: `/api/v3${target}`, headers: { ...authorization, ...headers } })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await parsers.close()
      await git.close()
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
