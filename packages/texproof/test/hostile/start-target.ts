import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { addUser } from '../../src/accounts/users/add-user.ts'
import { createToken } from '../../src/accounts/tokens/create-token.ts'
import { openStore } from '../../src/store/store.ts'
import { sendRequest } from '../support/send-request.ts'
import { startHost } from '../support/hosts/start-host.ts'
import { openWebClient, type WebClient } from '../support/web/web-client.ts'
import { readDisturbances, type Disturbances } from './read-disturbances.ts'

/** A running host: bob attacks it, alice has a private repository whose page is probed. */
export interface HostTarget {
  readonly url: string
  readonly bob: { readonly token: string; readonly client: WebClient }
  /** `Cookie` header of alice. */
  readonly aliceCookie: string
  readonly privatePage: string
  /** Folder for the files of the attack. */
  readonly workDir: string
  /** Memory of the host in bytes. */
  readMemory(): Promise<number>
  /** The longest time since the last call that the main thread of the host ran without a pause, in CPU time. */
  longestTurnMs(): Promise<number>
  /** Delays of the host and the machine by other causes than the work of the host. */
  readDisturbances(): Promise<Disturbances>
  /** The output of the host. */
  readonly output: () => string
  stop(): Promise<number | null>
}

const passwords = { alice: 'nine trees by the river', bob: 'seven stones in the brook' } as const

/** Starts the real command on a fresh data directory. */
export async function startHostTarget(): Promise<HostTarget> {
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-hostile-'))
  const dataDir = join(workDir, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const tokens = await makeUsers(dataDir)
  const busyTurns = join(workDir, 'busy-turns')
  const host = await startHost({
    dataDir,
    env: {
      TEXPROOF_LIMITS_SIGNED_IN_PER_MINUTE: '1000000',
      NODE_OPTIONS: `--import=${import.meta.resolve('./note-busy-turns.ts')}`,
      HOSTILE_BUSY_TURNS: busyTurns,
    },
  })
  const [alice, bob] = await Promise.all([signIn(host.url, 'alice'), signIn(host.url, 'bob')])
  await createRepository(host.url, tokens.alice, { name: 'private', private: true, auto_init: true })
  return {
    url: host.url,
    bob: { token: tokens.bob, client: bob },
    aliceCookie: [...alice.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    privatePage: '/alice/private',
    workDir,
    output: host.output,
    async readMemory() {
      const status = await readFile(`/proc/${await findHostPid(host.pid)}/status`, 'utf8')
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
    },
    async readDisturbances() {
      return readDisturbances(await findHostPid(host.pid))
    },
    async longestTurnMs() {
      const turns = await readFile(busyTurns, 'utf8').catch(() => '')
      await rm(busyTurns, { force: true })
      return Math.max(0, ...turns.split('\n').map(Number))
    },
    async stop() {
      const exitCode = await host.stop()
      await rm(workDir, { recursive: true, force: true })
      return exitCode
    },
  }
}

/** Creates a repository over the API. */
export async function createRepository(
  url: string,
  token: string,
  repository: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status, text } = await sendRequest(url, {
    method: 'POST',
    target: '/api/v3/user/repos',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(repository),
  })
  if (status !== 201) throw new Error(`create a repository: ${status} ${text}`)
}

async function makeUsers(dataDir: string): Promise<Readonly<Record<keyof typeof passwords, string>>> {
  const store = await openStore({ dataDir })
  const make = async (login: keyof typeof passwords): Promise<string> => {
    const outcome = await addUser(store, { login, password: passwords[login] })
    if (outcome.kind !== 'added') throw new Error(outcome.reason)
    const token = { userId: outcome.user.id, name: 'hostile', scopes: ['repo:write'], expiresAt: null } as const
    return (await createToken(store, token)).text
  }
  try {
    return { alice: await make('alice'), bob: await make('bob') }
  } finally {
    await store.close()
  }
}

async function signIn(url: string, login: keyof typeof passwords): Promise<WebClient> {
  const client = openWebClient(url)
  const answer = await client.submit('/login', '/login', { name: login, password: passwords[login] })
  if (answer.status !== 303) throw new Error(`${login} cannot sign in: ${answer.status}`)
  return client
}

/** The command is a script that runs Node in its place or as its child. */
async function findHostPid(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const name = await readFile(`/proc/${pid}/comm`, 'utf8')
  const first = Number(children.trim().split(' ')[0])
  return /node|MainThread/.test(name) || !first ? pid : findHostPid(first)
}
