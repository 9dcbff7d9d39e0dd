import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { eventually } from '../../../../platex/test/support/eventually.ts'

/** A PostgreSQL server of its own, reachable only through a socket in a temporary folder. */
export interface PostgresCluster {
  /** URL of the administrator's database; the databases of tests are beside it. */
  readonly url: string
  /** Ends all connections and the server. */
  halt(): Promise<void>
  /** Starts it again. */
  start(): Promise<void>
  /** Removes it. */
  stop(): void
}

const SETTINGS = [
  ['listen_addresses', ''],
  ['max_connections', '300'],
  ['shared_buffers', '32MB'],
  // A database of a test is never needed after a power cut.
  ['fsync', 'off'],
  ['full_page_writes', 'off'],
  ['max_wal_size', '4GB'],
] as const

/** PostgreSQL refuses to run as root. */
const nobody = 65_534

/** The folder of the server's programs; null = PostgreSQL is not installed. */
export function findPostgres(): string | null {
  const folders = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => version(b) - version(a))
  return folders.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

function version(folder: string): number {
  return Number(/\d+/.exec(folder)?.[0] ?? 0)
}

/** Creates a cluster and starts it. It ends with this process. */
export async function startPostgres(programs: string): Promise<PostgresCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const asUser = isRoot ? [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  const data = join(folder, 'data')
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' }
  // A locale that sorts and compares unlike SQLite, where the server has one.
  const help = execFileSync(join(programs, 'initdb'), ['--help'], { env }).toString()
  const locale = help.includes('--icu-locale') ? ['--locale-provider=icu', '--icu-locale=en-US'] : []
  const create = ['-D', data, '-U', 'texproof', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...locale]
  const made = spawnSync('setpriv', [...asUser, join(programs, 'initdb'), ...create], { env, cwd: folder })
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr.toString()}`)
  const url = `postgres://texproof@localhost/postgres?host=${encodeURIComponent(folder)}`

  let server: ChildProcess | null = null
  async function start(): Promise<void> {
    const settings = SETTINGS.flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const run = [join(programs, 'postgres'), '-D', data, '-k', folder, ...settings]
    const child = spawn('setpriv', [...asUser, '--pdeathsig', 'QUIT', ...run], { env, cwd: folder, stdio: 'ignore' })
    child.unref()
    server = child
    await eventually(() => isReady(url), { within: 60_000, until: (ready) => ready })
  }
  function stop(): void {
    process.off('exit', stop)
    server?.kill('SIGQUIT')
    server = null
    const status = ['stop', '-D', data, '-m', 'immediate', '-w']
    spawnSync('setpriv', [...asUser, join(programs, 'pg_ctl'), ...status], { env, cwd: folder })
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.on('exit', stop)
  await start()
  return {
    url,
    stop,
    start,
    async halt() {
      const ended = new Promise((resolve) => server?.once('exit', resolve))
      server?.ref()
      server?.kill('SIGINT')
      await ended
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
